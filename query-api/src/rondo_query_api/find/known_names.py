"""A cache of the series that were found by their names.

Another series may have a cached id by now: after a restore of the database, or from a replica that lags, ids are
assigned again. The statement that reads slots (``sql/slots.sql``) checks that the id still has this ident and has not
moved. A stale entry therefore never causes a wrong response, only another look-up. Names without a series are not
cached. Each scope has its own entries.
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
        """Series of that name; empty if it is not cached."""
        with self._lock:
            series = self._series.get((scopes.name(), name))
        return [series] if series else []

    def add(self, found: Iterable[Series]) -> None:
        """Cache series by their names."""
        with self._lock:
            self._series.update(((scopes.name(), series.path), series) for series in found)

    def forget(self, names: Iterable[str]) -> None:
        """Drop these names."""
        with self._lock:
            for name in names:
                self._series.pop((scopes.name(), name), None)
