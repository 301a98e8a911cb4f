"""The start, the deal and what goes wrong with it: exposed cards, every kind of misdeal, a shuffler that stops."""

from __future__ import annotations

from collections.abc import Iterator

from cli.simulation.decks import Dealt, deal
from cli.simulation.house import Order
from cli.simulation.scene import Scene
from domain.cards import JOKER, show
from domain.rounds.events import HOUSE

_SOME_EXPOSED, _MANY_EXPOSED = 3, 4


def start(scene: Scene) -> Iterator[Order]:
    """The starting position by the machine's number or by dice, now and then not recorded; joker games have one."""
    if not scene.game.joker or scene.happens("no_start"):
        return
    if scene.happens("dice"):
        yield scene.order("draw_start", method="dice", dice=[scene.chance.between(1, 6) for _ in range(3)])
    else:
        yield scene.order("draw_start", method="rng", number=scene.chance.between(1, scene.sheet.positions + 1))


def dealing(scene: Scene) -> Iterator[Order]:
    """Deals every spot; the round may be a misdeal afterwards."""
    yield from _shuffler(scene, "shuffler_before")
    dealt = deal(scene.chance, scene.game, scene.sheet.positions, bias=scene.evening.bias)
    order = _deal(scene, dealt)
    if scene.happens("misdeal"):
        _spoil(scene, order, dealt)
    yield order
    if not scene.round.misdealt:
        yield from _exposures(scene)
    if not scene.round.misdealt:
        yield from _shuffler(scene, "shuffler_after")


def _deal(scene: Scene, dealt: Dealt) -> Order:
    hands = {_spot(seat): show(cards) for seat, cards in dealt.hands.items()}
    order = scene.order("deal", hands=hands, stub=len(dealt.stub))
    if scene.chance.in_ten_thousand(2_000):
        order["stub_cards"] = show(dealt.stub)
    return order


def _spoil(scene: Scene, order: Order, dealt: Dealt) -> None:
    """Makes the deal a misdeal in one of the ways in which a deck or a dealer fails (seed 004, Misdealt Hands)."""
    hands: dict[str, str] = order["hands"]
    order.pop("stub_cards", None)
    seat = _spot(scene.chance.between(1, scene.sheet.positions))
    cards = hands[seat].split()
    match scene.chance.below(5):
        case 0:
            order["stub"] += scene.chance.pick((-1, 1))
        case 1:
            del hands[seat]
            order["stub"] += len(cards)
        case 2:
            hands[seat] = " ".join(cards[:-1])
            order["stub"] += 1
        case 3:
            hands[seat] = " ".join([*cards, show(dealt.stub[:1])])
            order["stub"] -= 1
        case _:
            wrong = hands[_spot(HOUSE)].split()[0] if scene.game.joker else show((JOKER,))
            hands[seat] = " ".join([*cards[:-1], wrong])


def _exposures(scene: Scene) -> Iterator[Order]:
    """Cards seen during the deal; more than the game's limit make a misdeal, after which nobody counts on."""
    if not scene.happens("exposed"):
        return
    count = _MANY_EXPOSED if scene.happens("many_exposed") else scene.chance.between(1, _SOME_EXPOSED)
    seen = [(seat, card) for seat, cards in scene.round.hands.items() for card in cards]
    for seat, card in scene.chance.some(seen, count):
        spot = seat if seat != HOUSE else _spot(HOUSE)
        yield scene.order("expose_card", seat=spot, card=show((card,)))
        if scene.round.misdealt:
            return


def _shuffler(scene: Scene, habit: str) -> Iterator[Order]:
    """A card-counting error that a supervisor looks into and clears; after the deal it spoils the hand."""
    if scene.happens(habit):
        yield scene.at_table("shuffler_error")
        yield scene.at_table("clear_shuffler", approved_by=scene.approver())


def _spot(seat: int) -> str:
    return "dealer" if seat == HOUSE else str(seat)
