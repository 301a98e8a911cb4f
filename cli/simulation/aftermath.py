"""What is said of a settled round while the table plays on: payments, corrections, jackpots, a late void."""

from __future__ import annotations

from collections.abc import Iterator

from cli.simulation.house import Order
from cli.simulation.scene import Scene
from domain.rounds.claims import won_now_cents
from domain.rounds.events import WagerSettled

_CORRECTED_FOR = ("surveillance read the hand again", "the odds were misread", "the wrong hand was taken")
_VOIDED_FOR = ("surveillance saw a marked card", "a card of another deck was found in the rack")


def aftermath(scene: Scene) -> Iterator[Order]:
    """All of it in order; a void comes last and only where no jackpot was paid."""
    lines = list(scene.round.lines.values())
    yield from _payments(scene, lines)
    yield from _corrections(scene, lines)
    yield from _jackpots(scene, lines)
    if not scene.round.jackpots_paid and scene.happens("void_settled"):
        yield scene.void(scene.chance.pick(_VOIDED_FOR))


def _about(scene: Scene, command: str, line: WagerSettled) -> Order:
    """A command that names the line."""
    named: Order = {"seat": line.seat, "wager": line.wager}
    named |= {key: value for key in ("bettor", "for_seat", "kind") if (value := getattr(line, key)) is not None}
    return scene.order(command, **named, **({"toke": True} if line.toke else {}))


def _payments(scene: Scene, lines: list[WagerSettled]) -> Iterator[Order]:
    """What the dealer really paid, right as a rule; else a chip too many or too few, or a stake for nothing."""
    for line in lines:
        paid_cents = line.won_cents + line.returned_cents
        wrong = scene.happens("wrong_payment")
        if scene.happens("payment") and (paid_cents or wrong):
            if wrong:
                paid_cents = max(paid_cents + scene.chance.pick((-500, -100, 100, 500, line.stake_cents)), 0)
            yield _about(scene, "report_payment", line) | {"paid_cents": paid_cents}


def _corrections(scene: Scene, lines: list[WagerSettled]) -> Iterator[Order]:
    """Lines that surveillance reads as won, lost or pushed after all; sometimes it reads them again."""
    for line in lines:
        if line.player is None or not scene.happens("correction"):
            continue
        for _ in range(scene.chance.pick((1, 1, 1, 1, 2))):
            known_cents = scene.round.due_cents[line.line_id]
            results = (0, line.stake_cents, 2 * line.stake_cents, line.won_cents, known_cents + 500)
            due_cents = scene.chance.pick([cents for cents in results if cents != known_cents])
            approved = {"reason": scene.chance.pick(_CORRECTED_FOR), "approved_by": scene.approvers()}
            yield _about(scene, "correct_line", line) | {"due_cents": due_cents} | approved


def _jackpots(scene: Scene, lines: list[WagerSettled]) -> Iterator[Order]:
    """Winning progressive lines: validated and paid, or refused, or never asked for."""
    metered = {rule.id for rule in scene.game.wagers if rule.meter}
    for line in lines:
        if line.wager not in metered or line.outcome != "win" or not scene.happens("claimed"):
            continue
        if scene.happens("claim_refused"):
            refused = {"refused_by": scene.approver(), "reason": "the seal of the deck was broken"}
            yield _about(scene, "refuse_jackpot", line) | refused
            continue
        signal = not scene.happens("no_light")
        yield _about(scene, "validate_jackpot", line) | {"validated_by": scene.approver(), "signal": signal}
        asked_for = scene.happens("claim_paid")
        # A line that was corrected to nothing is validated, but no longer paid.
        if asked_for and (won_now_cents(line, scene.round) or not line.won_cents):
            yield _about(scene, "pay_jackpot", line) | _payment(scene, line)


def _payment(scene: Scene, line: WagerSettled) -> Order:
    """A share of the meter never comes from the rack (670a.11(h)(3)(i)(B)(IV))."""
    paid_by, witness = scene.approvers()
    paid_from = "cage" if line.paid_by == "meter" else scene.chance.pick(("cage", "rack"))
    return {"slip": f"{scene.key}/{line.line_id}", "paid_from": paid_from, "paid_by": paid_by, "witness": witness}
