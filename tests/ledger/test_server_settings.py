"""What a database is set to by whoever keeps it changes nothing of what is recorded and answered."""

from __future__ import annotations

import pytest

from ledger import integrity
from ledger.upgrade import upgrade
from projections import balances
from tests.ledger.play import a_round, buy_in, contents, hand_in, ledger_at, open_round, property_opened
from tests.ledger.test_ahead import Watched
from tests.postgres import Database, Databases

SETTINGS = {
    "DateStyle": "SQL, DMY",
    "TimeZone": "Asia/Kathmandu",
    "IntervalStyle": "sql_standard",
    "bytea_output": "escape",
    "client_encoding": "LATIN1",
    "standard_conforming_strings": "off",
    "backslash_quote": "off",
    "transform_null_equals": "on",
    "array_nulls": "off",
    "quote_all_identifiers": "on",
    "extra_float_digits": "-5",
    "synchronous_commit": "off",
    "default_transaction_isolation": "serializable",
    "default_transaction_deferrable": "on",
    "session_replication_role": "replica",
    "row_security": "off",
    "plan_cache_mode": "force_custom_plan",
    "enable_indexscan": "off",
    "enable_nestloop": "off",
    "search_path": '"Table 9", public',
}
"""As far from what is usual as each can be set."""
ODD = "Zoë \\x41 '\"😀"


@pytest.fixture
def odd(databases: Databases) -> Database:
    """A database that somebody has set to all of that before the ledger was made there, in a schema with a space."""
    made = databases.empty()
    with made.connect() as raw:
        raw.execute('CREATE SCHEMA "Table 9"')
        for name, value in SETTINGS.items():
            value = value if name == "search_path" else f"'{value}'"
            raw.execute(f"ALTER DATABASE {made.name} SET {name} = {value}")
    upgrade(made.url)
    return made


def test_whatever_a_database_is_set_to_the_same_is_recorded(
    odd: Database, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ledger_at(odd.url) as ledger, ledger_at(database.url) as usual:
        for each in (ledger, usual):
            assert each.submit(hand_in(property_opened(), buy_in(ODD, ODD)))[1].status == "recorded"
        watched = Watched(ledger, monkeypatch)
        for number in range(3):
            watched.begin()
            answers = ledger.submit(hand_in(*a_round(number), buy_in(f"b{number}", ODD)))
            assert answers == usual.submit(hand_in(*a_round(number), buy_in(f"b{number}", ODD)))
            assert (watched.sent, watched.under_the_lock) == (1, 0)
        for each in (ledger, usual):
            refused = each.submit(hand_in(open_round("x", "X"), open_round("y", "Y"), open_round("x", "X")))
            assert [answer.code for answer in refused] == [None, "table.busy", None]
            assert integrity.verify(each).verified
        assert contents(ledger) == contents(usual)
        assert balances.balances(ledger).rows == balances.balances(usual).rows
