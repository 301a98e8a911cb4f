"""One writer of answers: formats by option or by suffix, files whole or not at all, options before or after."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.errors import CommandFailed
from cli.options import Settings
from cli.output import write_rows
from cli.tables import Column
from tests.cli.conftest import ONE_ROUND, ROUND, Rounds


@pytest.mark.parametrize(
    ("file", "starts"),
    [
        ("list.json", "[\n{"),
        ("list.jsonl", '{"round"'),
        ("list.ndjson", '{"round"'),
        ("list.csv", "round,table"),
        ("list.CSV", "round,table"),
        ("list.txt", "Round "),
        ("list", "Round "),
    ],
)
def test_the_suffix_of_the_file_says_the_format(file: str, starts: str, one_round: Path, rounds: Rounds) -> None:
    ran = rounds("list", "-o", file)
    assert (ran.code, ran.out) == (0, "")
    assert Path(file).read_text(encoding="utf-8").startswith(starts)


@pytest.mark.parametrize("file", ["list.csv.gz", "list.CSV.GZ", "list.gz"])
def test_a_file_that_is_named_gz_is_compressed_and_the_same_each_time(
    file: str, one_round: Path, rounds: Rounds
) -> None:
    rounds("list", "-o", file)
    written = Path(file).read_bytes()
    assert gzip.decompress(written).startswith(b"Round " if file == "list.gz" else b"round,table")
    rounds("list", "-o", "other" + file)
    assert Path("other" + file).read_bytes() == written


def test_a_compressed_export_and_feed_are_taken_in_again(one_round: Path, rounds: Rounds) -> None:
    rounds("export", "-o", "log.jsonl.gz")
    assert rounds("import", "log.jsonl.gz", "--db", "sqlite:///again.db").code == 0
    rounds("simulate", "--game", "fortune", "--rounds", "1", "-o", "feed.jsonl.gz")
    assert rounds("record", "feed.jsonl.gz", "--db", "sqlite:///feed.db").code == 0


@pytest.mark.parametrize(
    ("command", "file"),
    [
        (("list",), "list.html"),
        (("list",), "list.PDF"),
        (("list",), "list.xlsx"),
        (("meter", "plot", "PROG"), "prog.png"),
        (("meter", "plot", "PROG"), "prog.txt"),
        (("meter", "plot", "PROG"), "prog.png.gz"),
    ],
)
def test_a_name_that_promises_what_is_not_written_is_refused(
    command: tuple[str, ...], file: str, one_round: Path, rounds: Rounds
) -> None:
    ran = rounds(*command, "-o", file)
    assert (ran.code, "format.none" in ran.err, Path(file).exists()) == (2, True, False)
    assert rounds(*command, "-o", file, "--format", "json").code == 0


def test_the_option_counts_more_than_the_suffix(one_round: Path, rounds: Rounds) -> None:
    rounds("list", "--format", "csv", "-o", "list.json")
    assert Path("list.json").read_text(encoding="utf-8").startswith("round,table")


def test_shared_options_stand_before_or_after_the_command(one_round: Path, rounds: Rounds) -> None:
    wanted = rounds("balance", "--format", "json").out
    assert rounds("--format", "json", "balance").out == wanted
    assert rounds("--format", "csv", "balance", "--format", "json").out == wanted
    db = ("--db", f"sqlite:///{one_round}")
    in_group = rounds("meter", "--format", "json", "show", "PROG").out
    assert in_group == rounds("meter", "show", "PROG", "--format", "json").out
    assert rounds(*db, "balance", "--format", "json").out == rounds("balance", "--format", "json", *db).out == wanted


def test_the_ledger_is_named_by_option_else_by_variable_else_it_is_rounds_db(
    one_round: Path, rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("rounds.db").rename("elsewhere.db")
    assert rounds("anchor").code == 3
    monkeypatch.setenv("ROUNDS_DB", "sqlite:///elsewhere.db")
    assert rounds("anchor").code == 0
    assert rounds("anchor", "--db", "sqlite:///rounds.db").code == 3


def test_a_file_is_left_as_it_was_where_the_answer_fails(one_round: Path, rounds: Rounds) -> None:
    Path("kept.json").write_text("before", encoding="utf-8")
    assert rounds("replay", "nobody", "-o", "kept.json").code == 3
    assert Path("kept.json").read_text(encoding="utf-8") == "before"

    def in_the_middle() -> Iterator[dict[str, int]]:
        yield {"a": 1}
        raise CommandFailed("trouble", "in the middle")

    with pytest.raises(CommandFailed):
        write_rows(Settings(output="kept.json"), (Column("a"),), in_the_middle(), none="")
    assert Path("kept.json").read_text(encoding="utf-8") == "before"
    assert sorted(path.name for path in Path().iterdir() if path.suffix == ".json") == ["kept.json"]


def test_a_file_may_be_read_by_whom_the_umask_lets(one_round: Path, rounds: Rounds) -> None:
    Path("plain.txt").write_text("", encoding="utf-8")
    rounds("list", "-o", "list.txt")
    assert Path("list.txt").stat().st_mode == Path("plain.txt").stat().st_mode


def test_a_dash_is_standard_output_and_a_device_is_written_to(one_round: Path, rounds: Rounds) -> None:
    assert ROUND in rounds("list", "-o", "-").out
    assert rounds("list", "-o", "/dev/null").code == 0


@pytest.mark.parametrize(
    "name",
    ["=1+1", "+A1", "-A1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", '=HYPERLINK("http://x")', "\uff1d1+1", "-1-1", "--1"],
)
def test_csv_has_no_formulas_and_json_every_text_as_it_was(name: str, rounds: Rounds) -> None:
    buy_in = {"command": "buy_in", "property": "RIVERSIDE", "table": "T", "player": name, "amount_cents": 5}
    line = json.dumps(buy_in | {"command_id": "x-1", "at": "2026-03-14T18:00:00-04:00", "by": "E1"})
    first = ONE_ROUND.read_text(encoding="utf-8").splitlines()[0]
    assert rounds("record", "-", input=f"{first}\n{line}\n").code == 0
    read = list(csv.DictReader(io.StringIO(rounds("balance", "--format", "csv").out, newline="")))
    assert [(row["player"], row["balance_cents"]) for row in read] == [(f"'{name}", "5")]
    assert [row["player"] for row in rounds("balance", "--format", "jsonl").rows()] == [name]
    assert [row["player"] for row in json.loads(rounds("balance", "--format", "json").out)] == [name]


@pytest.mark.parametrize("value", [-5, "-5", "+5.25", "P=1", "a@b", "", None, ["x", "=1"]])
def test_csv_leaves_numbers_and_other_texts_alone(value: object) -> None:
    write_rows(Settings(format_given="csv", output="out.csv"), [Column("x")], [{"x": value}], none="")
    (row,) = csv.DictReader(Path("out.csv").read_text(encoding="utf-8").splitlines())
    wanted = " ".join(value) if isinstance(value, list) else value
    assert row["x"] == ("" if wanted is None else str(wanted))


def test_csv_keeps_integers_and_quotes_what_needs_it(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    columns = (Column("name"), Column("cents", kind="cents"), Column("codes"), Column("yes"), Column("none"))
    rows = [{"name": 'a "b", c\nd', "cents": 123456, "codes": ["x", "y"], "yes": True, "none": None}]
    write_rows(Settings(format_given="csv", output="out.csv"), columns, rows, none="")
    assert Path("out.csv").read_bytes() == (b'name,cents,codes,yes,none\r\n"a ""b"", c\nd",123456,x y,true,\r\n')


def test_quiet_says_nothing_that_is_not_needed(one_round: Path, rounds: Rounds) -> None:
    assert rounds("list", "--table", "none").err != ""
    assert rounds("list", "--table", "none", "-q").err == ""
    assert rounds("replay", "nobody", "-q").err != ""


def test_json_for_programs_is_utf_8_as_it_stands(one_round: Path, rounds: Rounds) -> None:
    line = Path(one_round.parent / "player.jsonl")
    command = {
        "command": "buy_in",
        "command_id": "name",
        "at": "2026-03-14T20:00:00-04:00",
        "by": "D07",
        "property": "RIVERSIDE",
        "table": "PG01",
        "player": "Żółć 東京",
        "amount_cents": 100,
    }
    line.write_text(json.dumps(command), encoding="utf-8")
    assert rounds("record", line).code == 0
    assert rounds("balance", "Żółć 東京", "--format", "jsonl").rows()[0]["player"] == "Żółć 東京"
    assert "東京" in rounds("balance").out
