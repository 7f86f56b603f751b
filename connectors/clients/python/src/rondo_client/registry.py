"""The metrics of a client and the points of each step, sorted by ident: neighbours in a record share most bytes."""

import threading
from collections.abc import Callable, Mapping
from typing import TypeVar

from .metrics import Counter, Gauge, Interval, Metric
from .names import Names
from .native import Point

M = TypeVar("M", bound=Metric)
MAX_FUTURE_MS = 600_000  # the topology's default max.future.ms: it drops points that are further ahead


class Registry:
    """Metrics that begin at ``begin_ms``, the end of the step before the first one."""

    def __init__(self, names: Names, max_metrics: int, begin_ms: int, warn: Callable[[int, str], None]) -> None:
        self._names = names
        self._max_metrics = max_metrics
        self._end_ms = begin_ms
        self._warn = warn
        self._lock = threading.Lock()
        self._metrics: dict[str, Metric] = {}
        self._series: set[bytes] = set()
        self.published = self._register(Counter(names.ident("rondo_client.published", {})))
        self.dropped = self._register(Counter(names.ident("rondo_client.dropped", {})))

    def get(self, kind: type[M], name: str, tags: Mapping[str, str]) -> M:
        """Return the metric with this name and these tags; create it if there is none."""
        ident = self._names.ident(name, tags)
        with self._lock:
            known = self._metrics.get(ident)
            return known if isinstance(known, kind) else self._add(kind(ident))

    def supplied(self, name: str, tags: Mapping[str, str], supplier: Callable[[], float]) -> Gauge:
        """Return a new gauge with the values of a function."""
        ident = self._names.ident(name, tags)
        with self._lock:
            return self._add(Gauge(ident, supplier))

    def _add(self, metric: M) -> M:
        """Add a new metric; beyond the maximum, it works but is not published."""
        if len(self._metrics) < self._max_metrics:
            return self._register(metric)
        reason = f"'{metric.ident}' is not published: there are {self._max_metrics} metrics (rondo.client.max.metrics)"
        self.drop(len(metric.series), reason)
        return metric

    def _register(self, metric: M) -> M:
        known = self._metrics.get(metric.ident)
        if known is not None:
            raise ValueError(f"'{known.ident}' already exists as a {type(known).__name__}")
        for series in metric.series:
            if series in self._series:
                raise ValueError(f"'{metric.ident}' would publish '{series.decode()}', as another metric does")
        self._metrics[metric.ident] = metric
        self._series.update(metric.series)
        return metric

    def remove(self, metric: Metric) -> None:
        """Remove a metric; another one can take its name."""
        with self._lock:
            if self._metrics.get(metric.ident) is metric:
                del self._metrics[metric.ident]
                self._series.difference_update(metric.series)

    def drop(self, points: int, reason: str) -> None:
        """Count points that are not published."""
        self.dropped.add(points)
        self._warn(self.dropped.total, reason)

    def collect(self, end_ms: int) -> list[Point]:
        """Return the points of all steps since the last call, up to the one that ended at ``end_ms``.

        Return none if that was collected before: a series has at most one point per step. If the clock was so far
        ahead that no point was stored, the next step continues at ``end_ms``.
        """
        if end_ms <= self._end_ms:
            if end_ms < self._end_ms - MAX_FUTURE_MS:
                self._end_ms = end_ms
            return []
        interval = Interval(self._end_ms, end_ms)
        self._end_ms = end_ms
        with self._lock:
            metrics = [metric for _, metric in sorted(self._metrics.items())]
        points: list[Point] = []
        for metric in metrics:
            try:
                points += metric.collect(interval)
            except Exception as e:  # of the application's function
                self.drop(1, f"gauge '{metric.ident}': {e!r}")
        return points
