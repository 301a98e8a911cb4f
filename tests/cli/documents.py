"""Every document that the program writes as JSON, with the calls that write it and the schema that describes it."""

from __future__ import annotations

from typing import NamedTuple

ROUND = "PG01-20260314-1"
_FROM = "2026-03-14T06:00:00-04:00"
WHO = ("--command-id", "p-1", "--by", "E01", "--approved-by", "E02", "--effective-from", _FROM, "--at", _FROM)


class Document(NamedTuple):
    """A schema of docs/schemas/, and calls of which every line (`rows`) or the whole answer is such a document.

    What `before` calls is needed for them and not looked at.
    """

    schema: str
    calls: tuple[tuple[str, ...], ...]
    rows: bool = True
    code: int | None = 0
    before: tuple[tuple[str, ...], ...] = ()


DOCUMENTS = (
    Document("list-row", (("list",), ("list", "--seat", "2"))),
    Document("missing-row", (("list", "--missing"),)),
    Document("replay", (("replay", "--all"),)),
    Document("recheck", (("recheck",), ("recheck", "--status", "voided")), rows=False),
    Document("what-if", (("recheck", "--with", "house-way=mbs"),), rows=False),
    Document("balance-row", (("balance",), ("balance", "P003"))),
    Document("meter-row", (("meter", "list"),)),
    Document("meter", (("meter", "show", "HB-LINK-SC"), ("meter", "show", "RV-PROG-F")), rows=False),
    Document(
        "meter-report",
        (("meter", "report"), ("meter", "report", "--month", "--meter", "HB-LINK-SC"), ("meter", "report", "--year")),
        rows=False,
    ),
    Document("meter-exception", (("meter", "report", "--exceptions"),)),
    Document("meter-life", (("meter", "plot", "HB-LINK-SC"), ("meter", "plot", "RV-PROG-F")), rows=False),
    Document("jackpot-row", (("jackpot", "list"), ("jackpot", "list", "--state", "open"))),
    Document("jackpot", (("jackpot", "show", "HB-HCF1-20260501-2"),), rows=False),
    Document("slip-gap", (("jackpot", "list", "--missing-slips"),)),
    Document("verify", (("verify",),), rows=False),
    Document("anchor", (("anchor",),), rows=False),
    Document("sheet", (("sheet", "show", "--sample", "fortune-cardroom@1"), ("sheet", "show", "fortune-riverside@1"))),
    Document(
        "published-sheet",
        (
            ("sheet", "publish", "sheet.json", *WHO, "--dry-run"),
            ("sheet", "publish", "sheet.json", *WHO),
            ("sheet", "publish", "sheet.json", *WHO),
        ),
        rows=False,
        before=(("sheet", "show", "--sample", "fortune-cardroom@1", "-o", "sheet.json"),),
    ),
    Document(
        "published-sheet",
        (("sheet", "publish", "sheet.json", *WHO, "--command-id", "p-2"),),
        rows=False,
        code=1,
        before=(
            ("sheet", "show", "--sample", "fortune-cardroom@1", "-o", "sheet.json"),
            ("sheet", "publish", "sheet.json", *WHO),
        ),
    ),
    Document("sheet-row", (("sheet", "list"), ("sheet", "list", "--samples"))),
    Document("game-row", (("game", "list"),)),
    Document("game", (("game", "show", "fortune"), ("game", "show", "high_card_flush")), rows=False),
    Document("paytable-row", (("paytable", "list"),)),
    Document(
        "paytable",
        (
            ("paytable", "show", "SEED4-BONUS", "--sample", "fortune-cardroom@1"),
            ("paytable", "show", "678a.12(c)-TRADE-2"),
        ),
        rows=False,
    ),
    Document("explanation", (("explain",), ("explain", "hand.foul"))),
    Document("exit-code", (("explain", "exit-codes"),)),
    Document("projection-row", (("projection", "status"),)),
    Document("backup", (("backup", "night.backup"), ("backup", "night.backup", "--force")), rows=False),
    Document(
        "restored",
        (
            ("restore", "night.backup", "--db", "sqlite:///back.db"),
            ("import", "log.jsonl", "--db", "sqlite:///moved.db"),
        ),
        rows=False,
        before=(("backup", "night.backup"), ("export", "-o", "log.jsonl")),
    ),
    Document("export-line", (("export",), ("export", "--after", "3", "--until", "5"))),
    Document("projection-row", (("projection", "rebuild", "balances"),)),
    Document("db-upgrade", (("db", "upgrade"), ("db", "upgrade", "--db", "sqlite:///new.db")), rows=False),
    Document("db-roles", (("db", "roles"),), rows=False),
    Document("db-status", (("db", "status"),), rows=False),
    Document("version", (("version",),), rows=False),
)

ELSEWHERE = {("record",), ("simulate",)}
"""Commands whose answers are receipts or the feed's commands, which have schemas and tests of their own."""
TEXT = {("demo",), ("completion",)}
"""Commands that write nothing but text."""
