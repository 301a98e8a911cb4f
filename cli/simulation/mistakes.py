"""Commands that a ledger refuses: what people and systems send by mistake."""

from __future__ import annotations

from cli.simulation.house import Order
from cli.simulation.scene import Scene
from domain.rounds.state import Wager


def mistake(scene: Scene) -> Order:
    """A command about the round that is refused whatever its phase."""
    seat = scene.chance.pick(list(scene.people))
    least_cents, most_cents = scene.limits(scene.base)
    main = Wager(seat, scene.base)
    match scene.chance.below(7):
        case 0:
            over_cents = scene.chance.pick((1, 500, most_cents))
            return scene.wager_order("place_wager", main, amount_cents=most_cents + over_cents)
        case 1:
            return scene.order("settle" if scene.round.phase in ("open", "closed") else "close_betting")
        case 2:
            nobody = Wager(scene.sheet.positions + 1, scene.base)
            return scene.wager_order("place_wager", nobody, amount_cents=least_cents)
        case 3:
            return scene.wager_order("place_wager", main, amount_cents=str(least_cents))
        case 4:
            alone = scene.approver()
            return scene.order("void_round", reason="the cards were collected", approved_by=alone)
        case 5:
            return scene.order("close_betting") | {"round": f"{scene.key}-X"}
        case _:
            return scene.wager_order("place_wager", main, amount_cents=least_cents, colour="green")
