"""Rounds of any game, played at the table of the round tests: sheets with changes, whole deals, hands set in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

from domain import games
from domain.cards import Hand, deck, parse
from domain.games.game import Game
from domain.rounds.events import HOUSE, RoundVoided
from domain.sheets import sample
from tests.domain.rounds.table import (
    SEATS,
    Content,
    Order,
    Outcome,
    Table,
    a_house,
    close,
    deal_cards,
    dealer_sets,
    house_way,
    open_round,
    publish,
    raise_,
    set_low,
    settle,
    start,
    wagers_of,
)

Stakes = Mapping[int, Mapping[str, int]]
Said = tuple[str, str, str | None]
"""What a line says of a wager: the outcome, the cite and the ruling."""

PLAIN = {"high_card", "one_pair", "two_pair", "flush_2", "flush_3"}
INVENTED = "invented for trials, not a rule"


def sheet(
    ref: str,
    *,
    options: Mapping[str, str] | None = None,
    wagers: Mapping[str, Mapping[str, Any]] | None = None,
    lines: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
    envy: Mapping[str, Mapping[str, int]] | None = None,
    off: Sequence[str] = (),
    **changes: Any,
) -> Content:
    """The sample sheet `ref` with changes: options, keys of wagers, lines of a wager's table, wagers off, keys set.

    `envy` gives a wager an envy table of cents by hand.
    """
    content: Content = dict(sample(ref)) | changes
    content["options"] = {**content["options"], **(options or {})}
    terms = {id_: {**each, **(wagers or {}).get(id_, {})} for id_, each in content["wagers"].items() if id_ not in off}
    content["paytables"], content["envy_tables"] = dict(content["paytables"]), dict(content.get("envy_tables", {}))
    for id_, table in (lines or {}).items():
        ranking = content["paytables"][terms[id_]["paytable"]]["ranking"]
        content["paytables"][f"trial {id_}"] = {"source": INVENTED, "ranking": ranking, "lines": list(table)}
        terms[id_]["paytable"] = f"trial {id_}"
    for id_, hands in (envy or {}).items():
        table = [{"hand": hand, "cents": cents} for hand, cents in hands.items()]
        content["envy_tables"][f"trial {id_}"] = {"source": INVENTED, "lines": table}
        terms[id_]["envy"] = f"trial {id_}"
    content["wagers"] = terms
    return content


def pays(**odds: int) -> list[Mapping[str, Any]]:
    """Lines that pay so many times the stake, to 1."""
    return [{"hand": hand, "kind": "to_1", "n": n} for hand, n in odds.items()]


def open_at(content: Content, *, seats: Mapping[int, str] = SEATS) -> Table:
    """A round of the sheet's game, open for wagers; six players sit there unless `seats` says otherwise."""
    ref = f"{content['id']}@{content['version']}"
    return a_house().given(publish(content), open_round(seats=seats, game=content["game"], sheet=ref))


def whole_deal(content: Content, hands: Mapping[int, str]) -> Order:
    """A right deal: the hands given, plain ones from the rest of the deck for the other spots."""
    game, spots = game_of(content), range(content["positions"] + 1)
    given = {spot: parse(text) for spot, text in hands.items()}
    used = [card for hand in given.values() for card in hand]
    assert len(used) == len(set(used)), "a card is dealt twice"
    assert all(len(hand) == game.hand_size for hand in given.values()), "a hand of another size"
    missing = [spot for spot in spots if spot not in given]
    filled = given | dict(zip(missing, _plain(game.id, tuple(sorted(used)), len(missing)), strict=True))
    return deal_cards(filled, stub=game.deck_size - len(spots) * game.hand_size)


def dealt(
    content: Content,
    stakes: Stakes,
    hands: Mapping[int, str],
    *,
    seats: Mapping[int, str] = SEATS,
    further: Sequence[Order] = (),
    before_the_deal: Sequence[Order] = (),
) -> Table:
    """A round up to the deal: each seat's wagers, what comes `further` onto the layout, no more bets, the cards."""
    starts = [start(1)] if game_of(content).joker else []
    return open_at(content, seats=seats).given(
        *wagers_of(stakes), *further, close(), *before_the_deal, *starts, whole_deal(content, hands)
    )


def played(
    content: Content,
    stakes: Stakes,
    hands: Mapping[int, str],
    *,
    lows: Mapping[int, str] | None = None,
    decisions: Sequence[Order] = (),
    seats: Mapping[int, str] = SEATS,
    further: Sequence[Order] = (),
) -> Table:
    """A whole round up to settling.

    `decisions` come after the deal: double downs, raises, folds, forfeits. Then every hand is set the house way but
    for those whose low hand `lows` names; the banker sets last. Where hands are not split, who has not decided raises
    the ante once. Spot 0 among `lows` is the dealer, first or last as the game has it.
    """
    table = dealt(content, stakes, hands, seats=seats, further=further).given(*decisions)
    base = game_of(content).base_wager
    banker = [order.keys["seat"] for order in further if "house_wager_cents" in order.keys]
    mains = [seat for seat in sorted(stakes, reverse=True) if base in stakes[seat]]
    if game_of(content).split is None:
        decided = {order.keys["seat"] for order in decisions if order.command.NAME in ("raise", "fold")}
        return table.given(*(raise_(seat, stakes[seat][base]) for seat in mains if seat not in decided))
    own, first = lows or {}, game_of(content).dealer_first
    dealer = [dealer_sets(own[HOUSE])] if HOUSE in own else []
    hands_set = [set_low(seat, own[seat]) if seat in own else house_way(seat) for seat in [*mains, *banker]]
    return table.given(*(dealer + hands_set if first else hands_set + dealer))


def game_of(content: Content) -> Game:
    """The game that the sheet is of."""
    return games.game(content["game"])


def settled(*args: Any, **keys: Any) -> Outcome:
    """A whole round, as `played` takes it, settled."""
    return played(*args, **keys).when(settle()).accepted()


def said(outcome: Outcome, line_id: str) -> Said:
    """What a line says: the outcome, the cite and the ruling."""
    line = outcome.line(line_id)
    return line.outcome, line.cite, line.ruling


def envy_lines(outcome: Outcome) -> list[tuple[int, int | None, str | None, int]]:
    """Payee, holder, kind and cents of each envy line, in order."""
    return [(line.seat, line.for_seat, line.kind, line.won_cents) for line in outcome.settled() if line.wager == "envy"]


def went_back(outcome: Outcome) -> dict[str, int]:
    """What a void gave back, in cents by line."""
    return {each.line_id: each.stake_cents for each in outcome.one(RoundVoided).returned}


@cache
def _plain(game_id: str, used: Hand, count: int) -> list[Hand]:
    """Hands of two pairs or three suited cards at most, so that what a test does not name pays nothing by any table."""
    game, chance = games.game(game_id), Random(1)
    rest = [card for card in deck(joker=game.joker) if card not in used]
    for _ in range(5_000):
        chance.shuffle(rest)
        found = [tuple(rest[place * game.hand_size :][: game.hand_size]) for place in range(count)]
        if all(game.best(hand) in PLAIN for hand in found):
            return found
    raise AssertionError("the rest of the deck makes no plain hands")
