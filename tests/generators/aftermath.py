"""What is said of a settled round while the table plays on: payments, corrections, jackpots, a late void."""

from __future__ import annotations

from collections.abc import Iterator

from domain.rankings import first_class, five, two
from domain.sheets import PayLine
from tests.generators.scene import Order, Scene, Split, Wager
from tests.generators.setting import house_split


def aftermath(scene: Scene) -> Iterator[Order]:
    """All of it in order; a void comes last and only where no jackpot was paid."""
    yield from _payments(scene)
    yield from _corrections(scene)
    paid = False
    for order in _jackpots(scene):
        paid = paid or order["command"] == "pay_jackpot"
        yield order
    if not paid and scene.happens("void_settled"):
        yield scene.void("surveillance saw a marked card")


def due_cents(scene: Scene, wager: Wager) -> int:
    """Won and returned, before commission, of a main or Fortune wager on a sheet without a payout limit."""
    stake_cents = scene.stakes[wager]
    if wager in scene.forfeited:
        return 0
    if wager.wager == "main":
        return stake_cents * _main_result(scene, wager.seat)
    line = _bonus_line(scene, wager)
    return 0 if line is None else stake_cents * ((line.n or 0) + 1)


def _main_result(scene: Scene, seat: int) -> int:
    """How many stakes come back: 2 for a win, 1 for a push, 0 for a loss; copies are the banker's."""
    split = scene.splits[seat]
    if split.foul:
        return 0
    against = _bank(scene)
    high = five(split.high, scene.wheel) > five(against.high, scene.wheel)
    return high + (two(split.low) > two(against.low))


def _bank(scene: Scene) -> Split:
    """The hands that mains are compared with; a banker's foul is set again the house way when the round is settled."""
    if scene.banker is None:
        return house_split(scene, scene.dealt.hands[0])
    split = scene.splits[scene.banker]
    return house_split(scene, scene.dealt.hands[scene.banker]) if split.foul else split


def _bonus_line(scene: Scene, wager: Wager) -> PayLine | None:
    """The line of its paytable that the wager wins by the seat's seven cards."""
    hands = scene.terms(wager.wager).paytable.hands
    found = first_class(scene.dealt.hands[wager.seat], hands)
    return None if found is None else hands[found]


def _exact(scene: Scene) -> list[Wager]:
    """Wagers whose result is known here; a payout limit may cut the others."""
    if scene.sheet.payout_limit_cents is not None:
        return []
    return [wager for wager in scene.stakes if wager.wager != "progressive"]


def _payments(scene: Scene) -> Iterator[Order]:
    """What the dealer really paid, right as a rule."""
    for wager in _exact(scene):
        if scene.happens("payment"):
            paid_cents = due_cents(scene, wager)
            if scene.happens("wrong_payment"):
                paid_cents += scene.chance.between(1, 2_500)
            yield scene.order("report_payment", **wager.keys(), paid_cents=paid_cents)


def _corrections(scene: Scene) -> Iterator[Order]:
    """Lines that were due something else, sometimes two or three times over; each says more than any win could be."""
    for wager in _exact(scene):
        if scene.happens("correction"):
            cents = due_cents(scene, wager) + scene.stakes[wager]
            for _ in range(scene.chance.between(1, 3)):
                cents += scene.chance.between(1, 5_000)
                yield _correction(scene, wager, cents)
            if scene.chance.in_thousand(300):
                yield _correction(scene, wager, scene.chance.between(0, cents - 1))


def _correction(scene: Scene, wager: Wager, cents: int) -> Order:
    reason = "surveillance read the hand again"
    keys = wager.keys()
    return scene.order("correct_line", **keys, due_cents=cents, reason=reason, approved_by=scene.approvers())


def _jackpots(scene: Scene) -> Iterator[Order]:
    """Winning progressive lines: validated and paid, or refused."""
    for wager in scene.stakes:
        if wager.wager != "progressive" or wager in scene.forfeited:
            continue
        line = _bonus_line(scene, wager)
        if line is None or not scene.happens("jackpot"):
            continue
        if scene.chance.in_thousand(100):
            refused = {"refused_by": scene.approver(), "reason": "the seal of the deck was broken"}
            yield scene.order("refuse_jackpot", **wager.keys(), **refused)
            continue
        signal = not scene.chance.in_thousand(80)
        yield scene.order("validate_jackpot", **wager.keys(), validated_by=scene.approver(), signal=signal)
        if scene.chance.in_thousand(850):
            yield _pay(scene, wager, line)


def _pay(scene: Scene, wager: Wager, line: PayLine) -> Order:
    """A share of the meter never comes from the rack."""
    paid_by, witness = scene.approvers()
    paid_from = "cage" if line.kind == "percent_of_meter" else scene.chance.pick(("cage", "rack"))
    slip = f"{scene.opening['round']}/{wager.seat}"
    return scene.order("pay_jackpot", **wager.keys(), slip=slip, paid_from=paid_from, paid_by=paid_by, witness=witness)
