"""Backup, restore, export and import as an operator uses them: what is said, what is left, and how it ends."""

from __future__ import annotations

import gzip
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from ledger import integrity
from ledger.errors import LedgerError
from tests.cli.conftest import ONE_ROUND, ROOT, ROUND, Rounds, start
from tests.cli.test_guides import blocks, play
from tests.cli.test_integrity import unguarded
from tests.postgres import Database

PAGE = (ROOT / "docs" / "backup.md").read_text(encoding="utf-8")
NEW = ("--db", "sqlite:///new.db")


def left() -> list[str]:
    """The files of the current folder, those that SQLite keeps beside the ledger left out."""
    return sorted(path.name for path in Path().iterdir() if not path.name.startswith("rounds.db-"))


def test_the_page_answers_what_it_shows(one_round: Path, rounds: Rounds) -> None:
    for block in blocks(PAGE, "console"):
        play(rounds, block)
    assert left() == ["back.db", "log.jsonl", "moved.db", "night.backup", "night.json", "rounds.db"]


def test_every_code_of_the_page_is_one_of_the_program() -> None:
    classes = LedgerError.__subclasses__()
    codes = {each.code: each.exit_code for each in classes if hasattr(each, "code")}
    rows = re.findall(r"\| `([a-z.-]+)` \| (\d) \|", PAGE)
    assert rows
    assert [(code, int(exit_code)) for code, exit_code in rows if codes.get(code) != int(exit_code)] == []


def test_a_backup_says_what_proves_it(evening: Path, rounds: Rounds) -> None:
    said = json.loads(rounds("backup", "night", "--format", "json").out)
    anchor = json.loads(rounds("anchor", "--format", "json").out)
    assert {name: said[name] for name in anchor} == anchor
    assert said["bytes"] == os.path.getsize("night")
    proof = rounds("backup", "night", "--force").out.splitlines()[-1].removeprefix("To prove it: rounds ")
    assert rounds(*proof.split()).out.startswith("Verified: ")
    (round_, *_) = [row["round"] for row in json.loads(rounds("list", "--format", "json").out)]
    assert rounds("replay", round_).out == rounds("replay", round_, "--db", "sqlite:///night").out
    assert left() == ["night", "rounds.db"]


@pytest.mark.parametrize("options", [(), ("--dry-run",)])
def test_nobody_records_into_a_backup_the_superuser_neither(
    options: tuple[str, ...], one_round: Path, rounds: Rounds
) -> None:
    rounds("backup", "night")
    before = Path("night").read_bytes()
    ran = rounds("record", ONE_ROUND, *options, "--db", "sqlite:///night")
    assert (ran.code, "store.read-only" in ran.err) == (1, True)
    assert rounds("verify", "--db", "sqlite:///night").code == 0
    assert Path("night").read_bytes() == before
    assert left() == ["night", "rounds.db"]


def test_a_restored_ledger_answers_as_before(evening: Path, rounds: Rounds) -> None:
    rounds("backup", "night")
    assert rounds("restore", "night", *NEW).code == 0
    for report in (("balance",), ("meter", "list"), ("list",), ("verify",), ("anchor",), ("sheet", "list")):
        assert rounds(*report, "--format", "json").out == rounds(*report, "--format", "json", *NEW).out


def test_a_place_that_is_taken_is_1_and_stays(one_round: Path, rounds: Rounds) -> None:
    rounds("backup", "night")
    rounds("export", "-o", "log.jsonl")
    before = rounds("export").out
    for arguments in (("restore", "night"), ("import", "log.jsonl")):
        ran = rounds(*arguments)
        assert ran.code == 1
        assert ran.err.startswith("rounds: store.not-empty: rounds.db holds 27 events")
    assert rounds("export").out == before


def test_a_changed_backup_is_5_with_its_position(one_round: Path, rounds: Rounds) -> None:
    rounds("backup", "night")
    Path("night").chmod(0o600)
    with unguarded(Path("night")) as connection:
        connection.execute("UPDATE events SET \"by\" = 'D99' WHERE position = 16")
    ran = rounds("restore", "night", *NEW)
    assert ran.code == 5
    assert ran.err.startswith("rounds: backup.unsound: night: position 16: hash.differs")
    assert left() == ["night", "rounds.db"]


