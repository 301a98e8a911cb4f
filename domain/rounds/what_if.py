"""What a settled round would have come to under another sheet or house way. Nothing of it is ever recorded.

The play stays as it was: stakes, cards, and hands that players set. Hands that the house way set are set by the other
one. Limits of stakes are not asked again, and meters stand as the recorded hits found them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from domain.desk import PublishedSheet
from domain.house_ways import house_way
from domain.meters import Meter
from domain.rounds.decide import scene_of
from domain.rounds.events import Event, RoundOpened, RoundSettled, RoundVoided, WagerSettled
from domain.rounds.recheck import OnlyTheSheet, begins_settling, meters_before
from domain.rounds.refusals import HandNotSet
from domain.rounds.scene import Scene
from domain.rounds.settlement import settle
from domain.rounds.state import Round, SetHands
from domain.sheets import Sheet


class Otherwise(NamedTuple):
    """What is changed in thought: the sheet, the house way, or both; None leaves it as it was."""

    sheet: Sheet | None = None
    house_way: str | None = None


class Pair(NamedTuple):
    """A line as it was settled and as it would have been; None where it is no line of that settlement."""

    was: WagerSettled | None
    would_be: WagerSettled | None

    @property
    def line(self) -> WagerSettled:
        """Either, to know which line it is."""
        found = self.was or self.would_be
        assert found is not None
        return found

    @property
    def difference_cents(self) -> int:
        """What the player would have more."""
        return (self.would_be.net_cents if self.would_be else 0) - (self.was.net_cents if self.was else 0)


class OtherGame(ValueError):
    """The other sheet or house way is of another game than the round."""


class NotComputable(ValueError):
    """The round cannot be settled so; the message says why."""


def what_if(
    events: Sequence[Event], pinned: PublishedSheet, meters: Mapping[str, Meter], other: Otherwise
) -> list[Pair] | None:
    """Every line of a settled round beside what it would have been, in settling order; None where it does not count.

    `events` is the whole stream, `meters` the terms of the meters that it hit. A voided round and one that is not
    settled do not count. Raises OtherGame and NotComputable.
    """
    settled = next((place for place, event in enumerate(events) if isinstance(event, RoundSettled)), None)
    if settled is None or any(isinstance(event, RoundVoided) for event in events):
        return None
    recorded = [event for event in events[:settled] if isinstance(event, WagerSettled)]
    before = _before_settling(events)
    scene = _changed(before, pinned, other)
    hits = [line.hit for line in recorded if line.hit is not None]
    try:
        computed = settle(scene, meters_before(hits, meters))
    except KeyError as missing:
        raise NotComputable(f"it would hit {missing.args[0]}, whose reading then is not in the round") from None
    except HandNotSet as missing:
        raise NotComputable(str(missing)) from None
    return list(_paired(recorded, [event for event in computed if isinstance(event, WagerSettled)]))


def _before_settling(events: Sequence[Event]) -> Round:
    """The round as its settlement found it."""
    opened = events[0]
    assert isinstance(opened, RoundOpened)
    round_ = Round(opened)
    for event in events[1:]:
        if begins_settling(event):
            break
        round_.evolve(event)
    return round_


def _changed(round_: Round, pinned: PublishedSheet, other: Otherwise) -> Scene:
    scene = scene_of(round_, OnlyTheSheet(pinned))
    sheet = other.sheet or scene.sheet
    if sheet.game != scene.game.id:
        raise OtherGame(f"sheet {sheet.ref} is of {sheet.game}, round {round_.key} of {scene.game.id}")
    if other.house_way is not None:
        _check_house_way(other.house_way, scene)
        sheet = replace(sheet, house_way=other.house_way)
    changed = replace(scene, sheet=sheet)
    _check_offered(changed)
    for seat, hands in round_.set_hands.items():
        round_.set_hands[seat] = _set_again(seat, hands, changed)
    return changed


def _check_house_way(name: str, scene: Scene) -> None:
    if scene.game.split is None or scene.game.hand_size != house_way(name).HAND_SIZE:
        raise OtherGame(f"house way {name} sets {house_way(name).HAND_SIZE} cards, not the hands of {scene.game.id}")


def _check_offered(scene: Scene) -> None:
    """The other sheet must know everything that was played."""
    missing = sorted({wager.wager for wager in scene.round.stakes} - set(scene.sheet.wagers))
    if missing:
        raise NotComputable(f"sheet {scene.sheet.ref} does not offer {', '.join(missing)}")
    if scene.round.bank is not None and not scene.sheet.player_bank:
        raise NotComputable(f"a player banked, and under sheet {scene.sheet.ref} nobody does")


def _set_again(seat: int, hands: SetHands, scene: Scene) -> SetHands:
    """The hands of a seat under the other rules: a foul by the other's order of hands, the house way by the other's."""
    if hands.set_by == "player":
        foul = scene.split.foul(hands.high, hands.low, wheel=scene.wheel, strict=scene.strict)
        return hands._replace(foul=foul)
    setting = scene.set_the_house_way(scene.round.hands[seat])
    return hands._replace(high=setting.high, low=setting.low, rule=setting.rule)


def _paired(was: Iterable[WagerSettled], would_be: Iterable[WagerSettled]) -> Iterator[Pair]:
    """Lines of the same id together, in the settling order of the computed ones, those that are gone at the end."""
    left = {line.line_id: line for line in was}
    for line in would_be:
        yield Pair(left.pop(line.line_id, None), line)
    for line in left.values():
        yield Pair(line, None)
