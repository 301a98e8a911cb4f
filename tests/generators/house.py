"""The house that a feed plays in: two properties, their meters, and sheets with every option that Fortune has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from domain.sheets import sample
from tests.generators.chance import Chance

Content = dict[str, Any]
Order = dict[str, Any]

OPENED_AT = "2026-05-01T09:00:00-04:00"
EFFECTIVE_FROM = "2026-05-01T12:00:00-04:00"
FIRST_ROUND_AT = "2026-05-02T18:00:00-04:00"
SUPERVISORS = ("S01", "S02", "S03", "S04", "S05")
DEALERS = ("D01", "D02", "D03", "D04", "D05", "D06", "D07")


@dataclass(frozen=True)
class Property:
    """A property with its gaming day's rule, its tables and its meters."""

    id: str
    zone: str
    day_starts: str
    tables: tuple[str, ...]
    meters: tuple[str, ...]


PROPERTIES = (
    Property("RIVERSIDE", "America/New_York", "06:00", ("RV-01", "RV-02", "RV-03"), ("RV-PROG", "RV-LINK")),
    Property("HARBOUR", "America/Los_Angeles", "04:30", ("HB-01", "HB-02"), ("HB-PROG",)),
)


def opening(chance: Chance) -> Iterator[Order]:
    """The commands, less id and time, that open the properties, their meters and all their sheets."""
    for property_ in PROPERTIES:
        yield {
            "command": "open_property",
            "property": property_.id,
            "zone": property_.zone,
            "day_starts": property_.day_starts,
            "currency": "USD",
        }
        for meter in property_.meters:
            yield _open_meter(chance, property_, meter)
        for content in sheets(property_):
            yield {
                "command": "publish_sheet",
                "sheet": content,
                "effective_from": EFFECTIVE_FROM,
                "approved_by": SUPERVISORS[1],
            }


def sheets(property_: Property) -> list[Content]:
    """Every sheet of the property; between them they use each option, rounding, limit and table."""
    return [_sheet(property_, number, change) for number, change in enumerate(_VARIANTS, 1)]


def _open_meter(chance: Chance, property_: Property, meter: str) -> Order:
    """Levels that start close below their limits, so that overflow and resets come soon."""
    return {
        "command": "open_meter",
        "meter": meter,
        "property": property_.id,
        "levels": [
            _level("major", 10_000_000_000, 9_999_900_000, 1800, 200, chance.pick((None, 10_000_900_000))),
            _level("minor", 500_000_000, 500_700_000, 613, chance.pick((0, 137)), 501_000_000),
        ],
        "unreasonable_micros": chance.pick((190_000, 1_000_000)),
        "effective_from": EFFECTIVE_FROM,
        "approved_by": SUPERVISORS[1],
    }


def _level(level: str, base: int, reset: int, rate_bp: int, hidden_bp: int, limit: int | None) -> Content:
    return {
        "level": level,
        "base_micros": base,
        "reset_micros": reset,
        "rate_bp": rate_bp,
        "hidden_rate_bp": hidden_bp,
        "limit_micros": limit,
    }


_QUARTER = {"commission": {"bp": 500, "rounding": "up_to_quarter"}}
_HALF_UP = {"commission": {"bp": 500, "rounding": "half_up"}}

# Options by ruling (R7, R8, R10, R14), then what else the sheet changes.
_VARIANTS: tuple[Mapping[str, Any], ...] = (
    {"options": {}, **_HALF_UP, "player_bank": True},
    {"options": {"R14": "sequential"}, **_QUARTER, "player_bank": True, "two_hands": "adjacent", "shares": True},
    {"options": {"R14": "snapshot", "R7": "lowest"}, **_HALF_UP, "player_bank": False, "shares": True, "envy": True},
    {"options": {"R8": "strict", "R10": "lose"}, **_QUARTER, "player_bank": True, "two_hands": "no", "shares": True},
    {
        "options": {"R7": "lowest", "R8": "strict", "R14": "sequential"},
        "player_bank": True,
        "payout_limit_cents": 30_000,
    },
    {"options": {"R10": "lose", "R14": "snapshot"}, **_HALF_UP, "player_bank": True, "payout_limit_cents": 4_000},
)


def _sheet(property_: Property, number: int, change: Mapping[str, Any]) -> Content:
    content: Content = dict(sample("fortune-cardroom@1")) | {
        "id": f"fortune-{property_.id.lower()}-{number}",
        "version": 1,
        "options": change["options"],
        "player_bank": change["player_bank"],
        "two_hands": change.get("two_hands", "any"),
    }
    del content["commission"]
    content |= {key: change[key] for key in ("commission", "payout_limit_cents") if key in change}
    progressive = {**content["wagers"]["progressive"], "meter": property_.meters[number % len(property_.meters)]}
    if change.get("shares"):
        progressive |= {"max_cents": 500, "paytable": "TRIAL-SHARES"}
        content["paytables"] = {**content["paytables"], "TRIAL-SHARES": _SHARES}
    if change.get("envy"):
        progressive["envy"] = "TRIAL-PROG-ENVY"
        content["envy_tables"] = {**content["envy_tables"], "TRIAL-PROG-ENVY": _PROGRESSIVE_ENVY}
    content["wagers"] = {**content["wagers"], "progressive": progressive}
    return content


def _share(hand: str, percent: int, level: str) -> Content:
    return {"hand": hand, "kind": "percent_of_meter", "percent": percent, "level": level}


# Shares of both levels down to three of a kind, so that several hits in one round are common.
_SHARES: Content = {
    "source": "invented for trials, not a rule",
    "ranking": "seven_card_bonus",
    "lines": [
        _share("seven_card_straight_flush", 100, "major"),
        _share("royal_match", 50, "major"),
        _share("seven_card_straight_flush_joker", 33, "major"),
        _share("five_aces", 100, "major"),
        _share("royal_flush", 10, "major"),
        _share("straight_flush", 100, "minor"),
        _share("four_of_a_kind", 25, "minor"),
        _share("full_house", 7, "minor"),
        {"hand": "flush", "kind": "fixed", "cents": 1_500},
        {"hand": "three_of_a_kind", "kind": "for_1", "n": 3},
    ],
}

_PROGRESSIVE_ENVY: Content = {
    "source": "invented for trials, not a rule",
    "lines": [{"hand": "royal_flush", "cents": 10_000}, {"hand": "four_of_a_kind", "cents": 700}],
}
