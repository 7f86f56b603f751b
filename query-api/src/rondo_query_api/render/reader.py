"""Reads stored series for functions."""

from collections.abc import Iterable, Mapping, Sequence

from ..events import EventStore
from ..fetch.archives import Wanted
from ..fetch.read_plan import REDUCTION
from ..fetch.series import Series, SeriesKey
from ..fetch.values import Fetch, Fetched, Window
from ..find.idents import tags_of
from ..find.series import SeriesFinder
from ..limits import request_budget
from ..timeseries import AVERAGE, TimeSeries

Found = str | tuple[str, ...]


class Reader:
    """Reads for one request; series that targets share are found once and, for the same range, read once."""

    def __init__(self, finder: SeriesFinder, fetch: Fetch, events: EventStore) -> None:
        self._finder = finder
        self._fetch = fetch
        self._events = events
        self._found: dict[Found, list[Series]] = {}
        self._read: dict[tuple[Found, Window], list[TimeSeries]] = {}

    def prepare(self, patterns: Iterable[tuple[str, Window]]) -> None:
        """Find the series that match the patterns, and read all of them in one statement.

        Those that have moved or gone since they were found are looked for again.
        """
        wanted = [
            (pattern, window) for pattern, window in dict.fromkeys(patterns) if (pattern, window) not in self._read
        ]
        if not wanted:
            return
        self._find(pattern for pattern, _ in wanted if pattern not in self._found)
        fetched = self._fetch_all(wanted)
        if gone := [pattern for pattern, values in fetched if not self._has_all(pattern, values)]:
            self._finder.forget(gone)
            self._find(gone)
            fetched = self._fetch_all(wanted)
        for (pattern, window), (_, values) in zip(wanted, fetched, strict=True):
            self._keep(pattern, pattern, window, values)

    def read(self, pattern: str, start: int, end: int, wanted: Wanted) -> list[TimeSeries]:
        """Series that match the pattern, sorted by name; data in (start, end], epoch seconds."""
        window = Window(start, end, wanted)
        self.prepare([(pattern, window)])
        return self._taken(pattern, window)

    def read_tagged(
        self, expressions: Sequence[str], path: str, start: int, end: int, wanted: Wanted
    ) -> list[TimeSeries]:
        """Series that match all tag expressions, sorted by name."""
        key, window = tuple(expressions), Window(start, end, wanted)
        if key not in self._found:
            self._found[key] = self._finder.series_by_tags(expressions)
        if (key, window) not in self._read:
            request_budget.current().check_series(len(self._found[key]))
            values = self._fetch.values(self._found[key], window)
            if not self._has_all(key, values):
                self._found[key] = self._finder.series_by_tags(expressions)
                values = self._fetch.values(self._found[key], window)
            self._keep(key, path, window, values)
        return self._taken(key, window)

    def events(self, tags: Sequence[str], start: int, end: int) -> Mapping[int, int]:
        """Count the events that have all the tags, by second, from start to before end; absent where there are none."""
        return self._events.counts(start, end, tags)

    def _find(self, patterns: Iterable[str]) -> None:
        for pattern, series in self._finder.each(list(dict.fromkeys(patterns))).items():
            self._found[pattern] = series

    def _fetch_all(self, wanted: Sequence[tuple[str, Window]]) -> list[tuple[str, dict[SeriesKey, Fetched]]]:
        """Values of the series found, by pattern; what the request has read already is not read again."""
        found = [(self._found[pattern], window) for pattern, window in wanted]
        request_budget.current().check_series(sum(len(series) for series, _ in found))
        return list(zip((pattern for pattern, _ in wanted), self._fetch.many(found), strict=True))

    def _has_all(self, key: Found, values: dict[SeriesKey, Fetched]) -> bool:
        return all(series.key in values for series in self._found[key])

    def _keep(self, key: Found, path: str, window: Window, values: dict[SeriesKey, Fetched]) -> None:
        self._read[key, window] = [
            TimeSeries(
                each.path,
                *values[each.key].time,
                values[each.key].values,
                path,
                tags_of(each.path),
                nodes=each.path,
                path_nodes=path if path == key else None,
                aggregate=_aggregate(values[each.key].cf, window),
            )
            for each in self._found[key]
            if each.key in values
        ]

    def _taken(self, key: Found, window: Window) -> list[TimeSeries]:
        """Series that were read; each use counts against the request's limit."""
        request_budget.current().take_series(len(self._found[key]))
        return list(self._read[key, window])


def _aggregate(cf: str, window: Window) -> str:
    """Return the function that thins what was read: that of the values, if no target asked for one."""
    return AVERAGE if window.wanted.cf else REDUCTION[cf]
