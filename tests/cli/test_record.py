"""Recording a feed: a receipt a line, whatever the line is, and never one that is not stored."""

from __future__ import annotations

import gzip
import json
import re
import select
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cli.feed_lines import FILE_GROUP, LONGEST_LINE_BYTES
from tests.cli.conftest import ONE_ROUND, ROUND, Rounds, start

LINES = ONE_ROUND.read_bytes().splitlines(keepends=True)


def buy_in(number: int, **changes: Any) -> bytes:
    """A line that the example's property takes, with an id of its own."""
    command = {
        "command": "buy_in",
        "command_id": f"buy-{number}",
        "at": "2026-03-14T20:00:00-04:00",
        "by": "D07",
        "property": "RIVERSIDE",
        "table": "PG01",
        "player": "P100",
        "amount_cents": 100,
    }
    return json.dumps(command | changes).encode() + b"\n"


def test_a_receipt_a_line_in_the_contracts_form(rounds: Rounds) -> None:
    ran = rounds("record", ONE_ROUND, "-q", "--format", "jsonl")
    assert ran.code == 0
    receipts = ran.rows()
    assert [receipt["line"] for receipt in receipts] == list(range(1, 19))
    assert (
        receipts[11].items()
        >= {
            "line": 12,
            "command_id": "ex-12",
            "status": "recorded",
            "round": ROUND,
            "version": 10,
            "position": 14,
            "events": ["round.betting-closed", "round.contribution-taken", "round.contribution-taken"],
        }.items()
    )
    assert {"file", "code", "message"}.isdisjoint(receipts[11])
    assert ran.err == "rounds: recorded 18 (27 events), repeated 0, refused 0\n"


def test_the_same_feed_again_is_answered_with_the_first_receipts(rounds: Rounds) -> None:
    first = rounds("record", ONE_ROUND, "--format", "jsonl").rows()
    ran = rounds("record", ONE_ROUND, "--format", "jsonl")
    assert ran.code == 0
    assert ran.rows() == [{**receipt, "status": "repeated"} for receipt in first]


def test_empty_lines_are_skipped_and_counted(rounds: Rounds) -> None:
    feed = b"\n" + LINES[0] + b"  \r\n\n" + LINES[3].rstrip(b"\n")
    receipts = rounds("record", "-", "--format", "jsonl", input=feed).rows()
    assert [(receipt["line"], receipt["status"]) for receipt in receipts] == [(2, "recorded"), (5, "recorded")]


def test_a_malformed_line_has_a_receipt_and_the_next_is_recorded(rounds: Rounds) -> None:
    feed = LINES[0] + b'{"command": "buy_in", "command_id": "half"\n' + b"[]\n" + LINES[3]
    ran = rounds("record", "-", "--format", "jsonl", input=feed)
    assert ran.code == 1
    assert [(each["line"], each["command_id"], each["status"], each.get("code")) for each in ran.rows()] == [
        (1, "ex-01", "recorded", None),
        (2, None, "refused", "feed.malformed"),
        (3, None, "refused", "feed.malformed"),
        (4, "ex-04", "recorded", None),
    ]


def test_a_refused_line_keeps_the_command_id_that_it_gives(rounds: Rounds) -> None:
    feed = LINES[0] + buy_in(1, amount_cents="100")
    refused = rounds("record", "-", "--format", "jsonl", input=feed).rows()[1]
    assert (refused["command_id"], refused["code"], refused["events"]) == ("buy-1", "amount.invalid", [])


def test_the_table_counts_and_refusals_are_told_with_their_lines(rounds: Rounds) -> None:
    ran = rounds("record", "-", input=LINES[0] + LINES[0] + buy_in(1, player="") + buy_in(2))
    assert ran.code == 1
    assert re.findall(r"(?m)^ *([a-z.]+) +(\d+)", ran.out) == [
        ("recorded", "2"),
        ("repeated", "1"),
        ("refused", "1"),
        ("feed.malformed", "1"),
    ]
    assert ran.err.startswith("line 3: feed.malformed: buy_in: player ")


NOVEL = b"".join(b"line %d of a novel\n" % number for number in range(1, 1_001))


def test_a_file_that_is_no_feed_is_said_once_to_be_none(rounds: Rounds) -> None:
    Path("novel.txt").write_bytes(NOVEL)
    ran = rounds("record", "novel.txt")
    assert ran.code == 1
    *told, warning = ran.err.splitlines()
    assert [each.partition(": ")[0] for each in told] == [f"line {number}" for number in range(1, 11)]
    assert warning.startswith("rounds: novel.txt does not look like a feed: none of its first 10 lines is a command")
    assert re.search(r"feed\.malformed +1,000", ran.out)


