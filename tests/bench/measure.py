"""Measuring and judging: cases take turns in one run, the first turn only warms up, gates compare within the run."""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Figures = Mapping[str, float]
"""What one run of a case gave, by the name of the measure, such as `events/s`."""

Run = Callable[[], Figures]


@dataclass(frozen=True)
class Gate:
    """A promise and what was measured; met where it is at least, or `at_most`, the bound."""

    name: str
    measured: float
    bound: float
    at_most: bool = False

    @property
    def met(self) -> bool:
        return self.measured <= self.bound if self.at_most else self.measured >= self.bound

    def told(self) -> str:
        """The gate in one line."""
        word = "at most" if self.at_most else "at least"
        return f"{'met' if self.met else 'MISSED'}: {self.name}: {self.measured:.4g} ({word} {self.bound:g})"


@dataclass
class Bench:
    """What one script measured: its cases with every turn's figures, and the gates they are held against."""

    name: str
    sizes: Mapping[str, Any]
    cases: Mapping[str, Sequence[Figures]]
    gates: list[Gate] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def middle(self, case: str, measure: str) -> float:
        """The median of a measure over the turns."""
        return statistics.median(turn[measure] for turn in self.cases[case])

    def ratio(self, case: str, base: str, measure: str) -> float:
        """The median over the turns of `case` by `base` of the same turn, which a noisy moment strikes alike."""
        pairs = zip(self.cases[case], self.cases[base], strict=True)
        return statistics.median(one[measure] / other[measure] for one, other in pairs)

    def as_json(self) -> dict[str, Any]:
        """Everything a report needs, in plain values."""
        return {
            "bench": self.name,
            "sizes": dict(self.sizes),
            "cases": {name: [dict(turn) for turn in turns] for name, turns in self.cases.items()},
            "gates": [
                {"gate": each.name, "measured": each.measured, "bound": each.bound, "at_most": each.at_most}
                for each in self.gates
            ],
            "notes": list(self.notes),
        }

    @classmethod
    def of_json(cls, content: Mapping[str, Any]) -> Bench:
        """What `as_json` gave."""
        gates = [Gate(each["gate"], each["measured"], each["bound"], each["at_most"]) for each in content["gates"]]
        return cls(content["bench"], content["sizes"], content["cases"], gates, content["notes"])


def in_turns(cases: Mapping[str, Run], repeat: int) -> dict[str, list[Figures]]:
    """Every case once a turn, `repeat` turns after one that is thrown away."""
    taken: dict[str, list[Figures]] = {name: [] for name in cases}
    for turn in range(repeat + 1):
        for name, run in cases.items():
            figures = run()
            if turn:
                taken[name].append(figures)
    return taken


def markdown(bench: Bench) -> Iterator[str]:
    """The bench as Markdown: sizes, a table of medians with the lowest and highest turn, the gates."""
    yield "; ".join(
        f"{name} {value:,}" if isinstance(value, int) else f"{name} {value}" for name, value in bench.sizes.items()
    )
    yield ""
    measures = list(dict.fromkeys(name for turns in bench.cases.values() for turn in turns for name in turn))
    yield f"| case | {' | '.join(measures)} |"
    yield f"|---|{'---:|' * len(measures)}"
    for case, turns in bench.cases.items():
        cells = (_cell([turn[name] for turn in turns if name in turn]) for name in measures)
        yield f"| {case} | {' | '.join(cells)} |"
    yield ""
    yield from (f"- {gate.told()}" for gate in bench.gates)
    yield from (f"- {note}" for note in bench.notes)


def _cell(figures: Sequence[float]) -> str:
    if not figures:
        return ""
    low, middle, high = min(figures), statistics.median(figures), max(figures)
    if low == high:
        return _number(middle)
    return f"{_number(middle)} ({_number(low)} – {_number(high)})"


def _number(figure: float) -> str:
    if figure >= 100 or figure == int(figure):
        return f"{figure:,.0f}"
    return f"{figure:.3f}" if figure < 1 else f"{figure:.2f}"


def options(module: str, doc: str | None, *, repeat: int = 5) -> argparse.ArgumentParser:
    """What every script may be told."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {module}", description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeat", type=positive, default=repeat, help=f"turns that count (default: {repeat})")
    parser.add_argument("--seed", type=int, default=1, help="of the simulated feed (default: 1)")
    return parser


def positive(text: str) -> int:
    """A number above nought, as an option's type."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number above nought")
    return int(text)


def finish(bench: Bench) -> int:
    """Prints the table and, as the last line, everything as one JSON object; 1 where a gate is missed."""
    print("\n".join(markdown(bench)))
    print(json.dumps(bench.as_json()))
    return 0 if all(gate.met for gate in bench.gates) else 1
