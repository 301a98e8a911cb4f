"""The options that choose rounds, for every command that goes over many, and what a person may write in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from cli import completing
from cli.completing import Complete
from cli.errors import Misused
from cli.meant import did_you_mean
from cli.tables import clean

if TYPE_CHECKING:
    from ledger.service import Ledger
    from projections.filters import Filters

Given = Mapping[str, Any]
"""What the options gave by their parameters' names; None where one was left out."""


class _Filter(NamedTuple):
    option: str
    metavar: str
    says: str
    choices: tuple[str, ...] = ()
    complete: Complete | None = None


_FILTERS = (
    _Filter("--property", "PROPERTY", "Only this property.", complete=completing.properties),
    _Filter("--table", "TABLE", "Only this table.", complete=completing.tables),
    _Filter("--day", "DAY", "Only this gaming day, such as 2026-05-04.", complete=completing.days),
    _Filter(
        "--from", "TIME", "Opened at or after: '2026-05-04 21:30' or a gaming day; with --day a time such as 21:30."
    ),
    _Filter("--to", "TIME", "Opened at or before."),
    _Filter("--around", "TIME", "Opened about then: 21:30 or 9:30pm on the property's clock, on any day, or a --from."),
    _Filter("--within", "LENGTH", "How far from --around, such as 20m or 1h.  [else 30m]"),
    _Filter("--seat", "N", "Only where seat N was taken, and what else is said of a seat or line is of seat N."),
    _Filter(
        "--player", "PLAYER", "Only rounds with a seat or a backed wager of the player.", complete=completing.players
    ),
    _Filter("--dealer", "DEALER", "Only this dealer's rounds.", complete=completing.dealers),
    _Filter("--wager", "WAGER", "Only with a settled line of it: fortune, envy ...", complete=completing.wagers),
    _Filter("--hand", "HAND", "Only where a seat was dealt it: flush_5, 'four eights' ...", complete=completing.hands),
    _Filter("--won", "DOLLARS", "Only where a line won so much, its stake aside: 100..500, 1000.. or 250."),
    _Filter("--outcome", "", "Only with such a line.", ("win", "lose", "push", "returned", "forfeited")),
    _Filter("--finding", "CODE", "Only with this finding, such as hand.foul.", complete=completing.findings),
    _Filter("--deck", "DECK", "Only rounds dealt from this deck.", complete=completing.decks),
    _Filter("--game", "GAME", "Only this game, as `rounds game list` has it.", complete=completing.games),
    _Filter("--status", "", "Only such rounds.", ("open", "settled", "voided")),
)


def filter_options(command: Callable[..., Any], without: Collection[str] = ()) -> Callable[..., Any]:
    """The options that choose rounds, but those that the command has for something else."""
    for each in reversed(_FILTERS):
        if each.option not in without:
            command = click.option(
                each.option,
                _parameter(each.option),
                type=click.Choice(each.choices)
                if each.choices
                else click.IntRange(min=0)
                if each.metavar == "N"
                else None,
                metavar=None if each.choices else each.metavar,
                help=each.says,
                shell_complete=each.complete,
            )(command)
    return command


def _parameter(option: str) -> str:
    name = option[2:]
    return "from_" if name == "from" else name


def named(given: Given) -> Iterator[tuple[str, str]]:
    """The filters given: each option with its value as text."""
    for each in _FILTERS:
        value = given.get(_parameter(each.option))
        if value is not None:
            yield each.option, str(value)


def filters(ledger: Ledger, given: Given) -> Filters:
    """The filters that the options say; misused where one cannot be read. Times are on the property's own clock."""
    from projections.filters import Filters

    return Filters(
        property=given.get("property"),
        table=given.get("table"),
        day=read_day(given.get("day")),
        player=given.get("player"),
        dealer=given.get("dealer"),
        game=given.get("game"),
        status=given.get("status"),
        finding=given.get("finding"),
        deck=given.get("deck"),
        windows=_windows(ledger, given),
        seat=given.get("seat"),
        hand=_hand(given.get("hand")),
        wager=_wager(given.get("wager")),
        outcome=given.get("outcome"),
        won=None if given.get("won") is None else won(given["won"]),
    )


def read_day(text: str | None) -> str | None:
    """The gaming day that an option names, such as 2026-05-04; misused where it is no date."""
    from datetime import date

    if text is None:
        return None
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise Misused("day.invalid", f"{text!r} is no date; write it like 2026-05-04") from None


def _windows(ledger: Ledger, given: Given) -> Any:
    first, last, around = given.get("from_"), given.get("to"), given.get("around")
    if around is None and given.get("within") is not None:
        raise Misused("time.invalid", "--within says how far from --around; give --around too")
    if first is None and last is None and around is None:
        return None
    from projections.windows import Asked, windows

    asked = Asked(given.get("property"), read_day(given.get("day")), first, last, around, given.get("within"))
    try:
        return windows(ledger, asked)
    except ValueError as error:
        raise Misused("time.invalid", str(error)) from None


