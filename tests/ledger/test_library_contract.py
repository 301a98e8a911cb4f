"""The library's own recorder cases on the ledger's recorder: what the library expects of one is what it gets.

Two of its habits are not the ledger's, and a shim undoes them for these cases only: it numbers some streams from 0,
the ledger's begin at 1, and its aggregate cases want no positions back, being written for recorders that have none.
`optional_test_insert_subscribe` is not taken: subscriptions are not offered, which `test_recorder` holds.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar
from uuid import UUID

from eventsourcing.persistence import AggregateRecorder, ApplicationRecorder, StoredEvent
from eventsourcing.tests.persistence import AggregateRecorderTestCase, ApplicationRecorderTestCase

from ledger.recorder import SqlRecorder
from ledger.store import Store, open_store
from tests.ledger.play import url_of
from tests.postgres import Databases

S = TypeVar("S", bound=StoredEvent)


class FromZero(SqlRecorder):
    """The recorder for streams that are numbered from 0."""

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int]:
        return super().insert_events([_moved(each, 1) for each in stored_events], **kwargs)

    def select_events(
        self, originator_id: UUID | str, *, gt: int | None = None, lte: int | None = None, **kwargs: Any
    ) -> Sequence[StoredEvent]:
        gt, lte = (None if each is None else each + 1 for each in (gt, lte))
        return [_moved(each, -1) for each in super().select_events(originator_id, gt=gt, lte=lte, **kwargs)]

    def select_notifications(self, *args: Any, **kwargs: Any) -> Any:
        return [_moved(each, -1) for each in super().select_notifications(*args, **kwargs)]


class WithoutPositions(FromZero):
    """The recorder as the library's aggregate cases want it."""

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> None:  # type: ignore[override]
        super().insert_events(stored_events, **kwargs)


def _moved(stored: S, by: int) -> S:
    return replace(stored, originator_version=stored.originator_version + by)


class InFiles:
    """Stores in a temporary folder, closed after each case."""

    def setUp(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._stores: list[Store] = []

    def tearDown(self) -> None:
        for store in self._stores:
            store.close()
        self._folder.cleanup()

    def fresh(self) -> Store:
        store = open_store(url_of(Path(self._folder.name), f"{len(self._stores)}.db"))
        self._stores.append(store)
        return store


class InDatabases:
    """Stores on the tests' server, dropped after each case."""

    def setUp(self) -> None:
        self._databases = Databases()
        self._stores: list[Store] = []

    def tearDown(self) -> None:
        for store in self._stores:
            store.close()
        self._databases.drop()

    def fresh(self) -> Store:
        store = open_store(self._databases.fresh().url)
        self._stores.append(store)
        return store


class TestAsTheLibrarysApplicationRecorderInFiles(InFiles, ApplicationRecorderTestCase[ApplicationRecorder]):
    INITIAL_VERSION = 0

    def create_recorder(self) -> ApplicationRecorder:
        return FromZero(self.fresh())


class TestAsTheLibrarysAggregateRecorderInFiles(InFiles, AggregateRecorderTestCase):
    INITIAL_VERSION = 0

    def create_recorder(self) -> AggregateRecorder:
        return WithoutPositions(self.fresh())


class TestAsTheLibrarysApplicationRecorderInDatabases(InDatabases, ApplicationRecorderTestCase[ApplicationRecorder]):
    INITIAL_VERSION = 0

    def create_recorder(self) -> ApplicationRecorder:
        return FromZero(self.fresh())


class TestAsTheLibrarysAggregateRecorderInDatabases(InDatabases, AggregateRecorderTestCase):
    INITIAL_VERSION = 0

    def create_recorder(self) -> AggregateRecorder:
        return WithoutPositions(self.fresh())
