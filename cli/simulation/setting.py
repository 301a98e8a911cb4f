"""Hands set well and badly, the floor's resets, and the dealer's own hand."""

from __future__ import annotations

from collections.abc import Iterator

from cli.simulation.house import Order
from cli.simulation.people import Person
from cli.simulation.scene import Scene
from domain.cards import Hand, show
from domain.house_ways import house_way
from domain.rounds.events import HOUSE

_TRIES = 12


def players_hands(scene: Scene) -> Iterator[Order]:
    """Every hand in play is set, a banker's last as a rule, and the floor looks at the fouls."""
    for seat in _turns(scene):
        yield from _set_hand(scene, seat)
    yield from _resets(scene)


def dealers_hand(scene: Scene) -> Iterator[Order]:
    """What the dealer does, where it is recorded: the house way, mistakes apart."""
    if scene.happens("dealer_shown"):
        cards = scene.round.hands[HOUSE]
        differs = scene.happens("dealer_differs")
        yield scene.order("set_dealer", low=show(_own_low(scene, cards) if differs else _house_low(scene, cards)))


def _turns(scene: Scene) -> list[int]:
    """The order in which hands are set: any, but where the dealer is first a player's larger main is (688a.7(f))."""
    seats = scene.in_play()
    if scene.game.dealer_first:
        return sorted(seats, key=lambda seat: (scene.round.stake_cents(seat, scene.base), seat), reverse=True)
    seats = scene.chance.shuffled(seats)
    if not scene.happens("banker_early"):
        seats.sort(key=scene.is_banker)
    return seats


def _set_hand(scene: Scene, seat: int) -> Iterator[Order]:
    cards, person = scene.round.hands[seat], scene.people[seat]
    if scene.happens("careless"):
        yield scene.order("set_hand", seat=seat, low=show(_careless_low(scene, cards)))
    elif _has_own_idea(scene, person):
        yield scene.order("set_hand", seat=seat, low=show(_own_low(scene, cards)))
    elif scene.chance.in_ten_thousand(3_000):
        yield scene.order("set_hand", seat=seat, house_way=True)
    else:
        yield scene.order("set_hand", seat=seat, low=show(_house_low(scene, cards)))


def _has_own_idea(scene: Scene, person: Person) -> bool:
    return scene.happens("own_setting") and not (person.careful and scene.chance.in_ten_thousand(8_000))


def _house_low(scene: Scene, cards: Hand) -> Hand:
    assert scene.sheet.house_way is not None
    return house_way(scene.sheet.house_way).set_hand(cards, scene.wheel).low


def _own_low(scene: Scene, cards: Hand) -> Hand:
    """Nearly the house way: one low card changed for one of the high hand, where that is no foul."""
    low = _house_low(scene, cards)
    for _ in range(_TRIES):
        given = scene.chance.pick(low)
        taken = scene.chance.pick([card for card in cards if card not in low])
        changed = tuple(taken if card == given else card for card in low)
        if not _is_foul(scene, cards, changed):
            return changed
    return low


def _careless_low(scene: Scene, cards: Hand) -> Hand:
    """Cards put down without looking, most likely a foul."""
    low: Hand = ()
    for _ in range(_TRIES):
        low = tuple(scene.chance.some(cards, scene.game.low_size))
        if _is_foul(scene, cards, low):
            break
    return low


def _is_foul(scene: Scene, cards: Hand, low: Hand) -> bool:
    assert scene.game.split is not None
    high = tuple(card for card in cards if card not in low)
    return scene.game.split.foul(high, low, wheel=scene.wheel, strict=scene.sheet.options.get("R8") == "strict")


def _resets(scene: Scene) -> Iterator[Order]:
    """Fouls that the floor resets: where the sheet lets it, the house banks and the dealer's hand is not set (R10)."""
    round_ = scene.round
    if scene.sheet.options.get("R10") != "lose_or_reset" or round_.bank is not None or round_.dealer_set is not None:
        return
    for seat in [seat for seat, hand in round_.set_hands.items() if hand.foul]:
        if scene.happens("floor_resets"):
            yield scene.order("reset_hand", seat=seat, approved_by=scene.approver())
