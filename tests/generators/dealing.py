"""The start, the deal and what goes wrong with it: exposed cards, every kind of misdeal, a shuffler that stops."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from domain.cards import show
from tests.generators.scene import Order, Scene

Hands = dict[str, str]


def start(scene: Scene) -> Iterator[Order]:
    """The starting position by the machine's number or by dice, now and then not recorded."""
    if scene.happens("no_start"):
        return
    if scene.happens("dice"):
        yield scene.order("draw_start", method="dice", dice=[scene.chance.between(1, 6) for _ in range(3)])
    else:
        yield scene.order("draw_start", method="rng", number=scene.chance.between(1, scene.sheet.positions + 1))


def dealing(scene: Scene) -> Generator[Order, None, bool]:
    """Deals every spot; returns whether the hand is good, which a misdeal is not."""
    yield from _shuffler(scene, "shuffler_before")
    order = _deal(scene)
    spoiled = scene.happens("misdeal")
    if spoiled:
        _spoil(scene, order)
    yield order
    if spoiled:
        return False
    exposed = yield from _exposures(scene)
    failed = yield from _shuffler(scene, "shuffler_after")
    return exposed <= 3 and not failed


def _deal(scene: Scene) -> Order:
    hands = {"dealer" if seat == 0 else str(seat): show(cards) for seat, cards in scene.dealt.hands.items()}
    order = scene.order("deal", hands=hands, stub=len(scene.dealt.stub))
    if scene.chance.in_thousand(300):
        order["stub_cards"] = show(scene.dealt.stub)
    return order


def _spoil(scene: Scene, order: Order) -> None:
    """Makes the deal a misdeal in one of the ways of seed 004."""
    hands: Hands = order["hands"]
    order.pop("stub_cards", None)
    seat = str(scene.chance.between(1, scene.sheet.positions))
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
            hands[seat] = " ".join([*cards, show(scene.dealt.stub[:1])])
            order["stub"] -= 1
        case _:
            hands[seat] = " ".join([*cards[:-1], hands["dealer"].split()[0]])


def _exposures(scene: Scene) -> Generator[Order, None, int]:
    """Cards seen during the deal, returns how many; the fourth makes a misdeal."""
    if not scene.happens("exposed"):
        return 0
    count = 4 if scene.happens("four_exposed") else scene.chance.between(1, 3)
    seen = [(seat, card) for seat, cards in scene.dealt.hands.items() for card in cards]
    for seat, card in scene.chance.some(seen, count):
        yield scene.order("expose_card", seat="dealer" if seat == 0 else seat, card=show((card,)))
    return count


def _shuffler(scene: Scene, habit: str) -> Generator[Order, None, bool]:
    """A card-counting error that a supervisor looks into and clears; returns whether there was one."""
    if not scene.happens(habit):
        return False
    yield scene.at_table("shuffler_error")
    yield scene.at_table("clear_shuffler", approved_by=scene.approver())
    return True
