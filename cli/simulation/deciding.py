"""Decisions on cards seen: doubling down, raising and folding, and wagers that somebody leaves behind."""

from __future__ import annotations

from collections.abc import Iterator

from cli.simulation.house import Order
from cli.simulation.scene import Scene
from domain.cards import Hand


def doubles(scene: Scene) -> Iterator[Order]:
    """Players who double down, where the game and the sheet offer it."""
    if "double_down" not in scene.game.decisions or "double_down" not in scene.sheet.wagers:
        return
    for seat in scene.in_play():
        stake_cents = scene.round.stake_cents(seat, scene.base)
        if stake_cents and scene.happens("double_down") and _has(scene, seat, stake_cents):
            yield scene.order("double_down", seat=seat)


def raises_and_folds(scene: Scene) -> Iterator[Order]:
    """Every hand raises or folds, in any order."""
    if "raise" not in scene.game.decisions:
        return
    for seat in scene.chance.shuffled(scene.in_play()):
        stake_cents = scene.round.stake_cents(seat, scene.base)
        good = _is_good(scene, scene.round.hands[seat])
        if good != scene.happens("contrary") and _has(scene, seat, stake_cents):
            yield scene.order("raise", seat=seat, amount_cents=_raise_cents(scene, seat, stake_cents))
        else:
            yield scene.order("fold", seat=seat)


def forfeits(scene: Scene) -> Iterator[Order]:
    """A player who left: one wager of his, or all of that id on the seat (R23)."""
    for seat in scene.people:
        standing = [wager for wager in scene.round.stakes if wager.seat == seat]
        left = [wager for wager in standing if wager not in scene.round.forfeited]
        if left and scene.happens("forfeit"):
            wager = scene.chance.pick(left)
            reason = "the player left the table"
            yield scene.wager_order("forfeit", wager, approved_by=[scene.approver()], reason=reason)


def _is_good(scene: Scene, cards: Hand) -> bool:
    """Sense at these tables: a hand is worth a raise when it would qualify as the dealer's."""
    return scene.game.qualifies is None or scene.game.qualifies(cards, scene.wheel)


def _raise_cents(scene: Scene, seat: int, ante_cents: int) -> int:
    """As many antes as the hand allows and the player has; where any amount goes, sometimes an odd one (R18)."""
    assert scene.game.most_antes is not None
    most = scene.game.most_antes(scene.round.hands[seat])
    antes = max(antes for antes in range(1, most + 1) if antes == 1 or _has(scene, seat, antes * ante_cents))
    if scene.sheet.options.get("R18") == "any_amount" and scene.chance.in_ten_thousand(5_000):
        return scene.chance.between(ante_cents, antes * ante_cents)
    return ante_cents * (antes if scene.chance.in_ten_thousand(8_000) else 1)


def _has(scene: Scene, seat: int, cents: int) -> bool:
    return scene.book.chips_cents(scene.people[seat].name) >= cents
