"""What a paytable gives back on average: every line's chance as a fraction, and from them the house's edge."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from domain.odds.distributions import Distribution, Terms, distribution
from domain.sheets.sheet import EnvyTable, PayLine, Paytable


@dataclass(frozen=True, slots=True)
class LineOdds:
    """How often a line is the one paid: on `deals` of the table's total.

    `gives_back` is what the line adds to the average return of one unit staked, the stake counted where it is returned;
    None where that is not known: a share of a meter, or a fixed amount for a stake that may vary.
    """

    line: PayLine
    deals: int
    chance: Fraction
    gives_back: Fraction | None


@dataclass(frozen=True, slots=True)
class TableOdds:
    """A paytable's lines in its own order, and the deals on which no line is paid, which lose.

    `gives_back` adds up the lines whose share is known. `house_edge` is what the house keeps of one unit staked on
    average; None while some line's share is not known.
    """

    counted: Distribution
    lines: tuple[LineOdds, ...]
    losing_deals: int
    losing_chance: Fraction
    gives_back: Fraction
    house_edge: Fraction | None


@dataclass(frozen=True, slots=True)
class EnvyLineOdds:
    """How often another hand brings a line of an envy table, and the cents that adds to the average."""

    hand: str
    cents: int
    deals: int
    chance: Fraction
    gives_cents: Fraction


@dataclass(frozen=True, slots=True)
class EnvyOdds:
    """An envy table's lines, and the average cents that each other hand in play is worth."""

    counted: Distribution
    lines: tuple[EnvyLineOdds, ...]
    gives_cents: Fraction


def table_odds(table: Paytable, terms: Terms | None = None, stake_cents: int | None = None) -> TableOdds:
    """The exact odds of a paytable: of the classes that a deal holds, the first that has a line is paid.

    `stake_cents` is the stake where only one is allowed; lines of a fixed amount need it. Raises NoOdds for a table of
    the list `win`, whose wagers depend on play, and where no counts are shipped for these terms.
    """
    counted = distribution(table.ranking, terms)
    paid = counted.first_classes(table.hands)
    lines = tuple(_line_odds(line, paid[line.hand], counted.total, stake_cents) for line in table.lines)
    known = [each.gives_back for each in lines if each.gives_back is not None]
    gives_back = sum(known, Fraction(0))
    return TableOdds(
        counted=counted,
        lines=lines,
        losing_deals=paid[None],
        losing_chance=Fraction(paid[None], counted.total),
        gives_back=gives_back,
        house_edge=1 - gives_back if len(known) == len(lines) else None,
    )


def _line_odds(line: PayLine, deals: int, total: int, stake_cents: int | None) -> LineOdds:
    chance = Fraction(deals, total)
    returns = _returns(line, stake_cents)
    return LineOdds(line, deals, chance, None if returns is None else chance * returns)


def _returns(line: PayLine, stake_cents: int | None) -> Fraction | None:
    """What the line returns for one unit staked: `to 1` returns the stake too, all others keep it."""
    match line:
        case PayLine(kind="to_1", n=int(n)):
            return Fraction(n + 1)
        case PayLine(kind="for_1", n=int(n)):
            return Fraction(n)
        case PayLine(kind="fixed", cents=int(cents)) if stake_cents is not None:
            return Fraction(cents, stake_cents)
    return None


def envy_odds(table: EnvyTable, ranking: str, terms: Terms | None = None) -> EnvyOdds:
    """The exact odds of an envy table, looked up in the list of its wager's paytable. Raises NoOdds as `table_odds`."""
    counted = distribution(ranking, terms)
    paid = counted.first_classes(table.cents)
    lines = tuple(_envy_line(hand, cents, paid[hand], counted.total) for hand, cents in table.cents.items())
    return EnvyOdds(counted, lines, sum((each.gives_cents for each in lines), Fraction(0)))


def _envy_line(hand: str, cents: int, deals: int, total: int) -> EnvyLineOdds:
    chance = Fraction(deals, total)
    return EnvyLineOdds(hand, cents, deals, chance, chance * cents)
