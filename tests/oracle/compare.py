"""What the product says of a round, held against what must come out; each difference is a sentence."""

from collections.abc import Iterator
from typing import Any

from tests.oracle.cards import cards_of, values
from tests.oracle.contained import contained, longest_suited_run
from tests.oracle.hands import five, low_rank
from tests.oracle.meters import CENT, LATER
from tests.oracle.outcomes import has_eights_or_better, qualifies
from tests.oracle.play import Play
from tests.oracle.room import Answer, Room
from tests.oracle.settling import Line
from tests.oracle.splits import Split

MUST_NAME = ("R1", "R9", "R22", "R23")
Document = dict[str, Any]


def differences(document: Document, answer: Answer) -> Iterator[str]:
    """Everything in which a replay document and the answer differ."""
    play = answer.play
    yield from _differ("status", document["status"], play.status)
    if play.status == "open":
        return
    yield from _lines("lines", document["lines"], answer.lines)
    yield from _lines("reversed_lines", document["reversed_lines"] or [], answer.taken_back)
    if answer.totals is not None:
        yield from _differ("totals", document["totals"], answer.totals)
        yield from _hands(document, play)


def _differ(what: str, said: object, due: object) -> Iterator[str]:
    if said != due:
        yield f"{what}: the product says {said}, due is {due}"


def _lines(what: str, said: list[Document], due: list[Line]) -> Iterator[str]:
    """In order; of one wager on one seat, tokes and backers come in any order."""
    places = [(line["seat"], line["wager"], line["for_seat"], line["kind"]) for line in said]
    yield from _differ(f"{what}, their order", places, [(x.seat, x.wager, x.for_seat, x.kind) for x in due])
    by_key = {_key_said(line): line for line in said}
    yield from _differ(f"{what}, how many", len(by_key), len(due))
    for line in due:
        found = by_key.get(_key_due(line))
        if found is None:
            yield f"{what}: none for {_key_due(line)}"
            continue
        for name, value in _figures(line).items():
            yield from _differ(f"{what}, {_key_due(line)}, {name}", found[name], value)
        if found["ruling"] in MUST_NAME or line.ruling in MUST_NAME:
            yield from _differ(f"{what}, {_key_due(line)}, ruling", found["ruling"], line.ruling)


def _key_said(line: Document) -> tuple[Any, ...]:
    keys = ("seat", "wager", "for_seat", "kind")
    return (*(line[key] for key in keys), line.get("bettor"), bool(line.get("toke")))


def _key_due(line: Line) -> tuple[Any, ...]:
    return line.seat, line.wager, line.for_seat, line.kind, line.bettor, line.toke


def _figures(line: Line) -> Document:
    return {
        "player": line.player,
        "stake_cents": line.stake,
        "outcome": line.outcome,
        "odds": line.odds if line.outcome == "win" else None,
        "won_cents": line.won,
        "returned_cents": line.returned,
        "commission_cents": line.commission,
        "net_cents": line.net,
        "paid_by": line.paid_by,
    }


def _hands(document: Document, play: Play) -> Iterator[str]:
    """How the cards were set, and what they are called."""
    dealer = document["dealer"]
    if play.game == "high_card_flush":
        yield from _differ("dealer, qualifies", dealer["qualifies"], qualifies(play.dealer))
    else:
        yield from _set("dealer", dealer, play.house_way(play.dealer), play)
    if play.game == "six_card_fortune":
        yield from _differ("dealer, qualifies", dealer["qualifies"], has_eights_or_better(play.dealer))
    yield from _differ("dealer, best", dealer["best"], best(play.dealer, play))
    for seat in document["seats"]:
        yield from _seat(seat, play)


def _seat(said: Document, play: Play) -> Iterator[str]:
    seat, what = said["seat"], f"seat {said['seat']}"
    yield from _differ(f"{what}, foul", said["foul"], play.foul(seat))
    yield from _differ(f"{what}, folded", said["folded"], seat in play.folded)
    yield from _differ(f"{what}, set_by", said["set_by"], play.set_by.get(seat))
    if seat in play.laid:
        yield from _set(what, said, play.laid[seat], play)
    else:
        yield from _differ(f"{what}, high", (said["high"], said["low"]), (None, None))
    if any(stake.seat == seat for stake in play.stakes) or seat == play.bank:
        yield from _differ(f"{what}, best", said["best"], best(play.hands[seat], play))
        if play.game == "high_card_flush":
            run = longest_suited_run(play.hands[seat], play.option("R5"))
            yield from _differ(f"{what}, straight_flush_length", said["straight_flush_length"], run)


def _set(what: str, said: Document, due: Split, play: Play) -> Iterator[str]:
    """Which of two equally ranked cards lies low is free, as long as the hands are worth the same."""
    high, low = cards_of(said["high"]), cards_of(said["low"])
    yield from _differ(f"{what}, low", values(low), values(due.low))
    yield from _differ(f"{what}, high", five(high, play.wheel), five(due.high, play.wheel))
    yield from _differ(f"{what}, high_rank", said["high_rank"], five(due.high, play.wheel)[0])
    yield from _differ(f"{what}, low_rank", said["low_rank"], low_rank(due.low))


def best(cards: tuple[str, ...], play: Play) -> str:
    """The first class of the game's list."""
    lists = {"six_card_fortune": "six_card", "high_card_flush": "flush_length"}
    return contained(cards, lists.get(play.game, "seven_card_bonus"))[0]


def balance_differences(rows: list[Document], room: Room) -> Iterator[str]:
    """Every player as he stands at the end."""
    said = {row["player"]: row for row in rows}
    due = room.balances().by_player
    yield from _differ("players", sorted(said), sorted(due))
    for player in sorted(set(said) & set(due)):
        row = due[player].row()
        yield from _differ(f"balance of {player}", {key: said[player][key] for key in row}, row)


def meter_differences(shown: dict[str, list[Document]], room: Room) -> Iterator[str]:
    """Every level as it stands at the end."""
    for (meter, name), level in room.meters.levels.items():
        said = next(row for row in shown[meter] if row["level"] == name)
        due = {
            "accrued_micros": level.accrued,
            "reserve_micros": level.reserve,
            "in_count": level.in_count,
            "hits": level.hits,
            "wins_micros": level.wins,
            "display_cents": level.shown(LATER) // CENT,
            "overflow_micros": level.overflow(),
        }
        yield from _differ(f"meter {meter}, {name}", {key: said[key] for key in due}, due)
