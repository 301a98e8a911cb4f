"""Which store is meant: the URL, where it comes from, and what it says without opening it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from ledger.errors import StoreUrlInvalid

DEFAULT_URL = "sqlite:///rounds.db"
URL_VARIABLE = "ROUNDS_DB"

_SCHEME = re.compile(r"(?P<dialect>[a-z]+)(?:\+[a-z0-9_]+)?://")
_DIALECTS = ("sqlite", "postgresql")


def database_url(given: str | None = None, environment: Mapping[str, str] = os.environ) -> str:
    """The store's URL: the one given, else ROUNDS_DB, else `rounds.db` in the current folder."""
    return given or environment.get(URL_VARIABLE) or DEFAULT_URL


def dialect_of(url: str) -> str:
    """The kind of database that `url` names; `StoreUrlInvalid` where it is none that can hold a ledger.

    >>> dialect_of("sqlite:///rounds.db")
    'sqlite'
    """
    match = _SCHEME.match(url)
    if match is None or match["dialect"] not in _DIALECTS:
        raise StoreUrlInvalid(
            f"{shown(url)} names no database; write it like {DEFAULT_URL} or postgresql+psycopg://user@host/rounds"
        )
    return match["dialect"]


def sqlite_file(url: str) -> Path:
    """The file that a SQLite `url` names; `StoreUrlInvalid` where it names none.

    >>> sqlite_file("sqlite:////var/lib/rounds.db").as_posix()
    '/var/lib/rounds.db'
    """
    path = url.partition("://")[2].partition("?")[0].removeprefix("/")
    if not path or path == ":memory:" or path.startswith("file:"):
        raise StoreUrlInvalid(f"{shown(url)} names no file, and a ledger in memory keeps nothing; write {DEFAULT_URL}")
    return Path(path)


def shown(url: str) -> str:
    """`url` as it may be printed: without its password.

    >>> shown("postgresql+psycopg://pit:secret@db/rounds")
    'postgresql+psycopg://pit:***@db/rounds'
    """
    return re.sub(r"(://[^:/@]*):[^@/]*@", r"\1:***@", url)