def _hand(text: str | None) -> Any:
    from projections.hand_words import hand_meant

    if text is None:
        return None
    try:
        return hand_meant(text)
    except ValueError as error:
        raise Misused("hand.unknown", str(error)) from None


def _wager(text: str | None) -> str | None:
    from projections.filters import wager_ids
    from projections.suggesting import nearest

    if text is None or text in wager_ids():
        return text
    near = nearest(text, wager_ids())
    hint = did_you_mean(near, f"there are {', '.join(wager_ids())}")
    raise Misused("wager.unknown", f"no wager {text!r}; {hint}")


_DOLLARS = re.compile(r"\$?(\d{1,3}(?:,\d{3})+|\d{1,10})(?:\.(\d{2}))?")


def won(text: str) -> tuple[int, int | None]:
    """The least and the most cents of a range of dollars; a win is at least a cent.

    >>> won("100..500"), won("$1,000.."), won("12.50")
    ((10000, 50000), (100000, None), (1250, 1250))
    """
    least, dots, most = text.strip().partition("..")
    if not dots:
        return _cents(text, least), _cents(text, least)
    low = _cents(text, least) if least else 1
    high = _cents(text, most) if most else None
    if high is not None and high < low:
        raise Misused("won.invalid", f"{text!r} ends below where it begins; write the smaller amount first")
    return low, high


def _cents(whole: str, text: str) -> int:
    found = _DOLLARS.fullmatch(text.strip())
    if found is None:
        raise Misused("won.invalid", f"{whole!r} is no range of dollars; write it like 100..500, 1000.., ..50 or 12.50")
    return int(found[1].replace(",", "")) * 100 + int(found[2] or 0)


def say_nothing_found(ledger: Ledger, given: Given) -> str:
    """That no round was found, which filters find none even alone, and what may have been meant by them.

    Where each finds some alone, it says without which one of them there are some.
    """
    barren = [(option, value) for option, value in named(given) if _is_barren(ledger, given, option)]
    if not barren:
        without = [
            f"without {option} {clean(value)}" for option, value in named(given) if _spares(ledger, given, option)
        ]
        return f"no such rounds; there are some {' or '.join(without)}" if without else "no such rounds"
    named_ones = " or ".join(f"{option} {clean(value)}" for option, value in barren)
    return f"no such rounds; no round at all has {named_ones}{_meant(ledger, given, barren)}"


def _is_barren(ledger: Ledger, given: Given, option: str) -> bool:
    """Whether the filter finds nothing alone; times are asked together with the day that they are on."""
    from projections.rounds import list_rounds

    alone = {"--within": ("around", "within", "day"), "--around": ("around", "within", "day")}
    timed = {"--from": ("from_", "day"), "--to": ("to", "day")} | alone
    kept = timed.get(option, (_parameter(option),))
    if option == "--within":
        return False
    return not list_rounds(ledger, filters(ledger, {name: given.get(name) for name in kept}), limit=1).rows


def _spares(ledger: Ledger, given: Given, option: str) -> bool:
    """Whether there are rounds with every filter but this one."""
    from projections.rounds import list_rounds

    if option in ("--within", "--day"):
        return False
    left_out = {"--around": ("around", "within")}.get(option, (_parameter(option),))
    kept = {name: value for name, value in given.items() if name not in left_out}
    return bool(any(kept.values()) and list_rounds(ledger, filters(ledger, kept), limit=1).rows)


_NAMED = ("property", "table", "day", "player", "dealer", "finding", "deck", "game")


def _in_the_evening(time: str) -> str | None:
    """The hour after noon of a time of day before it, as somebody means who says half past nine: 21:30 for 9:30."""
    found = re.fullmatch(r"0?(\d|1[01]):(\d\d)", time.strip())
    return None if found is None else f"{int(found[1]) + 12}:{found[2]}"


def _meant(ledger: Ledger, given: Given, barren: list[tuple[str, str]]) -> str:
    from projections.suggesting import few_names, similar_names

    hints = []
    for option, value in barren:
        if option == "--around" and (later := _in_the_evening(value)) is not None:
            if not _is_barren(ledger, {**given, "around": later}, option):
                hints.append(f"did you mean {option} {later}?")
        elif option[2:] in _NAMED:
            near = similar_names(ledger, option[2:], value)
            if near:
                hints.append(f"did you mean {option} {' or '.join(map(clean, near))}?")
            elif known := few_names(ledger, option[2:]):
                hints.append(f"there are {', '.join(map(clean, known))}")
    return f"; {' '.join(hints)}" if hints else ""
