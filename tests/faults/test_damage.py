"""A store whose file was torn, or bytes of it changed by a failing disk: a clear end, and never a wrong answer."""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cli.simulation.feed import feed
from domain.intake import command_and_digest
from ledger.service import Ledger
from tests.faults.model import query
from tests.faults.nursery import Ended, Nursery
from tests.ledger.behind import Behind
from tests.ledger.play import contents

PAGE = 4_096
DAMAGED = 5
LINES = [json.dumps(command).encode() for command in feed(7, 6, tables=3, bias=True)]
EVENTS = "SELECT * FROM events ORDER BY position"


class Whole(NamedTuple):
    """An undamaged store, its anchor, and what it holds."""

    store: Path
    anchor: str
    rows: list[tuple[Any, ...]]
    a_round: str


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, nursery: Nursery) -> Whole:
    store = tmp_path_factory.mktemp("whole") / "rounds.db"
    url = f"sqlite:///{store}"
    assert nursery.record(url, LINES[:120]).wait().code == 0
    for report in ("balance", "list"):
        assert nursery.run("--db", url, report).code == 0
    anchor = store.with_name("anchor.json")
    assert nursery.run("--db", url, "anchor", "-o", str(anchor)).code == 0
    ((a_round,), *_) = query(url, "SELECT key FROM streams WHERE kind = 'round' ORDER BY key")
    return Whole(store, str(anchor), query(url, EVENTS), a_round)