def test_a_cut_backup_is_5_with_how_far_it_can_be_read(evening: Path, rounds: Rounds) -> None:
    rounds("backup", "night")
    Path("night").chmod(0o600)
    os.truncate("night", os.path.getsize("night") // 2)
    ran = rounds("restore", "night", *NEW)
    assert ran.code == 5
    assert re.search(r"damaged or cut; its events can be read up to position \d+\.", ran.err)
    assert left() == ["night", "rounds.db"]


def test_a_changed_line_of_an_export_is_5_with_its_number(one_round: Path, rounds: Rounds) -> None:
    rounds("export", "-o", "log.jsonl")
    log = Path("log.jsonl").read_text(encoding="utf-8")
    Path("log.jsonl").write_text(log.replace('"by":"D07"', '"by":"D08"', 1), encoding="utf-8")
    ran = rounds("import", "log.jsonl", *NEW)
    assert ran.code == 5
    assert re.match(r"rounds: import\.differs: line \d+: .*; nothing was imported", ran.err)
    Path("log.jsonl").write_text(log.replace('"schema":', '"schema": ', 1), encoding="utf-8")
    ran = rounds("import", "log.jsonl", *NEW)
    assert ran.code == 1
    assert ran.err.startswith("rounds: import.malformed: line 2: ")
    assert left() == ["log.jsonl", "rounds.db"]


def test_an_export_comes_out_of_a_pipe_and_goes_into_one(one_round: Path, rounds: Rounds) -> None:
    log = rounds("export", "--format", "jsonl", "-q")
    assert (log.code, log.err) == (0, "")
    assert rounds("import", "-", *NEW, input=log.out).code == 0
    with gzip.open("log.jsonl.gz", "wb") as file:
        file.write(log.out.encode())
    assert rounds("import", "log.jsonl.gz", "--db", "sqlite:///zipped.db").code == 0
    assert rounds("export", "--db", "sqlite:///zipped.db").out == log.out


def test_a_compressed_export_that_is_cut_is_5(one_round: Path, rounds: Rounds) -> None:
    whole = gzip.compress(rounds("export").out.encode())
    for length in (30, len(whole) // 2, len(whole) - 4):
        Path("log.jsonl.gz").write_bytes(whole[:length])
        ran = rounds("import", "log.jsonl.gz", *NEW)
        assert (ran.code, ran.err.split(":")[1]) == (5, " import.cut")
    assert left() == ["log.jsonl.gz", "rounds.db"]


@pytest.mark.parametrize("arguments", [("--format", "csv"), ("--format", "table"), ("-o", "log.csv"), ("-o", "a.json")])
def test_an_export_is_json_lines_and_nothing_else(arguments: tuple[str, ...], one_round: Path, rounds: Rounds) -> None:
    ran = rounds("export", *arguments)
    assert ran.code == 2
    assert "--format jsonl" in ran.err
    assert left() == ["rounds.db"]


def test_a_reader_who_stops_ends_an_export(evening: Path) -> None:
    running = start("export", cwd=Path())
    assert running.stdout is not None
    running.stdout.readline()
    running.stdout.close()
    assert running.wait(60) == 141
    running.communicate()


def test_there_and_back_through_postgresql_gives_the_same_bytes(
    evening: Path, rounds: Rounds, database: Database
) -> None:
    before = rounds("export").out
    assert rounds("import", "-", "--db", database.url, input=before).code == 0
    assert rounds("export", "--db", database.url).out == before
    assert rounds("verify", "--db", database.url).code == 0
    assert rounds("import", "-", *NEW, input=rounds("export", "--db", database.url).out).code == 0
    assert rounds("export", *NEW).out == before
    for report in (("balance",), ("meter", "list"), ("list",)):
        assert rounds(*report).out == rounds(*report, *NEW).out == rounds(*report, "--db", database.url).out


def test_a_ledger_in_postgresql_is_backed_up_into_a_file(evening: Path, rounds: Rounds, database: Database) -> None:
    rounds("import", "-", "--db", database.url, input=rounds("export").out)
    ran = rounds("backup", "night", "--db", database.url)
    assert (ran.code, ran.err) == (0, "")
    assert rounds("verify", "--db", "sqlite:///night").code == 0
    ran = rounds("restore", "night", "--db", database.url)
    assert ran.code == 1
    assert "store.not-empty" in ran.err
    assert "***" not in ran.err


def test_backup_while_recording_and_interrupting_it_leaves_sound_ledgers(process: Rounds) -> None:
    """A feed is recorded by one process while others take backups; each is a beginning of what was recorded."""
    recording = start("record", "-q", "-", "--db", "sqlite:///rounds.db", cwd=Path())
    assert recording.stdin is not None
    feed = ONE_ROUND.read_bytes().splitlines(keepends=True)
    wait_for(Path("rounds.db").exists)
    heads: list[int] = []
    for line in feed:
        recording.stdin.write(line)
        recording.stdin.flush()
        if len(heads) < 4:
            ran = process("backup", f"{len(heads)}.backup", "--format", "json", "-o", f"{len(heads)}.json")
            heads.append(ran.code)
    recording.communicate(timeout=60)
    assert recording.returncode == 0
    done = [number for number, code in enumerate(heads) if code == 0]
    assert done
    for number in done:
        assert process("verify", "--anchor", f"{number}.json").code == 0
        assert process("verify", "--anchor", f"{number}.json", "--db", f"sqlite:///{number}.backup").code == 0


def test_ctrl_c_ends_an_import_with_130_and_nothing(one_round: Path, rounds: Rounds) -> None:
    log = rounds("export").out.encode().splitlines(keepends=True)
    running = start("import", "-", *NEW, cwd=Path(), preexec_fn=_default_interrupt)
    assert running.stdin is not None
    running.stdin.write(b"".join(log[:9]))
    running.stdin.flush()
    wait_for(lambda: any(name.startswith(".new.db.") for name in left()))
    running.send_signal(signal.SIGINT)
    running.wait(60)
    _, err = running.communicate()
    assert (running.returncode, err) == (130, b"\nrounds: interrupted\n")
    assert left() == ["rounds.db"]


def wait_for(condition: object) -> None:
    """Returns when `condition` holds; it has to within half a minute."""
    assert callable(condition)
    for _ in range(3_000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it never came about")


def _default_interrupt() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_a_full_disk_is_one_sentence_and_leaves_nothing(evening: Path, rounds: Rounds) -> None:
    rounds("backup", "night")
    rounds("export", "-o", "log.jsonl")
    Path("small").mkdir()
    for arguments in (
        ("backup", "small/night"),
        ("restore", "night", "--db", "sqlite:///small/new.db"),
        ("import", "log.jsonl", "--db", "sqlite:///small/new.db"),
        ("export", "-o", "small/log.jsonl"),
    ):
        running = start(*arguments, cwd=Path(), preexec_fn=_small_files)
        out, err = running.communicate(timeout=60)
        assert (running.returncode, out) == (1, b""), (arguments, err)
        assert err.startswith(b"rounds: ")
        assert err.count(b"\n") == 1
        assert os.listdir("small") == []


def _small_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))


def test_verify_is_interrupted_with_130(evening: Path, rounds: Rounds, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(integrity._Check, "_streams", interrupted)
    ran = rounds("verify")
    assert (ran.code, ran.err.strip()) == (130, "rounds: interrupted")


def test_a_file_of_another_kind_says_which_command_takes_it(one_round: Path, rounds: Rounds) -> None:
    rounds("export", "-o", "log.jsonl")
    rounds("backup", "night")
    ran = rounds("restore", "log.jsonl", *NEW)
    assert ran.code == 2
    assert "rounds import log.jsonl" in ran.err
    ran = rounds("import", "night", *NEW)
    assert ran.code == 2
    assert "import.not-an-export" in ran.err
    assert "rounds restore" in ran.err
    ran = rounds("restore", "missing", *NEW)
    assert ran.code == 3
    assert rounds("import", "missing", *NEW).code == 3


def test_an_anchor_is_asked_for_by_restore(one_round: Path, rounds: Rounds) -> None:
    rounds("backup", "night", "--format", "json", "-o", "night.json")
    Path("other.json").write_text(json.dumps({"count": 5, "head": "0" * 64}), encoding="utf-8")
    ran = rounds("restore", "night", "--anchor", "other.json", *NEW)
    assert ran.code == 5
    assert "position 5: anchor.differs" in ran.err
    assert rounds("restore", "night", "--anchor", "night.json", *NEW).code == 0
    assert rounds("replay", ROUND, *NEW).code == 0


def test_a_tool_that_knows_json_lines_reads_an_export(one_round: Path, rounds: Rounds) -> None:
    rounds("export", "-o", "log.jsonl")
    program = shutil.which("python3")
    assert program is not None
    code = (
        "import json, sys; lines = [json.loads(line) for line in open(sys.argv[1])];"
        "print(sum(line['payload']['amount_cents'] for line in lines if line.get('name') == 'round.wager-placed'))"
    )
    ran = subprocess.run([program, "-c", code, "log.jsonl"], capture_output=True, text=True, check=True)
    staked = sum(row["staked_cents"] for row in json.loads(rounds("balance", "--format", "json").out))
    assert int(ran.stdout) == staked
