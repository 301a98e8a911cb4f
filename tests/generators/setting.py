"""Hands set well and badly, the floor's resets, abandoned wagers, and the dealer's own hand."""

from __future__ import annotations

from collections.abc import Iterator

from domain.cards import Hand, show
from domain.house_ways import house_way
from domain.rankings import is_foul
from tests.generators.scene import Order, Scene, Split


def setting(scene: Scene) -> Iterator[Order]:
    """Every hand in play is set, a banker's last as a rule; then the dealer's, where it is shown."""
    seats = scene.chance.shuffled(scene.in_play())
    if scene.banker is not None and not scene.happens("banker_early"):
        seats.sort(key=lambda seat: seat == scene.banker)
    for seat in seats:
        yield from _set_hand(scene, seat)
    yield from _resets(scene)
    yield from _forfeits(scene)
    if scene.happens("dealer_shown"):
        yield scene.order("set_dealer", low=show(_dealer_low(scene)))


def house_split(scene: Scene, cards: Hand) -> Split:
    """The cards as the sheet's house way sets them."""
    assert scene.sheet.house_way is not None
    set_ = house_way(scene.sheet.house_way).set_hand(cards, scene.wheel)
    return Split(set_.high, set_.low)


def _set_hand(scene: Scene, seat: int) -> Iterator[Order]:
    cards = scene.dealt.hands[seat]
    if scene.happens("own_setting"):
        scene.splits[seat] = _legal_split(scene, cards)
    elif scene.happens("careless"):
        scene.splits[seat] = _random_split(scene, cards)
    else:
        scene.splits[seat] = house_split(scene, cards)
        if scene.chance.in_thousand(500):
            yield scene.order("set_hand", seat=seat, house_way=True)
            return
    yield scene.order("set_hand", seat=seat, low=show(scene.splits[seat].low))


def _random_split(scene: Scene, cards: Hand) -> Split:
    low = tuple(scene.chance.some(cards, 2))
    high = tuple(card for card in cards if card not in low)
    return Split(high, low, is_foul(high, low, wheel=scene.wheel, strict=scene.sheet.options["R8"] == "strict"))


def _legal_split(scene: Scene, cards: Hand) -> Split:
    """Any split that is no foul; the house way where a dozen tries find none."""
    for _ in range(12):
        split = _random_split(scene, cards)
        if not split.foul:
            return split
    return house_split(scene, cards)


def _resets(scene: Scene) -> Iterator[Order]:
    """Fouls that the floor resets the house way, where the sheet lets it and the house banks (R10)."""
    if scene.sheet.options["R10"] != "lose_or_reset" or scene.banker is not None:
        return
    for seat, split in scene.splits.items():
        if split.foul and scene.happens("floor_resets"):
            scene.splits[seat] = house_split(scene, scene.dealt.hands[seat])
            yield scene.order("reset_hand", seat=seat, approved_by=scene.approver())


def _forfeits(scene: Scene) -> Iterator[Order]:
    """A player who left: one wager of his, or all of that id on the seat (R23)."""
    for seat in scene.players:
        standing = [wager for wager in scene.stakes if wager.seat == seat]
        if standing and scene.happens("forfeit"):
            wager = scene.chance.pick(standing)
            if wager.own:
                scene.forfeited += [each for each in standing if each.wager == wager.wager]
            else:
                scene.forfeited.append(wager)
            reason = "the player left the table"
            yield scene.order("forfeit", **wager.keys(), approved_by=[scene.approver()], reason=reason)


def _dealer_low(scene: Scene) -> Hand:
    cards = scene.dealt.hands[0]
    if scene.happens("dealer_differs"):
        return _legal_split(scene, cards).low
    return house_split(scene, cards).low
