"""A must-hit-by mystery that a round hit: the secret is told after settling, and whose wager passed the trigger wins.

The winner and the amount are in the round's own contributions, so they are the same however late the secret is told.
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from domain.commands import RevealMystery
from domain.errors import Refusal
from domain.meters import Level, Mystery
from domain.money import MICROS_PER_CENT, cut_to_cents, dollars_of_micros
from domain.mystery import commitment_of, trigger_of
from domain.rounds.events import ContributionTaken, Event, Hit, MysteryMark, MysteryRevealed, WagerSettled
from domain.rounds.scene import Scene
from domain.rounds.state import Round
from domain.surroundings import commitment_at, meter_at

MYSTERY_WAGER = "mystery"
CITE = "must-hit-by mystery, by the operator's rules"


class MysteryUnknown(Refusal):
    """No such must-hit-by level."""

    code: ClassVar[str] = "mystery.unknown"


class MysterySecret(Refusal):
    """The secret is not the one that was committed to, or the next commitment is no new one."""

    code: ClassVar[str] = "mystery.secret"


class MysteryNotHit(Refusal):
    """No wager of this round passed the trigger; the secret stays one."""

    code: ClassVar[str] = "mystery.not-hit"


class Crossing(NamedTuple):
    """The contribution with which a level passed its trigger."""

    taken: ContributionTaken
    mark: MysteryMark


def reveal_mystery(command: RevealMystery, scene: Scene) -> tuple[Event, ...]:
    """The secret of a level's cycle and its winner's line; in a round that is void by now nobody wins."""
    level = _mystery_level(command, scene)
    cycle, must_hit_by = level.mystery, level.terms.must_hit_by_micros
    assert cycle is not None and must_hit_by is not None
    _check_secret(command, cycle, scene)
    trigger = trigger_of(command.secret, cycle.begins_micros, must_hit_by)
    crossing = crossing_of(scene.round, command.meter, command.level, cycle.cycle, trigger)
    if crossing is None:
        raise MysteryNotHit(
            f"no wager of round {command.round} took level {command.level} of meter {command.meter} past its trigger; "
            "name the round that did, and keep the secret until then"
        )
    line = None if scene.round.voided is not None else award(crossing, command.meter, level)
    left = level.accrued_micros
    if line is not None and line.hit is not None:
        left += line.hit.reset_micros - line.hit.win_micros
    revealed = MysteryRevealed(
        command.meter,
        command.level,
        cycle.cycle,
        command.secret,
        cycle.commitment,
        cycle.begins_micros,
        must_hit_by,
        trigger,
        command.commitment,
        left,
        None if line is None else line.seat,
        None if line is None else line.line_id,
    )
    return (revealed,) if line is None else (revealed, line)


def crossing_of(round_: Round, meter: str, level: str, cycle: int, trigger_micros: int) -> Crossing | None:
    """The round's contribution that took the level past its trigger, in the order in which stakes were taken."""
    for taken in round_.contributions:
        for part in taken.levels:
            mark = part.mystery
            if (taken.meter, part.level) != (meter, level) or mark is None or mark.cycle != cycle:
                continue
            if mark.peak_before_micros < trigger_micros <= mark.after_micros:
                return Crossing(taken, mark)
    return None


def award(crossing: Crossing, meter: str, level: Level) -> WagerSettled:
    """The winner's line: what was accrued with the crossing wager, at most what it must hit by, cut to the cent.

    `level` is what is held now; what it lacks by now is house money, and a level that has not ended is reset.
    """
    taken, mark = crossing
    must_hit_by = level.terms.must_hit_by_micros
    assert must_hit_by is not None
    basis = min(mark.after_micros, must_hit_by)
    cents = cut_to_cents(basis)
    win = cents * MICROS_PER_CENT
    reset = 0 if level.retired else level.terms.reset_micros
    lacking = max(win - level.accrued_micros, 0)
    used = min(level.reserve_micros, reset)
    hit = Hit(
        meter, level.terms.level, 100, level.accrued_micros, level.reserve_micros, basis, win, lacking + reset, used
    )
    return WagerSettled(
        line_id=mystery_line_id(taken.seat, meter, level.terms.level),
        seat=taken.seat,
        player=taken.player,
        wager=MYSTERY_WAGER,
        stake_cents=0,
        outcome="win",
        won_cents=cents,
        returned_cents=0,
        commission_cents=0,
        paid_by="meter",
        cite=CITE,
        odds=f"must hit by {dollars_of_micros(must_hit_by)}",
        hit=hit,
    )


def mystery_line_id(seat: int, meter: str, level: str) -> str:
    """The line's name within its round.

    >>> mystery_line_id(5, "LINK", "grand")
    '5.mystery.LINK.grand'
    """
    return f"{seat}.{MYSTERY_WAGER}.{meter}.{level}"


def _mystery_level(command: RevealMystery, scene: Scene) -> Level:
    meter = meter_at(scene.around, command.meter)
    level = None if meter is None else meter.in_force(command.at).levels.get(command.level)
    if level is None or level.mystery is None:
        raise MysteryUnknown(
            f"level {command.level} of meter {command.meter} is no must-hit-by level of this ledger; name one that is"
        )
    return level


def _check_secret(command: RevealMystery, cycle: Mystery, scene: Scene) -> None:
    told = commitment_of(command.secret)
    if told != cycle.commitment:
        raise MysterySecret(
            f"the secret's hash is {told}, committed to was {cycle.commitment} (cycle {cycle.cycle}); tell the secret "
            "of this cycle"
        )
    known = commitment_at(scene.around, command.commitment)
    if known is not None:
        raise MysterySecret(
            f"{command.commitment} is or was the commitment of level {known.level} of meter {known.meter}; draw a new "
            "secret: of one that was told everybody knows what it draws"
        )
