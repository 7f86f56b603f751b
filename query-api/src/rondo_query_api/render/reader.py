"""Reads stored series for functions."""

from collections.abc import Iterable, Mapping, Sequence

from ..events import EventStore
from ..fetch.archives import REDUCTION
from ..fetch.assemble import Fetched
from ..fetch.choose import Wanted, Window
from ..fetch.fetch import Fetch
from ..fetch.series import Series, SeriesKey
from ..find.idents import tags_of
from ..find.series import SeriesFinder
from ..limits import request_budget
from ..timeseries import AVERAGE, TimeSeries

Query = str | tuple[str, ...]  # a pattern, or tag expressions


class Reader:
    """Reads for one request; series that targets share are found once and, for the same range, read once."""

    def __init__(self, finder: SeriesFinder, fetch: Fetch, events: EventStore) -> None:
        self._finder = finder
        self._fetch = fetch
        self._events = events
        self._found: dict[Query, list[Series]] = {}
        self._read: dict[tuple[Query, Window], list[TimeSeries]] = {}

    def prepare(self, patterns: Iterable[tuple[str, Window]]) -> None:
        """Find the series that match the patterns, and read all of them in one statement."""
        self._prepare([(pattern, pattern, window) for pattern, window in dict.fromkeys(patterns)])

    def read(self, pattern: str, start: int, end: int, wanted: Wanted) -> list[TimeSeries]:
        """Series that match the pattern, sorted by name; data in (start, end], epoch seconds."""
        return self._series(pattern, pattern, Window(start, end, wanted))

    def read_tagged(
        self, expressions: Sequence[str], path: str, start: int, end: int, wanted: Wanted
    ) -> list[TimeSeries]:
        """Series that match all tag expressions, sorted by name."""
        return self._series(tuple(expressions), path, Window(start, end, wanted))

    def events(self, tags: Sequence[str], start: int, end: int) -> Mapping[int, int]:
        """Count the events that have all the tags, by second, from start to before end; seconds without are absent."""
        return self._events.counts(start, end, tags)

    def _series(self, query: Query, path: str, window: Window) -> list[TimeSeries]:
        """Series that match the query; each use counts against the request's limit."""
        self._prepare([(query, path, window)])
        request_budget.current().take_series(len(self._found[query]))
        return list(self._read[query, window])

    def _prepare(self, reads: Sequence[tuple[Query, str, Window]]) -> None:
        """Read what is not read yet. A query is looked up again if one of its series has moved or was deleted."""
        reads = [each for each in reads if (each[0], each[2]) not in self._read]
        if not reads:
            return
        self._find(query for query, _, _ in reads if query not in self._found)
        fetched = self._fetch_values(reads)
        of_query = zip((query for query, _, _ in reads), fetched, strict=True)
        if changed := [query for query, values in of_query if any(s.key not in values for s in self._found[query])]:
            self._finder.forget(query for query in changed if isinstance(query, str))
            self._find(changed)
            fetched = self._fetch_values(reads)
        for (query, path, window), values in zip(reads, fetched, strict=True):
            self._keep(query, path, window, values)

    def _find(self, queries: Iterable[Query]) -> None:
        patterns: dict[str, None] = {}
        for query in queries:
            if isinstance(query, str):
                patterns[query] = None
            else:
                self._found[query] = self._finder.series_by_tags(query)
        self._found.update(self._finder.each(list(patterns)))

    def _fetch_values(self, reads: Sequence[tuple[Query, str, Window]]) -> list[dict[SeriesKey, Fetched]]:
        found = [(self._found[query], window) for query, _, window in reads]
        request_budget.current().check_series(sum(len(series) for series, _ in found))
        return self._fetch.values(found)

    def _keep(self, query: Query, path: str, window: Window, values: dict[SeriesKey, Fetched]) -> None:
        self._read[query, window] = [
            TimeSeries(
                each.path,
                *values[each.key].time,
                values[each.key].values,
                path,
                tags_of(each.path),
                nodes=each.path,
                path_nodes=path if path == query else None,
                aggregate=_aggregate(values[each.key].cf, window),
            )
            for each in self._found[query]
            if each.key in values
        ]


def _aggregate(cf: str, window: Window) -> str:
    """Return the function that thins values that were read: their own, unless a target names another."""
    return AVERAGE if window.wanted.cf else REDUCTION[cf]
