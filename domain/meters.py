"""A progressive meter as a fold: what each level holds after everything that moved it so far. All in micros.

The equation of a level: accrued = base + increments + resets + adjustments + transfers in - transfers out - wins, a
void taking back exactly its round's own part.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from domain.making import changed, frozen, make_quickly
from domain.money import FULL_MICROS, LARGE_MICROS, cut_to_cents
from domain.rounds.events import ContributionTaken, Hit, MeterReversal, MysteryMark, MysteryRevealed
from domain.times import instant

KEPT = -1
"""A figure of a change that is left out; no figure can be below 0."""
CHANGEABLE = ("reset_micros", "rate_bp", "hidden_rate_bp", "limit_micros")
"""What of a level's terms a change may give."""
REVENUE = "revenue"
"""Where a level's money may go that is no meter."""


@frozen()
class LevelTerms:
    """What a level starts with and earns; rates in basis points of the stake, `limit_micros` None is no limit.

    A mystery level must be hit by `must_hit_by_micros`; `commitment` is the hash of its first secret.
    """

    level: str
    base_micros: int
    reset_micros: int
    rate_bp: int
    hidden_rate_bp: int
    limit_micros: int | None
    must_hit_by_micros: int | None = None
    commitment: str | None = None

    @property
    def cap_micros(self) -> int | None:
        """The most that is shown and won: the limit, or what a mystery must hit by; None is no limit."""
        return self.limit_micros if self.must_hit_by_micros is None else self.must_hit_by_micros


@frozen()
class NewTerms:
    """What a change gives a level; a figure that is KEPT stays as it is, a limit of None is no limit."""

    level: str
    reset_micros: int = KEPT
    rate_bp: int = KEPT
    hidden_rate_bp: int = KEPT
    limit_micros: int | None = KEPT

    def of(self, terms: LevelTerms) -> LevelTerms:
        """`terms` with what is new."""
        given = {name: value for name in CHANGEABLE if (value := getattr(self, name)) != KEPT}
        return replace(terms, **given)


@frozen()
class LevelChange:
    """A level's terms before and after a change; what differs between them is what changes."""

    before: LevelTerms
    after: LevelTerms

    def of(self, terms: LevelTerms) -> LevelTerms:
        """`terms` with what this change changes: another change that comes into force earlier keeps its own part."""
        differing = {
            name: getattr(self.after, name)
            for name in CHANGEABLE
            if getattr(self.after, name) != getattr(self.before, name)
        }
        return replace(terms, **differing)


@frozen()
class Change:
    """A change of a meter's terms for wagers from `effective_from` (RFC 3339) on; None leaves the guard as it is."""

    effective_from: str
    levels: tuple[LevelChange, ...]
    unreasonable_micros: int | None = None


@frozen()
class Held:
    """What a level holds: shown or in overflow, and hidden in its reserve."""

    accrued_micros: int
    reserve_micros: int


@frozen()
class Mystery:
    """A mystery level's cycle from one hit to the next: what is published of its secret, where it began, and the most
    that was accrued after a contribution of it."""

    cycle: int
    commitment: str
    begins_micros: int
    peak_micros: int

    def mark(self, after_micros: int) -> MysteryMark:
        """Where a contribution leaves the cycle."""
        return MysteryMark(self.cycle, self.peak_micros, after_micros)


@frozen()
class Level:
    """One level's reading. `accrued_micros` may pass the limit (overflow) and, after a void, fall below zero.

    `retired_micros` is the V that a retired level had last: what a hand that was in play then is still due a share of.
    `turned_micros` adds up what came and went in amounts of LARGE_MICROS or more.
    """

    terms: LevelTerms
    accrued_micros: int
    reserve_micros: int = 0
    in_count: int = 0
    hits: int = 0
    wins_micros: int = 0
    resets_micros: int = 0
    retired_micros: int | None = None
    mystery: Mystery | None = None
    turned_micros: int = 0

    @property
    def retired(self) -> bool:
        """Whether nothing feeds it any more."""
        return self.retired_micros is not None

    def marked(self, mark: MysteryMark) -> Level:
        """The level after a contribution that left its cycle at `mark`."""
        assert self.mystery is not None
        return replace(
            self, mystery=replace(self.mystery, peak_micros=max(self.mystery.peak_micros, mark.after_micros))
        )

    @property
    def full(self) -> bool:
        """Whether what it holds and paid, or what came and went, is more than any sum of it is let grow to."""
        held_and_paid = self.accrued_micros + self.reserve_micros + self.wins_micros + self.resets_micros
        return held_and_paid > FULL_MICROS or self.turned_micros > FULL_MICROS

    def turning(self, micros: int) -> Level:
        """The level after `micros` came or went; what is not large is not added up."""
        return self if micros < LARGE_MICROS else replace(self, turned_micros=self.turned_micros + micros)

    def holding(self, held: Held) -> Level:
        """The level holding this after an event outside the rounds."""
        moved = abs(held.accrued_micros - self.accrued_micros) + abs(held.reserve_micros - self.reserve_micros)
        return replace(self.turning(moved), accrued_micros=held.accrued_micros, reserve_micros=held.reserve_micros)

    @property
    def held(self) -> Held:
        return Held(self.accrued_micros, self.reserve_micros)

    @property
    def shown_micros(self) -> int:
        """min(accrued, limit or must-hit-by), never below 0: the V of a hit, and what the display is cut from."""
        limit = self.terms.cap_micros
        return max(self.accrued_micros if limit is None else min(self.accrued_micros, limit), 0)

    @property
    def display_cents(self) -> int:
        return cut_to_cents(self.shown_micros)

    @property
    def overflow_micros(self) -> int:
        limit = self.terms.cap_micros
        return 0 if limit is None else max(self.accrued_micros - limit, 0)


