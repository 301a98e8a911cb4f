"""Money: integer cents, meters in integer micros, and every rounding in one place.

1 dollar = 100 cents = 1_000_000 micros, so a stake in cents times a rate in basis points is exact in micros.
"""

from __future__ import annotations

MICROS_PER_CENT = 10_000
BASIS_POINTS = 10_000
QUARTER_CENTS = 25
MAX_CENTS = 10**12
MAX_MICROS = 10**16
SUPERVISOR_FROM_CENTS = 25_00
"""From this difference between a jackpot's line and its slip a supervisor is needed; a property may say another."""
LARGE_MICROS = 10**13
"""What a level gains or loses at once is added up from here on: 900,000 smaller amounts stay within 64 bits."""
FULL_MICROS = 5 * 10**17
"""Past this a level takes in no more, so that every sum of what moved it stays within 64 bits in every store."""
MAX_WIN_CENTS = 10**13
"""The most that one wager may be able to win: a round's sums in micros then stay within 64 bits in every store."""


def commission_cents(won_cents: int, rate_bp: int, rounding: str) -> int:
    """The house's commission in cents on a win of `won_cents` at `rate_bp` basis points (R12).

    `half_up` rounds the exact figure to the cent, a half in the house's favour; `up_to_quarter` goes up to the next
    25 cents in the house's favour, an exact multiple stays.

    >>> commission_cents(9, 500, "half_up"), commission_cents(10, 500, "half_up")
    (0, 1)
    >>> commission_cents(500, 500, "up_to_quarter"), commission_cents(501, 500, "up_to_quarter")
    (25, 50)
    """
    exact = won_cents * rate_bp
    if rounding == "half_up":
        return (2 * exact + BASIS_POINTS) // (2 * BASIS_POINTS)
    if rounding == "up_to_quarter":
        quarter = QUARTER_CENTS * BASIS_POINTS
        return -(-exact // quarter) * QUARTER_CENTS
    raise ValueError(f"unknown commission rounding {rounding!r}")


def contribution_micros(stake_cents: int, rate_bp: int) -> int:
    """What a stake adds to a meter level, exact in micros.

    >>> contribution_micros(100, 1800)
    180000
    """
    return stake_cents * rate_bp


def withheld_cents(winnings_cents: int, rate_bp: int) -> int:
    """The tax withheld of `winnings_cents`, to the nearest cent, a half up.

    >>> withheld_cents(500_101, 2400), withheld_cents(1_000_002, 2400)
    (120024, 240000)
    """
    return (2 * winnings_cents * rate_bp + BASIS_POINTS) // (2 * BASIS_POINTS)


def cut_to_cents(micros: int) -> int:
    """Whole cents in `micros`, the rest stays where it is (R21); never below 0.

    >>> cut_to_cents(1_009_999), cut_to_cents(-5)
    (100, 0)
    """
    return max(micros, 0) // MICROS_PER_CENT


def dollars(cents: int) -> str:
    """`cents` as a person reads it.

    >>> dollars(150_000), dollars(-5)
    ('$1,500.00', '-$0.05')
    """
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}${whole:,}.{rest:02d}"


def dollars_of_micros(micros: int) -> str:
    """A meter's micros as a person reads them, exact: whole cents as money, else with the digits that there are.

    >>> dollars_of_micros(10_000_180_000), dollars_of_micros(-1)
    ('$10,000.18', '-$0.000001')
    """
    cents, rest = divmod(abs(micros), MICROS_PER_CENT)
    return f"{'-' if micros < 0 else ''}{dollars(cents)}" + (f"{rest:04d}".rstrip("0") if rest else "")
