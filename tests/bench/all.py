"""Every measure one after another, with a report of all.

`python -m tests.bench.all [--full] [--store FILE] [--json FILE] [--only store record]`
`python -m tests.bench.all --from FILE --markdown`      the report of an earlier run
`python -m tests.bench.all --from FILE --readme`        the same into the README beside this

Each measure is a process of its own. Answers 1 where a gate is missed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.bench import machine
from tests.bench.measure import Bench, markdown

README = Path(__file__).with_name("README.md")
BEGIN, END = "<!-- results -->", "<!-- end of results -->"

TITLES = {
    "store": "The store alone",
    "record": "Recording from a file",
    "postgres": "Writers on PostgreSQL",
    "catch_up": "Catching up with the log",
    "growth": "A log that is already large",
    "startup": "Whole processes",
    "meters": "Meters",
}
SHORT: Mapping[str, Sequence[str]] = {
    "store": ("--rounds", "2000", "--repeat", "5"),
    "record": ("--rounds", "2000", "--repeat", "3"),
    "postgres": ("--rounds", "800", "--repeat", "3"),
    "catch_up": ("--rounds", "400", "--single", "400", "--repeat", "3"),
    "growth": ("--events", "1000000", "--repeat", "3", "--verify"),
    "startup": ("--events", "1000000", "--repeat", "11"),
    "meters": ("--rounds", "50000", "--repeat", "3"),
}
"""About ten minutes in all on two processors."""
FULL: Mapping[str, Sequence[str]] = {
    "store": ("--rounds", "5000", "--repeat", "7"),
    "record": ("--rounds", "5000", "--repeat", "7", "--profile"),
    "postgres": ("--rounds", "2000", "--repeat", "7"),
    "catch_up": ("--rounds", "1000", "--single", "1000", "--repeat", "7"),
    "growth": ("--events", "4000000", "--repeat", "7", "--verify"),
    "startup": ("--events", "1000000", "--repeat", "31"),
    "meters": ("--rounds", "1000000", "--repeat", "7"),
}
KEPT = ("growth", "startup")
"""Those that want a large store."""


def run(names: Sequence[str], sizes: Mapping[str, Sequence[str]], store: Path) -> dict[str, Any]:
    """Runs the measures, showing what each prints, and gives the report's content."""
    content: dict[str, Any] = {
        "at": datetime.now(UTC).date().isoformat(),
        "machine": machine.described(),
        "busy": machine.busy(),
        "benches": [],
    }
    for name in names:
        print(f"\n# {TITLES[name]}\n", flush=True)
        kept = ("--store", str(store)) if name in KEPT else ()
        said = _said([sys.executable, "-m", f"tests.bench.{name}", *sizes[name], *kept])
        content["benches"].append(json.loads(said))
    return content


def _said(command: Sequence[str]) -> str:
    """Runs a measure and passes on what it prints but for its last line, which is the answer."""
    last: str | None = None
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        assert process.stdout is not None
        for line in process.stdout:
            if last is not None:
                print(last, flush=True)
            last = line.rstrip("\n")
    if process.returncode not in (0, 1) or last is None or not last.startswith("{"):
        print(last or "", flush=True)
        raise SystemExit(f"{' '.join(command[1:])} failed")
    return last


def report(content: Mapping[str, Any]) -> Iterator[str]:
    """The whole report as Markdown, its headings of the second level."""
    yield f"Taken {content['at']}."
    if content["busy"]:
        yield ""
        yield "Other work kept the machine busy, so that even the ratios are unsteady; they are to be taken again."
    yield ""
    yield "| | |"
    yield "|---|---|"
    yield from (f"| {name} | {value} |" for name, value in content["machine"].items())
    for each in content["benches"]:
        yield ""
        yield f"### {TITLES[each['bench']]}"
        yield ""
        yield from markdown(Bench.of_json(each))


def missed(content: Mapping[str, Any]) -> list[str]:
    """What every gate that is missed says."""
    benches = [Bench.of_json(each) for each in content["benches"]]
    return [gate.told() for bench in benches for gate in bench.gates if not gate.met]


def filled_in(readme: str, lines: Sequence[str]) -> str:
    """The README with the report between its two marks."""
    before, _, rest = readme.partition(BEGIN)
    _, _, after = rest.partition(END)
    assert rest and after, f"the README has no {BEGIN} and {END}"
    return "\n".join((before + BEGIN, "", *lines, "", END + after))


def main() -> int:
    """Runs everything, or shows an earlier run."""
    told = _parser().parse_args()
    if told.source is not None:
        content = json.loads(told.source.read_text(encoding="utf-8"))
    else:
        with TemporaryDirectory() as name:
            content = run(told.only, FULL if told.full else SHORT, told.store or Path(name) / "large.db")
    if told.json is not None:
        told.json.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if told.markdown:
        print("\n".join(report(content)))
    if told.readme:
        README.write_text(filled_in(README.read_text(encoding="utf-8"), list(report(content))), encoding="utf-8")
    late = missed(content)
    print("\n".join(["", *late, f"{len(late)} gates missed" if late else "every gate is met"]))
    return 1 if late else 0


def _earlier(text: str) -> Path:
    path = Path(text)
    if not path.is_file():
        raise argparse.ArgumentTypeError(f"there is no file {text}; --json FILE of a run makes one")
    return path


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.all", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--full", action="store_true", help="the sizes that the promises name; an hour")
    parser.add_argument("--only", nargs="+", choices=list(TITLES), default=list(TITLES), help="some of them")
    parser.add_argument("--store", type=Path, help="where the large store is kept for the next run")
    parser.add_argument("--json", type=Path, help="a file for everything that was measured")
    parser.add_argument("--from", dest="source", type=_earlier, help="a file of an earlier run, instead of a run")
    parser.add_argument("--markdown", action="store_true", help="print the report")
    parser.add_argument("--readme", action="store_true", help="put the report into the README beside this")
    return parser


if __name__ == "__main__":
    sys.exit(main())