def cut_between_pages(content: bytearray, chance: random.Random) -> bytearray:
    return content[: PAGE * chance.randrange(1, len(content) // PAGE)]


def cut_in_a_page(content: bytearray, chance: random.Random) -> bytearray:
    return content[: chance.randrange(PAGE, len(content))]


def a_page_of_zeros(content: bytearray, chance: random.Random) -> bytearray:
    start = PAGE * chance.randrange(1, len(content) // PAGE)
    content[start : start + PAGE] = bytes(PAGE)
    return content


def two_pages_changed_about(content: bytearray, chance: random.Random) -> bytearray:
    one, other = (PAGE * number for number in chance.sample(range(1, len(content) // PAGE), 2))
    content[one : one + PAGE], content[other : other + PAGE] = (
        content[other : other + PAGE],
        content[one : one + PAGE],
    )
    return content


def a_bit_changed(content: bytearray, chance: random.Random) -> bytearray:
    content[chance.randrange(PAGE, len(content))] ^= 1 << chance.randrange(8)
    return content


def many_bits_changed(content: bytearray, chance: random.Random) -> bytearray:
    for _ in range(40):
        a_bit_changed(content, chance)
    return content


DAMAGES: list[tuple[Callable[[bytearray, random.Random], bytearray], int]] = [
    (cut_between_pages, 3),
    (cut_in_a_page, 3),
    (a_page_of_zeros, 4),
    (two_pages_changed_about, 2),
    (a_bit_changed, 6),
    (many_bits_changed, 2),
]


@pytest.mark.parametrize(
    ("damage", "seed"),
    [pytest.param(damage, seed, id=f"{damage.__name__}-{seed}") for damage, times in DAMAGES for seed in range(times)],
)
def test_verify_never_calls_a_damaged_log_whole(
    damage: Callable[[bytearray, random.Random], bytearray], seed: int, whole: Whole, nursery: Nursery, tmp_path: Path
) -> None:
    store = tmp_path / "rounds.db"
    store.write_bytes(damage(bytearray(whole.store.read_bytes()), random.Random(seed)))
    url = f"sqlite:///{store}"
    verified = ended_well(nursery.run("--db", url, "verify", "--anchor", whole.anchor))
    replayed = ended_well(nursery.run("--db", url, "replay", whole.a_round, "--format", "json"))
    if verified.code == 0:
        assert query(url, EVENTS) == whole.rows
        assert replayed.code == 0 and json.loads(replayed.output)["integrity"]["verified"] is True
    else:
        assert verified.code == DAMAGED
    ended_well(nursery.run("--db", url, "balance"))


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("damage", [cut_between_pages, cut_in_a_page, a_page_of_zeros], ids=lambda each: each.__name__)
def test_nothing_is_recorded_twice_into_a_damaged_file(
    damage: Callable[[bytearray, random.Random], bytearray], seed: int, whole: Whole, nursery: Nursery, tmp_path: Path
) -> None:
    store = tmp_path / "rounds.db"
    store.write_bytes(damage(bytearray(whole.store.read_bytes()), random.Random(seed)))
    url = f"sqlite:///{store}"
    if ended_well(nursery.record(url, LINES).wait()).code == 0:
        times = Counter(query(url, "SELECT source, command_id FROM events WHERE command_id IS NOT NULL"))
        assert set(times.values()) == {1}


def ended_well(ended: Ended) -> Ended:
    """With a sentence and a code, and not as a defect of the program."""
    assert ended.code in (0, 1, DAMAGED), ended
    assert "Traceback" not in ended.errors
    if ended.code and not ended.output:
        assert ended.errors.startswith("rounds: ")
    return ended


def test_verify_misses_whatever_a_page_of_the_log_held(whole: Whole, nursery: Nursery, tmp_path: Path) -> None:
    """An index that has lost its entries answers wrongly without a word of SQLite's."""
    store = tmp_path / "rounds.db"
    trees = "SELECT name, rootpage FROM sqlite_master WHERE rootpage > 0 AND tbl_name NOT LIKE 'projection%'"
    for name, root in query(f"sqlite:///{whole.store}", trees):
        content = bytearray(whole.store.read_bytes())
        content[(root - 1) * PAGE : root * PAGE] = EMPTY_LEAVES[content[(root - 1) * PAGE]]
        store.write_bytes(content)
        verified = nursery.run("--db", f"sqlite:///{store}", "verify", "--anchor", whole.anchor)
        assert (name, verified.code) == (name, DAMAGED)


def empty_leaf(kind: int) -> bytes:
    """A page of a tree without entries: its kind, and where its free space ends."""
    return bytes([kind, 0, 0, 0, 0, *PAGE.to_bytes(2), 0]).ljust(PAGE, b"\0")


EMPTY_LEAVES = {kind: empty_leaf({2: 10, 5: 13}.get(kind, kind)) for kind in (2, 5, 10, 13)}
"""By the kind of page that stood there: an index's is 2 or 10, a table's 5 or 13."""


@pytest.mark.parametrize("column", ["name", "at", "by", "source", "command_id"])
def test_a_text_that_is_none_any_more_is_found_where_it_stands(
    column: str, whole: Whole, nursery: Nursery, tmp_path: Path
) -> None:
    store = tmp_path / "rounds.db"
    shutil.copy(whole.store, store)
    with closing(Behind(f"sqlite:///{store}")) as behind:
        guards = behind.drop_guards()
        behind.execute(f"""UPDATE events SET "{column}" = CAST(x'c3' || "{column}" AS TEXT) WHERE position = 40""")
        for statement in guards.values():
            behind.execute(statement)
    url = f"sqlite:///{store}"
    report = json.loads(nursery.run("--db", url, "verify", "--format", "json").output)
    assert ("hash.differs", 40) in {(each["code"], each["position"]) for each in report["problems"]}
    assert ended_well(nursery.run("--db", url, "projection", "rebuild")).code == DAMAGED


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE desk SET entry = x'7b'",
        "UPDATE desk SET entry = x'5b5d'",
        "UPDATE desk SET entry = 'no bytes'",
        "UPDATE meta SET value = '?' WHERE name = 'desk_position'",
        "DELETE FROM meta WHERE name = 'desk_position'",
        "UPDATE meta SET value = 9999 WHERE name = 'desk_position'",
    ],
)
def test_nothing_is_decided_on_a_desk_that_cannot_be_read(
    statement: str, whole: Whole, nursery: Nursery, tmp_path: Path
) -> None:
    store = tmp_path / "rounds.db"
    shutil.copy(whole.store, store)
    url = f"sqlite:///{store}"
    with closing(Behind(url)) as behind:
        behind.execute(statement)
    recorded = nursery.record(url, LINES[120:]).wait()
    assert (recorded.code, recorded.output) == (DAMAGED, "")
    assert "\nrounds: store.damaged: " in recorded.errors
    assert query(url, EVENTS) == whole.rows
    assert nursery.run("--db", url, "verify").code == DAMAGED


@pytest.mark.parametrize("seed", range(4))
def test_a_torn_write_ahead_log_leaves_whole_commits_and_the_rest_can_be_sent_again(
    seed: int, nursery: Nursery, tmp_path: Path
) -> None:
    chance = random.Random(seed)
    torn = tmp_path / "torn.db"
    url = f"sqlite:///{torn}"
    with Ledger.open(f"sqlite:///{tmp_path / 'whole.db'}") as ledger:
        commands = [command_and_digest(line) for line in LINES[:80]]
        for start in range(0, len(commands), 5):
            ledger.submit(commands[start : start + 5])
        for each in tmp_path.glob("whole.db*"):
            shutil.copy(each, tmp_path / each.name.replace("whole", "torn"))
        wanted = contents(ledger)
        head = ledger.head()
    tear(torn.with_name("torn.db-wal"), chance)
    torn.with_name("torn.db-shm").unlink()
    anchor = tmp_path / "anchor.json"
    anchor.write_text(json.dumps({"count": head.position, "head": head.hash.hex()}))

    assert nursery.run("--db", url, "verify", "--anchor", str(anchor)).code == DAMAGED
    assert nursery.run("--db", url, "verify").code == 0
    with Ledger.open(url) as ledger:
        left = contents(ledger)
        assert left == wanted[: len(left)]
        assert sum(row[-1] or 0 for row in left) == len(left) < len(wanted)
        for start in range(0, len(commands), 5):
            ledger.submit(commands[start : start + 5])
        assert contents(ledger) == wanted


def tear(log: Path, chance: random.Random) -> None:
    """Cuts the last part off or changes a byte in it; a byte that is wrong ends the log where it stands."""
    content = bytearray(log.read_bytes())
    place = chance.randrange(len(content) // 2, len(content) - PAGE)
    if chance.random() < 0.5:
        del content[place:]
    else:
        content[place] ^= 0xFF
    log.write_bytes(content)
