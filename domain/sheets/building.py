"""Building a sheet from content that was checked when it was published; nothing stored is refused here, ever."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from domain.sheets.sheet import Commission, EnvyTable, PayLine, Paytable, Sheet, WagerTerms
from domain.strict_json import canonical

_KEPT = 256
_built: OrderedDict[str, Sheet] = OrderedDict()


def fingerprint(content: Mapping[str, Any]) -> str:
    """The SHA-256 (hex) of the content's canonical JSON: sorted keys, no spaces, UTF-8."""
    return sha256(canonical(content)).hexdigest()


def sheet_of(content_fingerprint: str, content: Mapping[str, Any]) -> Sheet:
    """The sheet of stored, filled-in `content`, built once for each fingerprint."""
    sheet = _built.get(content_fingerprint)
    if sheet is None:
        sheet = _built[content_fingerprint] = build(content_fingerprint, content)
        if len(_built) > _KEPT:
            _built.popitem(last=False)
    return sheet


def build(content_fingerprint: str, content: Mapping[str, Any]) -> Sheet:
    """The sheet of filled-in `content`, which is taken as valid."""
    paytables = {name: _paytable(name, table) for name, table in content["paytables"].items()}
    envy_tables = {name: _envy_table(name, table) for name, table in content.get("envy_tables", {}).items()}
    commission = content.get("commission")
    return Sheet(
        id=content["id"],
        version=content["version"],
        game=content["game"],
        title=content["title"],
        source=content["source"],
        positions=content["positions"],
        options=content["options"],
        player_bank=content["player_bank"],
        two_hands=content["two_hands"],
        wagers={id_: _terms(id_, terms, paytables, envy_tables) for id_, terms in content["wagers"].items()},
        content=content,
        fingerprint=content_fingerprint,
        house_way=content.get("house_way"),
        commission=None if commission is None else Commission(commission["bp"], commission["rounding"]),
        envy_minimum_cents=content.get("envy_minimum_cents"),
        payout_limit_cents=content.get("payout_limit_cents"),
    )


def _paytable(name: str, table: Mapping[str, Any]) -> Paytable:
    return Paytable(name, table["source"], table["ranking"], tuple(PayLine(**line) for line in table["lines"]))


def _envy_table(name: str, table: Mapping[str, Any]) -> EnvyTable:
    return EnvyTable(name, table["source"], {line["hand"]: line["cents"] for line in table["lines"]})


def _terms(
    id_: str, terms: Mapping[str, Any], paytables: Mapping[str, Paytable], envy_tables: Mapping[str, EnvyTable]
) -> WagerTerms:
    envy = terms.get("envy")
    return WagerTerms(
        id=id_,
        paytable=paytables[terms["paytable"]],
        min_cents=terms.get("min_cents"),
        max_cents=terms.get("max_cents"),
        toke_max_cents=terms.get("toke_max_cents"),
        envy=None if envy is None else envy_tables[envy],
        meters=_meters(terms.get("meter", ())),
    )


def _meters(meter: str | Sequence[str]) -> tuple[str, ...]:
    """A wager's meters: a sheet names one, or a list of them."""
    return (meter,) if isinstance(meter, str) else tuple(meter)
