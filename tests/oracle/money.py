"""Commission and paytables: what a wager wins, gets back and leaves with the house, in whole cents."""

from typing import Any, NamedTuple

Table = dict[str, Any]


class Pay(NamedTuple):
    """What one wager comes to. `percent` and `level` are set where a meter has to say how much is won."""

    outcome: str
    won: int = 0
    returned: int = 0
    odds: str | None = None
    percent: int = 0
    meter: str | None = None
    level: str | None = None


def lost() -> Pay:
    """The stake is gone."""
    return Pay("lose")


def pushed(stake: int) -> Pay:
    """A tie: the stake goes back."""
    return Pay("push", returned=stake)


def given_back(stake: int) -> Pay:
    """The stake goes back without a comparison."""
    return Pay("returned", returned=stake)


def line_for(table: Table, classes: tuple[str, ...]) -> dict[str, Any] | None:
    """The line of the first class that the table has."""
    for name in classes:
        for line in table["lines"]:
            if line["hand"] == name:
                return dict(line)
    return None


def paid(table: Table, classes: tuple[str, ...], stake: int) -> Pay:
    """INTERFACE, "Sheet format": what the table gives for cards with these classes."""
    line = line_for(table, classes)
    if line is None:
        return lost()
    kind = line["kind"]
    if kind == "to_1":
        n = line["n"]
        return pushed(stake) if n == 0 else Pay("win", n * stake, stake, f"{n} to 1")
    if kind == "for_1":
        return Pay("win", line["n"] * stake, 0, f"{line['n']} for 1")
    if kind == "fixed":
        return Pay("win", line["cents"], 0, "fixed")
    # The contract names the level; where the line names a meter too, that is said.
    odds = f"{line['percent']}% of {line['level']}" + (f" of {line['meter']}" if "meter" in line else "")
    return Pay("win", 0, 0, odds, line["percent"], line.get("meter"), line["level"])


def commission(won: int, terms: dict[str, Any] | None) -> int:
    """R12: `half_up` to the cent, or `up_to_quarter`, where an exact quarter stays."""
    if not terms:
        return 0
    ten_thousandths = won * int(terms["bp"])
    if terms.get("rounding", "half_up") == "half_up":
        cents, rest = divmod(ten_thousandths, 10_000)
        return cents + (1 if rest * 2 >= 10_000 else 0)
    quarters, rest = divmod(ten_thousandths, 25 * 10_000)
    return 25 * (quarters + (1 if rest else 0))
