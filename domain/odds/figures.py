"""Fractions as people read them, rounded by whole numbers alone."""

from __future__ import annotations

from fractions import Fraction


def decimal(value: Fraction, digits: int) -> str:
    """`value` with this many digits after the point, a half rounded away from zero.

    >>> decimal(Fraction(2, 3), 4), decimal(Fraction(-1, 200), 2), decimal(Fraction(12345), 0)
    ('0.6667', '-0.01', '12345')
    """
    scaled = abs(value) * 10**digits
    rounded = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    whole, rest = divmod(rounded, 10**digits)
    sign = "-" if value < 0 and rounded else ""
    return f"{sign}{whole}" + (f".{rest:0{digits}d}" if digits else "")


def percentage(value: Fraction, digits: int = 4) -> str:
    """`value` in percent, without the sign.

    >>> percentage(Fraction(11_970_096, 154_143_080))
    '7.7656'
    """
    return decimal(value * 100, digits)


def one_in(chance: Fraction, digits: int = 2) -> str | None:
    """The N of "1 in N"; None where it never happens.

    >>> one_in(Fraction(40, 133_784_560)), one_in(Fraction(0))
    ('3344614.00', None)
    """
    return decimal(1 / chance, digits) if chance else None
