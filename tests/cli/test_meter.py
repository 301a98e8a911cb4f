"""`rounds meter report` and `plot`, and the course of a meter's life on a terminal."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from cli.main import app
from cli.meter_plot import svg
from cli.meter_view import sparkline
from domain.sheets import sample
from ledger.service import Ledger
from projections.meter_book import MeterBook
from projections.reading import view
from tests.cli import week
from tests.cli.conftest import Rounds, environment
from tests.cli.test_guides import blocks

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="session")
def _played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The guide's week with its payments and entries."""
    folder = tmp_path_factory.mktemp("week")
    sheet = {"command": "publish_sheet", "command_id": "sheet", "sheet": sample("high-card-flush@1")}
    sheet |= {"at": "2026-05-30T10:00:00-04:00", "by": "E01", "approved_by": "E02"}
    sheet |= {"effective_from": "2026-06-01T06:00:00-04:00"}
    opening, paying, righting = blocks(week.GUIDE.read_text(encoding="utf-8"), "json")
    feed = folder / "feed.jsonl"
    played = week.PAGE.read_text(encoding="utf-8")
    feed.write_text(json.dumps(sheet) + "\n" + opening + played + paying + righting, encoding="utf-8")
    CliRunner().invoke(app, ["record", str(feed), "--db", f"sqlite:///{folder / 'rounds.db'}"])
    return folder / "rounds.db"


@pytest.fixture
def store(_played: Path, tmp_path: Path) -> Path:
    """The week, at the place where `rounds` looks for it."""
    return Path(shutil.copy(_played, tmp_path / "rounds.db"))


@pytest.mark.usefixtures("store")
def test_json_has_the_names_of_the_contract_in_micros(rounds: Rounds) -> None:
    document = json.loads(rounds("meter", "report", "--day", "2026-06-05", "--format", "json").out)
    (meter,) = document["meters"]
    (level,) = meter["levels"]
    assert (meter["meter"], meter["property"], level["level"]) == ("PROG", "NORTH", "major")
    names = "opening increments hidden_increments resets adjustments transfers_in transfers_out wins closing"
    assert [name for name in [*names.split(), "read_display", "difference"] if name not in level] == []
    total = level["opening"] + level["increments"] + level["resets"] - level["wins"]
    assert level["closing"] == total == 5_000_000_000
    assert level["slips"] == ["J-0003"]


@pytest.mark.usefixtures("store")
def test_csv_has_a_row_for_each_level_and_jsonl_one_document(rounds: Rounds) -> None:
    out = rounds("meter", "report", "--day", "2026-06-08", "--format", "csv").out
    rows = {row["meter"]: row for row in csv.DictReader(io.StringIO(out))}
    assert set(rows) == {"PROG", "PIT-2"}
    assert rows["PROG"]["adjustments_by_reason"] == "rate_correction=1000000"
    assert (rows["PROG"]["closing"], rows["PIT-2"]["closing"]) == ("0", "5003000000")
    assert len(rounds("meter", "report", "--format", "jsonl").rows()) == 1


@pytest.mark.usefixtures("store")
def test_exceptions_are_rows_and_none_is_said(rounds: Rounds) -> None:
    codes = [row["code"] for row in rounds("meter", "report", "--month", "--exceptions", "--format", "jsonl").rows()]
    assert codes == ["meter.reading-off", "meter.adjusted", "round.voided", "slip.gap"]
    quiet = rounds("meter", "report", "--day", "2026-06-02", "--exceptions")
    assert (quiet.out, quiet.err) == ("", "nothing to look at\n")


def test_a_report_that_does_not_add_up_ends_with_1_and_shows_the_figures(store: Path, rounds: Rounds) -> None:
    rounds("meter", "report")
    with Ledger.open(f"sqlite:///{store}") as ledger:
        with view(ledger, MeterBook) as open_:
            assert open_.projection is not None
            days = open_.projection.days
        with ledger.store.writing() as connection:
            connection.exec_driver_sql(f"UPDATE {days} SET wins_micros = wins_micros + 1 WHERE hits = 1")
    for day, code in (("2026-06-03", 1), ("2026-06-04", 0)):
        assert rounds("meter", "report", "--day", day).code == code
    ran = rounds("meter", "report", "--day", "2026-06-03")
    assert "DOES NOT HOLD: PROG major, closing: the figures come to $2,501.799999, the level has $2,501.80." in ran.out
    assert ran.err.startswith("meter.equation: ")
    rounds("projection", "rebuild", "meter_book")
    assert rounds("meter", "report", "--day", "2026-06-03").code == 0


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (("--day", "2026-05-01"), "no meter was open on 2026-05-01"),
        (("--day", "0001-01-01"), "no meter was open on 0001-01-01"),
        (("--property", "NROTH"), "no meters at property 'NROTH'"),
    ],
)
def test_a_report_of_nothing_says_why(rounds: Rounds, asked: tuple[str, ...], says: str) -> None:
    ran = rounds("meter", "report", *asked)
    assert (ran.code, ran.out) == (0, "")
    assert says in ran.err


