"""The limits of one request: time, series, points, rows, names. Code takes from the budget before it works."""

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Self, TypeVar

from ..errors import ClientGoneError, LimitError, RequestTimeoutError
from ..settings import Settings

T = TypeVar("T")
# Values between two checks of the clock: some milliseconds of Python.
CHECK_EVERY = 10_000
# Bytes of a derived series besides its name and its values.
OVERHEAD = 500


class RequestBudget:
    """Budget of one request from its creation; no limits by default.

    Series are those that are read; points are read or derived; rows are read from the tables of names; derived bytes
    are those of the names of derived series.
    """

    def __init__(
        self,
        seconds: float = math.inf,
        series: float = math.inf,
        points: float = math.inf,
        rows: float = math.inf,
        derived_bytes: float = math.inf,
    ) -> None:
        self._seconds = seconds
        self._ends = time.monotonic() + seconds
        self._max_series, self._max_points = series, points
        self._points_key = "RONDO_API_MAX_POINTS"
        self._max_rows, self._max_derived_bytes = rows, derived_bytes
        self._gone = False
        self._lock = threading.Lock()
        self._statements: list[Callable[[], None]] = []
        self.series = self.points = self.rows = self.derived_bytes = 0

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        """Start a budget with the limits of the settings."""
        return cls(
            settings.request_timeout_ms / 1000,
            settings.max_series,
            settings.max_points,
            settings.max_rows,
            settings.max_derived_bytes,
        )

    def seconds_left(self) -> float:
        """Seconds that the request may still take.

        Raises :class:`RequestTimeoutError` if there are none, :class:`ClientGoneError` if the client has disconnected.
        """
        if self._gone:
            raise ClientGoneError("the client has disconnected")
        left = self._ends - time.monotonic()
        if left <= 0:
            limit = round(self._seconds * 1000)
            raise RequestTimeoutError(f"the request took longer than {limit} ms (RONDO_API_REQUEST_TIMEOUT_MS)")
        return left

    def abandon(self) -> None:
        """Cancel the running statements, and the request at its next check, because the client has disconnected."""
        with self._lock:
            self._gone = True
            for cancel in self._statements:
                cancel()

    @contextmanager
    def running(self, cancel: Callable[[], None]) -> Iterator[None]:
        """Let :meth:`abandon` cancel a statement only while it runs; later another request may use its connection."""
        with self._lock:
            self._statements.append(cancel)
        try:
            yield
        finally:
            with self._lock:
                self._statements.remove(cancel)

    def check_series(self, number: int) -> None:
        """Raise :class:`LimitError` if reading ``number`` more series would exceed the limit."""
        check_limit("series", self.series + number, self._max_series, "max_series")

    def series_left(self) -> float:
        """Series that may still be read."""
        return self._max_series - self.series

    def take_series(self, number: int) -> None:
        """Count series that were found; raises :class:`LimitError` when there are too many."""
        self.check_series(number)
        self.series += number

    def take_points(self, number: int) -> None:
        """Count points before they are read or computed; raises :class:`LimitError` when there are too many."""
        self.points += number
        check_limit("points", self.points, self._max_points, "max_points", self._points_key)

    def limit_points(self, most: int, key: str) -> None:
        """Allow at most ``most`` points instead of those of the settings; errors name ``key``."""
        self._max_points, self._points_key = most, key

    def take_derived(self, name: str, points: int) -> None:
        """Count a derived series; raises as :meth:`seconds_left` and :meth:`take_points`."""
        self.seconds_left()
        self.derived_bytes += OVERHEAD + len(name)
        check_limit("bytes of derived series' names", self.derived_bytes, self._max_derived_bytes, "max_derived_bytes")
        if points:
            self.take_points(points)

    def rows_left(self) -> float:
        """Rows that may still be read."""
        return self._max_rows - self.rows

    def take_rows(self, number: int) -> None:
        """Count rows that were read; raises :class:`LimitError` when there are too many."""
        self.rows += number
        check_limit("rows", self.rows, self._max_rows, "max_rows")


def check_limit(what: str, number: float, most: float, setting: str, key: str = "") -> None:
    """Raise :class:`LimitError` that names the setting, or the key instead, if ``number`` exceeds ``most``."""
    if number > most:
        raise LimitError(f"{number} {what}, at most {most} ({key or f'RONDO_API_{setting.upper()}'})", setting)


_current: ContextVar[RequestBudget] = ContextVar("request_budget")
_unlimited = RequestBudget()


def begin(request_budget: RequestBudget) -> None:
    """Set the budget of the request that this thread serves."""
    _current.set(request_budget)


def current() -> RequestBudget:
    """Budget of the request that this thread serves; without limits outside of requests."""
    return _current.get(_unlimited)


def timely(values: Sequence[T]) -> Iterator[T]:
    """Values one by one; raises between some of them when the request has no time left."""
    for begin in range(0, len(values), CHECK_EVERY):
        current().seconds_left()
        yield from values[begin : begin + CHECK_EVERY]


def at_most(number: int | None) -> int | None:
    """Rows to ask for: this number, or one more than the request may read, so that an excess is noticed."""
    left = current().rows_left()
    if number is not None and number <= left:
        return number
    return None if math.isinf(left) else max(0, int(left)) + 1
