"""What is wrong ends with its exit code and one sentence that names the way out, never with a traceback."""

from __future__ import annotations

import errno
import gzip
import json
import re
import shlex
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import ledger.store
from cli.commands.demo import FEED
from cli.main import COMMANDS
from cli.output import RowWriter
from projections.balances import Balances
from tests.cli.conftest import ONE_ROUND, ROUND, Rounds

PUBLISH = ("--by", "E01", "--approved-by", "E02", "--effective-from", "2026-03-14T06:00:00-04:00")

WRONG: list[tuple[tuple[str, ...], int, str]] = [
    ((), 2, "Usage: rounds"),
    (("nonsense",), 2, "No such command"),
    (("lsit",), 2, "did you mean list"),
    (("xyzzy",), 2, "`rounds --help` lists them all"),
    (("meter", "shw"), 2, "Did you mean 'show'?"),
    (("balance", "P10"), 3, "did you mean P100"),
    (("meter", "show", "prgo"), 3, "did you mean PROG?"),
    (("meter", "show", "XYZ"), 3, "see `rounds meter list`"),
    (("meter", "show", "PROG", "--as-of", "1"), 3, "at that point; see `rounds meter list`"),
    (("meter", "plot", "PROG1"), 3, "did you mean PROG?"),
    (("meter", "report", "--meter", "PROG1"), 3, "did you mean PROG?"),
    (
        ("jackpot", "show", "PG01-20260314-2"),
        3,
        f"round.unknown: no round 'PG01-20260314-2' in this ledger; did you mean {ROUND}",
    ),
    (("jackpot", "show", ROUND, "2.main"), 3, "jackpot.none"),
    (("game", "show", "Fortun"), 3, "did you mean fortune?"),
    (("sheet", "show", "fortune-cardrom@1"), 3, "did you mean fortune-cardroom@1?"),
    (("simulate", "--game", "fortun"), 2, "did you mean fortune?"),
    (("--format", "yaml", "list"), 2, "--format"),
    (("list", "--format", "yaml"), 2, "--format"),
    (("list", "--db", "nowhere"), 2, "store.url"),
    (("list", "--db", "mysql://localhost/rounds"), 2, "store.url"),
    (("list", "--db", "sqlite:///no/such/folder/rounds.db"), 3, "store.not-found"),
    (("list", "--day", "yesterday"), 2, "write it like 2026-05-04"),
    (("list", "--status", "done"), 2, "--status"),
    (("list", "--limit", "0"), 2, "--limit"),
    (("list", "-o", "no/such/folder/list.csv"), 3, "file.not-found"),
    (("list", "-o", "folder"), 2, "file.not-usable"),
    (("list", "surplus"), 2, "unexpected extra argument"),
    (("record",), 2, "FILE"),
    (("record", "missing.jsonl"), 3, "missing.jsonl"),
    (("record", str(ONE_ROUND), "missing.jsonl"), 3, "missing.jsonl"),
    (("record", "folder"), 2, "file.not-usable"),
    (("record", "-", "-"), 2, "name - once"),
    (("record", str(ONE_ROUND), "--db", "sqlite:///no/such/folder/rounds.db"), 3, "store.not-found"),
    (("replay",), 2, "name one ROUND, or --all"),
    (("replay", ROUND, "--all"), 2, "name one ROUND, or --all"),
    (("replay", "--all", "--at", "3"), 2, "for one round"),
    (("replay", "--all", "--seat", "3"), 2, "for one round"),
    (("replay", ROUND, "--table", "PG01"), 2, "filters are for --all"),
    (("replay", ROUND, "--at", "0"), 2, "--at"),
    (("replay", ROUND, "--at", "99"), 3, "events 1 to 23"),
    (("replay", ROUND, "--seat", "1"), 3, "seats taken: 2, 5"),
    (("replay", "nobody"), 3, "round.unknown"),
    (("balance", "PX"), 3, "player.unknown"),
    (("balance", "--as-of", "then"), 2, "as-of.invalid"),
    (("balance", "P100", "P200"), 2, "unexpected extra argument"),
    (("meter",), 2, "Usage"),
    (("meter", "show"), 2, "METER"),
    (("meter", "show", "NONE"), 3, "rounds meter list"),
    (("meter", "show", "PROG", "--as-of", "1"), 3, "at that point"),
    (("meter", "show", "PROG", "--as-of", "2026-03-14"), 2, "as-of.invalid"),
    (("meter", "list", "surplus"), 2, "unexpected extra argument"),
    (("meter", "list", "--as-of", "then"), 2, "as-of.invalid"),
    (("meter", "report", "--day", "yesterday"), 2, "write it like 2026-05-04"),
    (("meter", "report", "--meter", "NONE"), 3, "rounds meter list"),
    (("meter", "report", "--tolerance-cents", "-1"), 2, "--tolerance-cents"),
    (("meter", "plot"), 2, "METER"),
    (("meter", "plot", "NONE"), 3, "rounds meter list"),
    (("meter", "plot", "PROG", "--format", "table"), 2, "--format"),
    (("jackpot",), 2, "Usage"),
    (("jackpot", "list", "--state", "lost"), 2, "--state"),
    (("jackpot", "list", "--day", "yesterday"), 2, "write it like 2026-05-04"),
    (("jackpot", "list", "--missing-slips", "--shares"), 2, "missing-slips.filters"),
    (("jackpot", "show"), 2, "ROUND"),
    (("jackpot", "show", "nobody"), 3, "round.unknown"),
    (("jackpot", "show", ROUND, "2.main"), 3, "on line '2.main'"),
    (("verify", "--anchor", "missing.json"), 3, "missing.json"),
    (("verify", "--anchor", "text.gz"), 2, "anchor.invalid"),
    (("anchor", "surplus"), 2, "unexpected extra argument"),
    (("projection", "status", "surplus"), 2, "unexpected extra argument"),
    (("projection", "rebuild", "nothing"), 3, "projection.unknown"),
    (("sheet", "list", "surplus"), 2, "unexpected extra argument"),
    (("sheet", "show"), 2, "name one sheet"),
    (("sheet", "show", "fortune-cardroom@1", "--sample", "fortune-cardroom@1"), 2, "name one sheet"),
    (("sheet", "show", "fortune-cardroom@9"), 3, "did you mean fortune-cardroom@1?"),
    (("sheet", "show", "--sample", "none@1"), 3, "sheet.unknown"),
    (("sheet", "publish", "missing.json", *PUBLISH), 3, "missing.json"),
    (("sheet", "publish", "text.gz", *PUBLISH), 1, "name it .json or .toml"),
    (("sheet", "publish", "broken.json", *PUBLISH), 1, "sheet.invalid"),
    (("sheet", "publish", "broken.toml", *PUBLISH), 1, "sheet.invalid"),
    (("sheet", "publish", "latin.json", *PUBLISH), 2, "sheet.file"),
    (("sheet", "publish", "broken.json", "--by", "E01"), 2, "--approved-by"),
    (("demo", "--format", "json"), 2, "demo.text"),
    (("demo", "-o", "tour.txt"), 2, "demo.text"),
    (("version", "surplus"), 2, "unexpected extra argument"),
    (("simulate", "surplus"), 2, "unexpected extra argument"),
    (("simulate", "--format", "csv"), 2, "simulate.format"),
    (("game", "surplus"), 2, "No such command"),
    (("db", "surplus"), 2, "No such command"),
    (("db", "upgrade", "surplus"), 2, "unexpected extra argument"),
    (("db", "status", "--db", "sqlite:///missing/rounds.db"), 3, "missing"),
    (("paytable", "surplus"), 2, "No such command"),
    (("recheck", "nobody"), 3, "round.unknown"),
    (("recheck", ROUND, "--with", "house-way"), 2, "what-if.invalid"),
    (("explain", "hand.fowl"), 3, "did you mean hand.foul"),
    (("completion",), 2, "bash"),
    (("completion", "csh"), 2, "is not one of"),
    (("backup",), 2, "FILE"),
    (("restore", "missing.backup", "--db", "sqlite:///new.db"), 3, "missing.backup"),
    (("export", "--format", "csv"), 2, "export.format"),
    (("import", "missing.jsonl", "--db", "sqlite:///new.db"), 3, "missing.jsonl"),
    (("list", "--fields", "nothing"), 2, "fields.unknown"),
    (("list", "--color", "blue"), 2, "--color"),
]