@pytest.mark.usefixtures("store")
def test_meters_are_listed_as_of_a_position_and_a_time(rounds: Rounds) -> None:
    def found(point: str) -> dict[str, int]:
        rows = rounds("meter", "list", "--as-of", point, "--format", "jsonl").rows()
        return {row["meter"]: row["accrued_micros"] for row in rows}

    assert found("2") == {}
    assert found("2026-06-01T00:00:00-04:00") == {"PROG": 5_000_000_000}
    assert found("2026-06-08T09:15:00-04:00") == {"PROG": 5_002_800_000, "PIT-2": 0}
    now = {row["meter"]: row["accrued_micros"] for row in rounds("meter", "list", "--format", "jsonl").rows()}
    assert found("999999") == now == {"PROG": 0, "PIT-2": 5_003_000_000}


@pytest.mark.usefixtures("store")
def test_the_drawing_has_every_hit_entry_and_reading_with_its_figures(rounds: Rounds) -> None:
    assert rounds("meter", "plot", "PROG", "-o", "prog.svg").out == ""
    root = ElementTree.parse("prog.svg").getroot()
    marks = [(path.get("class"), path[0].text or "") for path in root.iter(f"{SVG}path") if len(path)]
    kinds = [kind for kind, _ in marks]
    assert [kinds.count(kind) for kind in ("hit", "entry", "reading", "reading off")] == [2, 4, 6, 1]
    assert "hit of 100 %: $2,503.96 in round H1-0605-2, 2026-06-06 01:18" in [text for _, text in marks]
    assert rounds("meter", "plot", "PROG").out == Path("prog.svg").read_text(encoding="utf-8")


@pytest.mark.usefixtures("store")
def test_the_drawing_comes_as_figures_too(rounds: Rounds) -> None:
    life = json.loads(rounds("meter", "plot", "PROG", "--format", "json").out)
    (level,) = life["levels"]
    held = [point["accrued_micros"] for point in level["points"]]
    assert (held[0], held[-1], min(held)) == (5_000_000_000, 0, 0)
    times = [point["at"] for point in level["points"]]
    assert times == sorted(times)
    rows = list(csv.DictReader(io.StringIO(rounds("meter", "plot", "PROG", "--format", "csv").out)))
    assert [int(row["accrued_micros"]) for row in rows] == held


@pytest.mark.usefixtures("store")
def test_a_level_is_drawn_level_until_it_jumps(rounds: Rounds) -> None:
    root = ElementTree.fromstring(rounds("meter", "plot", "PROG").out)
    (held,) = [
        path.get("d") for path in root.iter(f"{SVG}path") if path.get("class") == "held" and len(path.get("d", "")) > 40
    ]
    assert re.fullmatch(r"M[\d.]+ [\d.]+(H[\d.]+V[\d.]+)+", held or "")
    life = json.loads(rounds("meter", "plot", "PROG", "--format", "json").out)
    assert (held or "").count("H") == len(life["levels"][0]["points"]) - 1


def life_of(rounds: Rounds, *asked: str) -> dict[str, Any]:
    """The only level of PROG in the part that is asked for."""
    life = json.loads(rounds("meter", "plot", "PROG", *asked, "--format", "json").out)
    (level,) = life["levels"]
    return {**level, "from": life["from"], "until": life["until"]}


@pytest.mark.usefixtures("store")
def test_a_part_of_a_life_begins_and_ends_with_what_was_held_then(rounds: Rounds) -> None:
    whole, part = life_of(rounds), life_of(rounds, "--from", "2026-06-03", "--until", "2026-06-03")
    assert (part["from"], part["until"]) == ("2026-06-03T10:00:00Z", "2026-06-04T09:59:59Z")
    held = [(each["at"], each["accrued_micros"]) for each in part["points"]]
    within = [
        (each["at"], each["accrued_micros"]) for each in whole["points"] if part["from"] <= each["at"] <= part["until"]
    ]
    # What the report of the day opens and closes with.
    assert held == [(part["from"], 5_002_160_000), *within, (part["until"], 2_501_800_000)]
    assert (len(part["hits"]), len(part["readings"]), len(whole["hits"])) == (1, 1, 2)
    assert (whole["from"], whole["until"]) == (None, None)