def test_a_short_file_without_a_command_is_said_to_be_none_at_its_end(rounds: Rounds) -> None:
    indented = json.dumps(json.loads(buy_in(1)), indent=2).encode()
    told = rounds("record", "-", input=indented).err.splitlines()
    lines = len(indented.splitlines())
    assert 1 < lines < 12 and sum("look like a feed" in each for each in told) == 1
    short = rounds("record", "-", input=b"{\n}\n[]\n").err.splitlines()
    assert len(short) == 4
    assert short[-1].startswith("rounds: standard input does not look like a feed: none of its 3 lines is a command")
    assert "look like a feed" not in rounds("record", "-", input=b"nonsense\n").err


def test_each_line_of_what_is_no_feed_has_its_receipt(rounds: Rounds) -> None:
    ran = rounds("record", "-", "--format", "jsonl", "-q", input=NOVEL)
    assert [(each["line"], each["code"]) for each in ran.rows()] == [(n, "feed.malformed") for n in range(1, 1_001)]
    assert ran.err.count("standard input does not look like a feed") == 1


def test_a_feed_that_becomes_one_is_told_of_as_any(rounds: Rounds) -> None:
    late = b"nonsense\n" * 12 + buy_in(1) + b"nonsense\n"
    told = rounds("record", "-", input=LINES[0] + b"nonsense\n" * 12).err.splitlines()
    assert len(told) == 12 and not any("look like a feed" in each for each in told)
    told = rounds("record", "-", input=late).err.splitlines()
    assert [each.partition(":")[0] for each in told[:10]] == [f"line {number}" for number in range(1, 11)]
    assert ("look like a feed" in told[10], told[11].partition(":")[0], len(told)) == (True, "line 14", 12)


def test_each_file_is_looked_at_alone(rounds: Rounds) -> None:
    Path("a.txt").write_bytes(NOVEL)
    Path("b.jsonl").write_bytes(buy_in(1) + b"nonsense\n" * 11)
    told = rounds("record", "b.jsonl", "a.txt").err.splitlines()
    assert sum(each.startswith("b.jsonl:") for each in told) in (11, 12)
    assert [each for each in told if "look like a feed" in each] == [told[-1]]
    assert told[-1].startswith("rounds: a.txt ")


def test_several_files_are_named_in_receipts_and_refusals(rounds: Rounds) -> None:
    Path("a.jsonl").write_bytes(LINES[0])
    Path("b.jsonl").write_bytes(buy_in(1) + b"nonsense\n")
    ran = rounds("record", "a.jsonl", "b.jsonl", "--format", "jsonl")
    assert [(each["file"], each["line"]) for each in ran.rows()] == [("a.jsonl", 1), ("b.jsonl", 1), ("b.jsonl", 2)]
    assert rounds("record", "a.jsonl", "b.jsonl").err.startswith("b.jsonl:2: feed.malformed: ")


def test_a_compressed_feed_is_read(rounds: Rounds) -> None:
    Path("feed.jsonl.gz").write_bytes(gzip.compress(ONE_ROUND.read_bytes()))
    assert rounds("record", "feed.jsonl.gz", "--format", "jsonl").rows()[-1]["position"] == 27


def test_receipts_as_csv_and_as_one_array(rounds: Rounds) -> None:
    as_csv = rounds("record", ONE_ROUND, "--format", "csv").out.splitlines()
    assert as_csv[0] == "file,line,command_id,status,round,version,position,events,code,message"
    assert as_csv[1] == ",1,ex-01,recorded,,1,1,property.opened,,"
    assert [each["line"] for each in json.loads(rounds("record", ONE_ROUND, "--format", "json").out)] == list(
        range(1, 19)
    )


@pytest.mark.parametrize("place", [1, 5, FILE_GROUP, FILE_GROUP + 3])
@pytest.mark.parametrize(
    "refused", [buy_in(0, amount_cents=0), buy_in(0, table="", player="P1"), buy_in(0, property="X")]
)
def test_stop_on_refusal_records_nothing_after_it(place: int, refused: bytes, rounds: Rounds) -> None:
    feed = [LINES[0], *(buy_in(number) for number in range(1, FILE_GROUP + 40))]
    feed[place:place] = [refused]
    ran = rounds("record", "-", "--stop-on-refusal", "--format", "jsonl", input=b"".join(feed))
    assert ran.code == 1
    receipts = ran.rows()
    assert [each["status"] for each in receipts] == ["recorded"] * place + ["refused"]
    assert json.loads(rounds("anchor").out)["count"] == place


def test_a_dry_run_over_many_groups_answers_alike_and_stores_nothing(rounds: Rounds) -> None:
    feed = b"".join([*LINES, *(buy_in(number) for number in range(2 * FILE_GROUP)), buy_in(1, amount_cents=5)])
    dry = rounds("record", "-", "--dry-run", "--format", "jsonl", input=feed)
    assert (dry.code, json.loads(rounds("anchor").out)["count"]) == (1, 0)
    assert "nothing is stored" in dry.err
    real = rounds("record", "-", "--format", "jsonl", input=feed)
    assert dry.rows() == [{**receipt, "dry_run": True} for receipt in real.rows()]
    assert dry.rows()[-1]["code"] == "command.id-reused"


