"""Which store is meant, before anything is opened."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

import ledger.codec
import ledger.recorder
import ledger.settings
from ledger.errors import StoreUrlInvalid
from ledger.settings import database_url, dialect_of, shown, sqlite_file


@pytest.mark.parametrize("module", [ledger.settings, ledger.codec, ledger.recorder])
def test_the_examples_in_the_docstrings_hold(module: object) -> None:
    tried = doctest.testmod(module)  # type: ignore[arg-type]
    assert tried.attempted > 0
    assert tried.failed == 0


def test_the_url_given_comes_before_the_environment_and_that_before_the_default() -> None:
    environment = {"ROUNDS_DB": "sqlite:///pit.db"}
    assert database_url("sqlite:///mine.db", environment) == "sqlite:///mine.db"
    assert database_url(None, environment) == "sqlite:///pit.db"
    assert database_url(None, {}) == "sqlite:///rounds.db"
    assert database_url(None, {"ROUNDS_DB": ""}) == "sqlite:///rounds.db"


@pytest.mark.parametrize("url", ["rounds.db", "", "mysql://db/rounds", "file:///rounds.db", "sqlite:/rounds.db"])
def test_a_url_that_names_no_store_is_refused_with_the_right_form(url: str) -> None:
    with pytest.raises(StoreUrlInvalid, match=r"write it like sqlite:///rounds\.db"):
        dialect_of(url)


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///", "sqlite:///:memory:", "sqlite:///file:x?mode=memory"])
def test_a_ledger_is_a_file(url: str) -> None:
    with pytest.raises(StoreUrlInvalid, match="names no file"):
        sqlite_file(url)


def test_files_are_found_relative_and_absolute() -> None:
    assert sqlite_file("sqlite:///pit/rounds.db") == Path("pit/rounds.db")
    assert sqlite_file("sqlite:////pit/rounds.db") == Path("/pit/rounds.db")
    assert sqlite_file("sqlite:///rounds.db?timeout=5") == Path("rounds.db")


def test_a_password_is_never_shown() -> None:
    assert shown("postgresql://pit:p@ss:word@db/rounds") == "postgresql://pit:***@ss:word@db/rounds"
    assert shown("sqlite:///rounds.db") == "sqlite:///rounds.db"