@pytest.mark.usefixtures("store")
def test_a_part_may_have_one_end_and_times_of_the_propertys_clock(rounds: Rounds) -> None:
    whole = life_of(rounds)
    after = life_of(rounds, "--from", "2026-06-06 01:00")
    assert after["points"][-1] == whole["points"][-1]
    assert [hit["at"] for hit in after["hits"]] == [whole["hits"][1]["at"]]
    before = life_of(rounds, "--until", "2026-06-06T01:00:00-04:00")
    assert before["points"][0] == whole["points"][0]
    assert len(before["hits"]) == 1
    drawn = rounds("meter", "plot", "PROG", "--from", "2026-06-03", "--until", "2026-06-03").out
    assert "2026-06-03 06:00 to 2026-06-04 05:59" in drawn


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(
    ("asked", "code", "says"),
    [
        (("--until", "2026-05-01"), 3, "no meter 'PROG' in this ledger by then"),
        (("--from", "2026-06-04", "--until", "2026-06-03"), 2, "--from 2026-06-04 is after --until 2026-06-03"),
        (("--from", "9pm"), 2, "write the date before it"),
        (("--until", "soon"), 2, "time.invalid"),
        (("--until", "2026-13-01"), 2, "time.invalid"),
        (("--from", "2030-01-01", "--format", "jsonl"), 0, ""),
    ],
)
def test_a_part_that_cannot_be_is_said_to_be_none(rounds: Rounds, asked: tuple[str, ...], code: int, says: str) -> None:
    ran = rounds("meter", "plot", "PROG", *asked)
    assert (ran.code, says in ran.err) == (code, True), ran.err


def test_names_cannot_break_out_of_a_drawing() -> None:
    level: dict[str, Any] = {
        "level": "<script>",
        "opened_at": "2026-05-04T00:00:00Z",
        "limits": [],
        "entries": [],
        "readings": [],
    }
    level |= {"points": [{"at": "2026-05-04T00:00:00Z", "accrued_micros": 0}], "hits": []}
    drawn = svg({"meter": 'a"<b>', "property": "N", "zone": "UTC", "levels": [level]})
    ElementTree.fromstring(drawn)
    assert "<script>" not in drawn and 'a"<b>' not in drawn


def test_many_points_are_thinned_and_keep_their_extremes() -> None:
    points = [
        {"at": f"2026-05-{1 + n // 1440:02d}T{n // 60 % 24:02d}:{n % 60:02d}:00Z", "accrued_micros": 10**9 + n % 97}
        for n in range(20_000)
    ]
    points[7_000]["accrued_micros"] = 3 * 10**9
    level = {"level": "major", "limits": [], "entries": [], "readings": [], "hits": [], "points": points}
    drawn = svg({"meter": "M", "property": "N", "zone": "UTC", "levels": [level]})
    whole = svg({"meter": "M", "property": "N", "zone": "UTC", "levels": [level | {"points": points[6_900:7_100]}]})
    assert len(drawn) < 80_000
    assert drawn.count("H") > 500
    assert topmost(drawn) == topmost(whole)


def topmost(drawn: str) -> float:
    """How high up the line of the only level goes."""
    path = drawn.split('class="held" d="M')[1].split('"')[0]
    return min(float(each) for each in re.findall(r"V([\d.]+)", path))


@pytest.mark.parametrize(("least", "most"), [(0, 0), (-5, 5), (10**15, 10**15 + 1)])
def test_a_sparkline_goes_from_the_lowest_mark_to_the_highest(least: int, most: int) -> None:
    line = sparkline([least, most, least])
    assert line[0] == line[2] == "▁" and line[1] == ("█" if most > least else "▁")


def on_a_terminal(*arguments: str, **env: str) -> str:
    """What `rounds` writes to a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "cli", *arguments, "--no-pager", "--color", "never"],
        stdout=theirs,
        env=environment(**env),
    )
    os.close(theirs)
    written = b""
    try:
        while chunk := os.read(ours, 4096):
            written += chunk
    except OSError:
        # The terminal is gone with the process.
        pass
    os.close(ours)
    assert process.wait(30) == 0
    return written.decode()


@pytest.mark.usefixtures("store")
def test_a_terminal_shows_the_course_of_a_life_and_a_pipe_does_not(rounds: Rounds) -> None:
    assert "█" in on_a_terminal("meter", "show", "PROG", LANG="C.UTF-8", LC_ALL="C.UTF-8")
    plain = on_a_terminal("meter", "show", "PROG", LANG="C", LC_ALL="C")
    assert "█" not in plain and "#" in plain.split("Life")[1]
    assert "Life" not in rounds("meter", "show", "PROG").out


@pytest.mark.usefixtures("store")
def test_a_day_at_the_end_of_the_calendar_answers_too(rounds: Rounds) -> None:
    document = json.loads(rounds("meter", "report", "--day", "9999-12-31", "--format", "json").out)
    assert [(each["meter"], each["levels"][0]["closing"]) for each in document["meters"]] == [("PIT-2", 5_003_000_000)]
