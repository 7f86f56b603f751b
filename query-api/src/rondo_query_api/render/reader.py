"""Stored series as functions take them."""

from collections.abc import Mapping, Sequence

from .. import allowance
from ..events import EventStore
from ..fetch import Fetch, Series
from ..find import SeriesFinder
from ..idents import tags_of
from ..timeseries import TimeSeries

Range = tuple[int, int, str]


class Reader:
    """Reads for one request; what targets share is found once and, over the same time, read once."""

    def __init__(self, finder: SeriesFinder, fetch: Fetch, events: EventStore) -> None:
        self._finder = finder
        self._fetch = fetch
        self._events = events
        self._found: dict[str | tuple[str, ...], list[Series]] = {}
        self._read: dict[tuple[str | tuple[str, ...], Range], list[TimeSeries]] = {}

    def read(self, pattern: str, start: int, end: int, cf: str) -> list[TimeSeries]:
        """Series that the pattern matches, by name; data in (start, end], epoch seconds."""
        if pattern not in self._found:
            self._found[pattern] = self._finder.series(pattern)
        return self._series(pattern, pattern, (start, end, cf))

    def read_tagged(self, expressions: Sequence[str], path: str, start: int, end: int, cf: str) -> list[TimeSeries]:
        """Series that all the tag expressions match, by name."""
        key = tuple(expressions)
        if key not in self._found:
            self._found[key] = self._finder.series_by_tags(expressions)
        return self._series(key, path, (start, end, cf))

    def events(self, tags: Sequence[str], start: int, end: int) -> Mapping[int, int]:
        """Count events that have all the tags, by second, from start to before end; only seconds that have any."""
        return self._events.counts(start, end, tags)

    def _series(self, key: str | tuple[str, ...], path: str, over: Range) -> list[TimeSeries]:
        allowance.current().take_series(len(self._found[key]))
        if (key, over) not in self._read:
            values = self._fetch.values(self._found[key], *over)
            self._read[key, over] = [
                TimeSeries(each.path, *values[each.id][0], values[each.id][1], path, tags_of(each.path))
                for each in self._found[key]
                if each.id in values
            ]
        return list(self._read[key, over])
