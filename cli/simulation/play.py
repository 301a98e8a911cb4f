"""A round as it is played: wagers, cards, hands and decisions in the game's order, and the settlement or a void."""

from __future__ import annotations

from collections.abc import Iterator

from cli.simulation.betting import betting
from cli.simulation.dealing import dealing, start
from cli.simulation.deciding import doubles, forfeits, raises_and_folds
from cli.simulation.house import Order
from cli.simulation.scene import Scene
from cli.simulation.setting import dealers_hand, players_hands


def play(scene: Scene) -> Iterator[Order]:
    """A round from its opening to the settlement, or to the void that ends it early; the table is busy until then."""
    yield scene.opening
    yield from betting(scene)
    if scene.happens("void_unsettled"):
        yield scene.void("a player was seated by mistake")
        return
    yield scene.order("close_betting")
    yield from start(scene)
    yield from forfeits(scene)
    yield from dealing(scene)
    if scene.round.misdealt or scene.happens("void_unsettled"):
        yield scene.void("the cards were collected")
        return
    yield from _hands(scene)
    yield from forfeits(scene)
    yield scene.order("settle")


def _hands(scene: Scene) -> Iterator[Order]:
    """Decisions and hands in the game's order; where hands are not set the decisions are all."""
    yield from doubles(scene)
    yield from raises_and_folds(scene)
    if scene.game.split is None:
        return
    for part in (dealers_hand, players_hands) if scene.game.dealer_first else (players_hands, dealers_hand):
        yield from part(scene)