def test_a_dry_run_may_stop_on_a_refusal_too(rounds: Rounds) -> None:
    feed = LINES[0] + buy_in(1, amount_cents=0) + buy_in(2)
    ran = rounds("record", "-", "--dry-run", "--stop-on-refusal", "--format", "jsonl", input=feed)
    assert [each["status"] for each in ran.rows()] == ["recorded", "refused"]


def test_a_line_longer_than_any_command_is_refused_and_not_read_into_memory(rounds: Rounds) -> None:
    long = b'{"command": "' + b"x" * (2 * LONGEST_LINE_BYTES) + b'"}\n'
    ran = rounds("record", "-", "--format", "jsonl", input=LINES[0] + long + buy_in(1))
    assert [(each["line"], each["status"]) for each in ran.rows()] == [(1, "recorded"), (2, "refused"), (3, "recorded")]
    assert "longer than" in ran.rows()[1]["message"]


def test_what_a_caller_writes_cannot_move_the_terminals_cursor(rounds: Rounds) -> None:
    ran = rounds("record", "-", input=LINES[0] + buy_in(1, property="\x1b[2J\u202eevil"))
    assert "\x1b" not in ran.err
    assert "\u202e" not in ran.err


def read_line(running: subprocess.Popen[bytes], seconds: float = 30) -> bytes:
    """The next line of the process's answer; fails where none comes."""
    assert running.stdout is not None
    assert select.select([running.stdout], [], [], seconds)[0], "no receipt came while the pipe stayed open"
    return running.stdout.readline()


def test_a_pipe_gets_each_receipt_before_it_sends_the_next_line() -> None:
    with start("record", "-", "-q", "--format", "jsonl", bufsize=0) as running:
        assert running.stdin is not None
        for line in LINES[:5]:
            running.stdin.write(line)
            assert json.loads(read_line(running))["status"] == "recorded"
        running.stdin.close()
        assert running.wait(30) == 0


def test_an_interrupt_tells_what_is_stored_and_ends_with_130(rounds: Rounds) -> None:
    with start("record", "-", "--format", "jsonl", bufsize=0) as running:
        assert running.stdin is not None
        assert running.stderr is not None
        running.stdin.write(b"".join(LINES[:4]))
        receipts = [json.loads(read_line(running)) for _ in range(4)]
        running.send_signal(signal.SIGINT)
        assert running.wait(30) == 130
        said = running.stderr.read().decode()
    assert "recorded 4 " in said
    assert "Traceback" not in said
    assert receipts[-1]["position"] == json.loads(rounds("anchor").out)["count"] == 4


def test_receipts_go_whole_into_a_file(rounds: Rounds) -> None:
    ran = rounds("record", ONE_ROUND, "-o", "receipts.jsonl")
    assert (ran.code, ran.out) == (0, "")
    assert len(Path("receipts.jsonl").read_text(encoding="utf-8").splitlines()) == 18


def interrupted_in_a_group(times: int) -> tuple[bool, list[int]]:
    """Records five lines with Ctrl-C pressed `times` while they are stored; whether it went on, and the lines told."""
    from cli.feed_lines import FeedSource
    from cli.recording import Answer, record_lines
    from ledger.receipts import Receipt

    Path("five.jsonl").write_bytes(b"".join(LINES[:5]))
    told: list[int] = []

    def submit(submissions: Sequence[Any], *, stop_on_refusal: bool = False) -> list[Receipt]:
        for _ in range(times):
            signal.raise_signal(signal.SIGINT)
        return [Receipt(command.command_id, "recorded") for command, _ in submissions]

    def tell(answers: list[Answer]) -> None:
        told.extend(answer.line for answer in answers)

    with FeedSource("five.jsonl") as source:
        return record_lines([source], submit, tell, stop_on_refusal=False), told


def test_an_interrupt_waits_until_the_group_in_hand_is_told() -> None:
    assert interrupted_in_a_group(0) == (True, [1, 2, 3, 4, 5])
    assert interrupted_in_a_group(1) == (False, [1, 2, 3, 4, 5])


def test_a_second_interrupt_does_not_wait() -> None:
    before = signal.getsignal(signal.SIGINT)
    assert interrupted_in_a_group(2) == (False, [])
    assert signal.getsignal(signal.SIGINT) is before


def test_what_the_program_wrote_and_is_no_feed_is_named_before_a_line_is_read(one_round: Path, rounds: Rounds) -> None:
    rounds("backup", "night.backup")
    rounds("export", "-o", "log.jsonl")
    rounds("export", "-o", "log.jsonl.gz")
    Path("feed").write_bytes(gzip.compress(ONE_ROUND.read_bytes()))
    said = {
        "night.backup": "name it with --db",
        "log.jsonl": "`rounds import log.jsonl`",
        "log.jsonl.gz": "`rounds import log.jsonl.gz`",
        "feed": "a name that ends in .gz",
    }
    for file, way_out in said.items():
        ran = rounds("record", ONE_ROUND, file)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith("rounds: feed.other-file: ") and way_out in ran.err
