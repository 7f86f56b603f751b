"""Series that were found by their names, in memory.

An id may be that of another series by now: a restore of the database, or a replica that was behind, gives ids again.
The statement that reads slots checks that the id still has this ident and has not moved, in the snapshot that it reads
(``sql/slots.sql``). What is known therefore never leads to a wrong response, only to another look-up. A name without a
series is not kept. Each scope knows its names alone: what one has found is unknown to the others.
"""

import threading
from collections.abc import Iterable

from cachetools import LRUCache

from ..access import scopes
from ..fetch.series import Series

MAX_NAMES = 20_000


class KnownNames:
    """The most recently used names of one process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._series: LRUCache[tuple[str, str], Series] = LRUCache(MAX_NAMES)

    def series(self, name: str) -> list[Series]:
        """Series of that name; empty if it is not known."""
        with self._lock:
            series = self._series.get((scopes.name(), name))
        return [series] if series else []

    def add(self, found: Iterable[Series]) -> None:
        """Keep series under their names."""
        with self._lock:
            self._series.update(((scopes.name(), series.path), series) for series in found)

    def forget(self, names: Iterable[str]) -> None:
        """Drop these names."""
        with self._lock:
            for name in names:
                self._series.pop((scopes.name(), name), None)