@pytest.mark.parametrize(("arguments", "code", "said"), WRONG, ids=[" ".join(arguments) for arguments, _, _ in WRONG])
def test_what_is_wrong_is_said_in_one_sentence(
    arguments: tuple[str, ...], code: int, said: str, one_round: Path, rounds: Rounds
) -> None:
    Path("folder").mkdir()
    Path("text.gz").write_text("text", encoding="utf-8")
    Path("broken.json").write_text('{"id": 1', encoding="utf-8")
    Path("broken.toml").write_text("id = ", encoding="utf-8")
    Path("latin.json").write_bytes(b'{"id": "\xe9"}')
    ran = rounds(*arguments)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err
    assert "Traceback" not in ran.err
    assert json.loads(rounds("anchor").out)["count"] == 27
    assert not Path("tour.txt").exists()


def test_every_command_has_its_wrong_calls() -> None:
    assert set(COMMANDS) - {arguments[0] for arguments, _, _ in WRONG if arguments} == set()


def test_a_feed_that_breaks_off_tells_what_was_recorded_before(rounds: Rounds) -> None:
    whole = gzip.compress(ONE_ROUND.read_bytes() + b"\n" * 1_000_000)
    Path("cut.jsonl.gz").write_bytes(whole[:-100])
    ran = rounds("record", "cut.jsonl.gz", "--stop-on-refusal", "--format", "jsonl")
    assert ran.code == 1
    said = ran.err.splitlines()
    assert said[0].startswith(f"rounds: recorded {len(ran.rows())} ")
    assert said[1].startswith("rounds: feed.broken: cut.jsonl.gz is not a whole gzip file ")