@frozen()
class Meter:
    """A meter's levels by name, with what guards its contributions. Times are RFC 3339 as recorded."""

    meter: str
    property: str
    effective_from: str
    unreasonable_micros: int
    levels: Mapping[str, Level]
    changes: tuple[Change, ...] = ()

    def ended(self) -> bool:
        """Whether every level is retired."""
        return all(level.retired for level in self.levels.values())

    def all_paid_by_hands(self) -> bool:
        """Whether no level is retired or a mystery."""
        for level in self.levels.values():
            if level.retired_micros is not None or level.mystery is not None:
                return False
        return True

    def full_levels(self) -> list[str]:
        """The levels in use that take in no more."""
        return [name for name, level in self.levels.items() if level.full and not level.retired]

    def in_force(self, at: str) -> Meter:
        """The meter under the terms that are in force at `at` (RFC 3339)."""
        if not self.changes:
            return self
        moment, guard = instant(at), self.unreasonable_micros
        levels = dict(self.levels)
        for change in self.changes:
            if instant(change.effective_from) > moment:
                break
            for each in change.levels:
                level = levels[each.after.level]
                levels[each.after.level] = replace(level, terms=each.of(level.terms))
            guard = guard if change.unreasonable_micros is None else change.unreasonable_micros
        return replace(self, unreasonable_micros=guard, levels=levels)

    def changed(self, change: Change) -> Meter:
        """The meter with a further change, in the order in which changes come into force."""
        both = sorted([*self.changes, change], key=lambda each: instant(each.effective_from))
        return replace(self, changes=tuple(both))

    def holding(self, level: str, held: Held) -> Meter:
        """The meter with `level` holding this: an event outside the rounds says what it left."""
        return replace(self, levels={**self.levels, level: self.levels[level].holding(held)})

    def retiring(self, level: str, shown_micros: int, held: Held) -> Meter:
        """The meter with `level` retired, which showed `shown_micros`; a second time keeps what it showed first."""
        retired = self.levels[level].retired_micros
        now = replace(self.levels[level].holding(held), retired_micros=shown_micros if retired is None else retired)
        return replace(self, levels={**self.levels, level: now})

    def contributed(self, event: ContributionTaken) -> Meter:
        levels = dict(self.levels)
        for part in event.levels:
            level = levels[part.level]
            if part.mystery is not None:
                level = level.marked(part.mystery)
            if (moved := part.increment_micros + part.hidden_micros) >= LARGE_MICROS:
                level = level.turning(moved)
            levels[part.level] = changed(
                level,
                accrued_micros=level.accrued_micros + part.increment_micros,
                reserve_micros=level.reserve_micros + part.hidden_micros,
                in_count=level.in_count + 1,
            )
        return changed(self, levels=levels)

    def begun_anew(self, event: MysteryRevealed) -> Meter:
        """The meter with the next cycle of a mystery level."""
        begins = event.next_begins_micros
        cycle = Mystery(event.cycle + 1, event.next_commitment, begins, begins)
        return replace(self, levels={**self.levels, event.level: replace(self.levels[event.level], mystery=cycle)})

    def hit(self, hit: Hit) -> Meter:
        return self._moved(hit.level, hit.win_micros, hit.reset_micros, hit.reserve_used_micros, hits=1)

    def reversed(self, reversal: MeterReversal) -> Meter:
        level = self.levels[reversal.level]
        undone = replace(
            level,
            accrued_micros=level.accrued_micros
            - reversal.increment_micros
            + reversal.win_micros
            - reversal.reset_micros,
            reserve_micros=level.reserve_micros - reversal.hidden_micros + reversal.reserve_used_micros,
            in_count=level.in_count - reversal.in_count,
            hits=level.hits - reversal.hits,
            wins_micros=level.wins_micros - reversal.win_micros,
            resets_micros=level.resets_micros - reversal.reset_micros,
        )
        return replace(self, levels={**self.levels, reversal.level: undone})

    def _moved(self, name: str, win: int, reset: int, reserve_used: int, *, hits: int) -> Meter:
        level = self.levels[name]
        moved = replace(
            level,
            accrued_micros=level.accrued_micros - win + reset,
            reserve_micros=level.reserve_micros - reserve_used,
            hits=level.hits + hits,
            wins_micros=level.wins_micros + win,
            resets_micros=level.resets_micros + reset,
        )
        return replace(self, levels={**self.levels, name: moved})


def open_meter(
    meter: str, property_: str, effective_from: str, unreasonable_micros: int, terms: Iterable[LevelTerms]
) -> Meter:
    """The meter as it is opened: every level at its base."""
    levels = {each.level: _at_its_base(each) for each in terms}
    return Meter(meter, property_, effective_from, unreasonable_micros, levels)


def _at_its_base(terms: LevelTerms) -> Level:
    base = terms.base_micros
    mystery = None if terms.commitment is None else Mystery(1, terms.commitment, base, base)
    return Level(terms, base, mystery=mystery)


make_quickly(vars())
