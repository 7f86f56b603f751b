"""Metrics that an application updates. Updates are thread-safe and do not raise."""

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from .names import series
from .native import Point

NS_PER_MS = 1_000_000
LONGEST_NS = 3_600_000_000_000
MANTISSA_BITS = 7  # of a duration: exact to 0.8 %


@dataclass(frozen=True)
class Interval:
    """The time from the end of the last published step to the end of this one, epoch ms."""

    begin_ms: int
    end_ms: int


class Metric:
    """Publishes one or several series."""

    def __init__(self, ident: str, *suffixes: str) -> None:
        self.ident = ident
        self.series = [series(ident, suffix) for suffix in suffixes]

    def collect(self, interval: Interval) -> list[Point]:
        """Return the points of the interval, and start the next one."""
        raise NotImplementedError


class Rate:
    """The two series of events, as in statsd: events in the step, and events per second.

    A rate applies to the time before its point: the first point marks the start.
    """

    def __init__(self, count: bytes, rate: bytes) -> None:
        self._count = count
        self._rate = rate
        self._is_new = True

    def collect(self, interval: Interval, events: int) -> list[Point]:
        """Return the points of the interval."""
        start = [(self._rate, interval.begin_ms, 0.0)] if self._is_new else []
        self._is_new = False
        rate = events * 1000 / (interval.end_ms - interval.begin_ms)
        return [(self._count, interval.end_ms, events), *start, (self._rate, interval.end_ms, rate)]


class Counter(Metric):
    """Counts events; publishes ``name.count`` and ``name.rate``."""

    def __init__(self, ident: str) -> None:
        super().__init__(ident, ".count", ".rate")
        self._rate = Rate(*self.series)
        self._lock = threading.Lock()
        self._total = 0
        self._collected = 0

    def add(self, events: int = 1) -> None:
        """Count events."""
        with self._lock:
            self._total += events

    @property
    def total(self) -> int:
        """Events since the counter was created."""
        return self._total

    def collect(self, interval: Interval) -> list[Point]:
        """Return the points of the interval."""
        now = self._total
        events = now - self._collected
        self._collected = now
        return self._rate.collect(interval, events)


class Gauge(Metric):
    """Publishes the last value that was set, or that of a function, in each step."""

    def __init__(self, ident: str, supplier: Callable[[], float] | None = None) -> None:
        super().__init__(ident, "")
        self._value = math.nan
        self._supplier = supplier

    def set(self, value: float) -> None:
        """Set the value; NaN = unknown."""
        self._value = value

    def collect(self, interval: Interval) -> list[Point]:
        """Return the point of the interval."""
        value = self._value if self._supplier is None else self._supplier()
        return [(self.series[0], interval.end_ms, float(value))]


class Timer(Metric):
    """Durations of events.

    Publishes ``name.count`` and ``name.rate``, and in ms ``name.mean``, ``.min``, ``.max``, ``.p50``, ``.p95`` and
    ``.p99`` of each step with events. Percentiles are exact to 0.8 %; durations are limited to an hour.
    """

    def __init__(self, ident: str) -> None:
        super().__init__(ident, ".count", ".rate", ".mean", ".min", ".max", ".p50", ".p95", ".p99")
        self._rate = Rate(*self.series[:2])
        self._lock = threading.Lock()
        self._durations = Durations()

    def record(self, seconds: float) -> None:
        """Record the duration of an event."""
        with self._lock:
            self._durations.add(seconds)

    @contextmanager
    def time(self) -> Iterator[None]:
        """Record the duration of a block."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.record(time.perf_counter() - start)

    def collect(self, interval: Interval) -> list[Point]:
        """Return the points of the interval."""
        with self._lock:
            step, self._durations = self._durations, Durations()
        points = self._rate.collect(interval, step.count)
        if step.count:
            values = (step.mean_ms(), step.min_ms(), step.max_ms(), *(step.percentile_ms(p) for p in (50, 95, 99)))
            points += [(one, interval.end_ms, value) for one, value in zip(self.series[2:], values, strict=True)]
        return points


class Durations:
    """Durations of one step, counted by their leading bits: at most a few thousand counts."""

    def __init__(self) -> None:
        self.count = 0
        self._sum_ns = 0
        self._min_ns = LONGEST_NS
        self._max_ns = 0
        self._counts: dict[tuple[int, int], int] = {}

    def add(self, seconds: float) -> None:
        """Add a duration; one that is negative or not a number counts as 0."""
        ns = int(min(seconds * 1e9, LONGEST_NS)) if seconds > 0 else 0
        shift = max(ns.bit_length() - 1 - MANTISSA_BITS, 0)
        bucket = (shift, ns >> shift)
        self._counts[bucket] = self._counts.get(bucket, 0) + 1
        self.count += 1
        self._sum_ns += ns
        self._min_ns = min(self._min_ns, ns)
        self._max_ns = max(self._max_ns, ns)

    def mean_ms(self) -> float:
        """Return the mean."""
        return self._sum_ns / self.count / NS_PER_MS

    def min_ms(self) -> float:
        """Return the shortest."""
        return self._min_ns / NS_PER_MS

    def max_ms(self) -> float:
        """Return the longest."""
        return self._max_ns / NS_PER_MS

    def percentile_ms(self, percent: int) -> float:
        """Return the percentile: the upper bound of its bucket."""
        wanted = max(math.ceil(self.count * percent / 100), 1)
        for shift, mantissa in sorted(self._counts):
            wanted -= self._counts[shift, mantissa]
            if wanted <= 0:
                longest_ns = ((mantissa + 1) << shift) - 1
                return min(longest_ns, self._max_ns) / NS_PER_MS
        return self.max_ms()