@pytest.mark.parametrize(
    "arguments",
    [
        ("list",),
        ("replay", ROUND),
        ("balance",),
        ("meter", "list"),
        ("verify",),
        ("anchor",),
        ("projection", "status"),
        ("projection", "rebuild"),
        ("sheet", "list"),
        ("sheet", "show", "a@1"),
    ],
    ids=" ".join,
)
def test_a_report_makes_no_ledger_where_there_is_none(arguments: tuple[str, ...], rounds: Rounds) -> None:
    ran = rounds(*arguments)
    assert ran.code == 3
    assert "store.not-found" in ran.err
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("arguments", [("list",), ("record", str(ONE_ROUND)), ("verify",), ("demo",)], ids=" ".join)
def test_a_file_that_is_no_ledger_is_left_alone(arguments: tuple[str, ...], rounds: Rounds) -> None:
    Path("other.txt").write_text("some other file\n" * 100, encoding="utf-8")
    with closing(sqlite3.connect("other.db")) as connection:
        connection.execute("CREATE TABLE notes (text)")
        connection.commit()
    for name in ("other.txt", "other.db"):
        before = Path(name).read_bytes()
        ran = rounds(*arguments, "--db", f"sqlite:///{name}")
        assert ran.code == 2
        assert "store.not-a-ledger" in ran.err
        assert Path(name).read_bytes() == before


def test_a_missing_file_is_found_out_before_anything_is_recorded(rounds: Rounds) -> None:
    assert rounds("record", ONE_ROUND, "missing.jsonl").code == 3
    assert not Path("rounds.db").exists()


def test_trouble_with_the_store_tells_what_was_recorded_before(rounds: Rounds, monkeypatch: pytest.MonkeyPatch) -> None:
    from ledger.errors import StoreFull
    from ledger.service import Ledger

    submit = Ledger.submit
    calls: list[int] = []

    def full(ledger: Ledger, submissions: object, **keys: object) -> object:
        calls.append(1)
        if len(calls) > 1:
            raise StoreFull("no room is left on the disk; free some and record again")
        return submit(ledger, submissions, **keys)  # type: ignore[arg-type]

    monkeypatch.setattr(Ledger, "submit", full)
    ran = rounds("record", ONE_ROUND, ONE_ROUND, "--format", "jsonl")
    assert (ran.code, len(ran.rows())) == (1, 18)
    assert ran.err == (
        "rounds: recorded 18 (27 events), repeated 0, refused 0\n"
        "rounds: store.disk-full: no room is left on the disk; free some and record again\n"
    )


def test_a_ledger_that_another_process_holds_is_4(
    one_round: Path, rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ledger.dialects import Sqlite

    monkeypatch.setattr(Sqlite, "BUSY_SECONDS", 0.1)
    with closing(sqlite3.connect(one_round, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        ran = rounds("record", ONE_ROUND)
    assert ran.code == 4
    assert "store.locked" in ran.err


def test_a_store_that_can_only_be_read_answers_and_says_its_lag(
    one_round: Path, rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rounds("balance", "--format", "json").out
    another = ONE_ROUND.read_bytes().splitlines()[3].replace(b"ex-04", b"ex-99")
    assert rounds("record", "-", input=another).code == 0
    monkeypatch.setattr(ledger.store, "writable", lambda _: False)
    ran = rounds("balance", "-q", "--format", "json")
    assert (ran.code, ran.out) == (0, before)
    assert ran.err.startswith("rounds: this answer is 1 event behind the log, which has 28: it has what was projected ")
    assert "rounds restore rounds.db --db sqlite:///whole.db, and ask there" in ran.err
    refused = rounds("projection", "rebuild")
    assert refused.code == 1
    assert "store.read-only" in refused.err
    assert rounds("verify").code == 0


@pytest.mark.parametrize("report", [("balance", "P777"), ("meter", "show", "NEW")])
def test_a_report_that_finds_nothing_says_its_lag_too(
    one_round: Path, rounds: Rounds, monkeypatch: pytest.MonkeyPatch, report: tuple[str, ...]
) -> None:
    feed = ONE_ROUND.read_bytes().splitlines()
    player = feed[3].replace(b"ex-04", b"ex-98").replace(b"P100", b"P777")
    meter = feed[2].replace(b"ex-03", b"ex-99").replace(b'"PROG"', b'"NEW"')
    assert rounds("balance").code == rounds("meter", "list").code == 0
    assert rounds("record", "-", input=player + b"\n" + meter).code == 0
    monkeypatch.setattr(ledger.store, "writable", lambda _: False)
    ran = rounds(*report)
    assert ran.code == 3
    assert "2 events behind the log" in ran.err


def test_a_replay_of_all_rounds_says_its_lag(one_round: Path, rounds: Rounds, monkeypatch: pytest.MonkeyPatch) -> None:
    assert rounds("list").code == 0
    another = ONE_ROUND.read_bytes().splitlines()[4].replace(b"ex-05", b"ex-99").replace(b"PG01", b"PG02")
    assert rounds("record", "-", input=another).code == 0
    monkeypatch.setattr(ledger.store, "writable", lambda _: False)
    ran = rounds("replay", "--all", "--format", "jsonl")
    assert (ran.code, ran.out.count("\n")) == (0, 1)
    assert ran.err.startswith("rounds: this answer is 1 event behind the log, which has 28: it has what was projected ")


@pytest.mark.parametrize("projected", [True, False])
def test_what_a_backup_says_to_do_for_all_of_it_does_that(projected: bool, one_round: Path, rounds: Rounds) -> None:
    if projected:
        assert rounds("list").code == rounds("balance").code == 0
    another = ONE_ROUND.read_bytes().splitlines()[3].replace(b"ex-04", b"ex-99")
    assert rounds("record", "-", input=another).code == 0
    rounds("backup", "last night.backup")
    behind = rounds("balance", "--db", "sqlite:///last night.backup")
    assert f"{1 if projected else 28} event" in behind.err
    advice = re.search(r"rounds (restore .*), and ask there", behind.err)
    assert advice is not None and rounds(*shlex.split(advice[1])).code == 0
    whole = rounds("balance", "--db", "sqlite:///whole.db")
    assert (whole.err, whole.out) == ("", rounds("balance").out)


def test_a_read_model_that_has_stopped_is_named_as_a_reason_for_the_lag(
    one_round: Path, rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ArithmeticError("one and one is three")

    monkeypatch.setattr(Balances, "apply", broken)
    assert "a read model has stopped (balances at position 1); see rounds projection status" in rounds("balance").err
    assert "one and one is three" in rounds("projection", "status").out


def test_receipts_that_cannot_be_written_are_counted_as_stored(rounds: Rounds, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(RowWriter, "write", full)
    ran = rounds("record", ONE_ROUND, "-q", "--format", "jsonl")
    assert ran.code == 1
    assert "recorded 18 (27 events)" in ran.err
    assert "file.disk-full" in ran.err


def test_a_defect_is_told_from_trouble(rounds: Rounds, monkeypatch: pytest.MonkeyPatch) -> None:
    import cli.commands.version

    def defect(*_: object, **__: object) -> None:
        raise AssertionError("an invariant is broken")

    monkeypatch.setattr(cli.commands.version, "write_document", defect)
    ran = rounds("version")
    assert ran.code == 70
    assert "AssertionError: an invariant is broken" in ran.err
    assert "a defect of the program" in ran.err


def test_the_version_is_said_as_every_program_says_it(rounds: Rounds) -> None:
    asked = rounds("--version")
    assert (asked.code, asked.out, asked.err) == (0, rounds("version").out, "")
    assert rounds("--version", "nonsense").code == 0


def test_the_demos_feed_is_there() -> None:
    assert FEED.is_file()
