"""What one request may still use: time, series and points. What costs one takes it from here first."""

import math
import time
from contextvars import ContextVar
from typing import Self

from .errors import LimitError, RequestTimeoutError
from .settings import Settings


class Allowance:
    """Of one request, from its beginning on; without limits where nothing is given."""

    def __init__(self, seconds: float = math.inf, series: float = math.inf, points: float = math.inf) -> None:
        self._seconds = seconds
        self._ends = time.monotonic() + seconds
        self._most_series, self._most_points = series, points
        self.series = self.points = 0

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Begin one by the settings."""
        return cls(settings.request_timeout_ms / 1000, settings.max_series, settings.max_points)

    def seconds_left(self) -> float:
        """Time that is left; raises :class:`RequestTimeoutError` when none is."""
        left = self._ends - time.monotonic()
        if left <= 0:
            limit = round(self._seconds * 1000)
            raise RequestTimeoutError(f"the request took longer than {limit} ms (RONDO_API_REQUEST_TIMEOUT_MS)")
        return left

    def check_series(self, number: int) -> None:
        """Raise :class:`LimitError` where so many more would be too many."""
        check("series", self.series + number, self._most_series, "max_series")

    def take_series(self, number: int) -> None:
        """Count series that were found; raises :class:`LimitError`."""
        self.check_series(number)
        self.series += number

    def take_points(self, number: int) -> None:
        """Count points before they are read or computed; raises :class:`LimitError`."""
        self.points += number
        check("points", self.points, self._most_points, "max_points")


def check(what: str, number: float, most: float, setting: str) -> None:
    """Raise :class:`LimitError` that names the setting where there are more than it allows."""
    if number > most:
        raise LimitError(f"{number} {what}, at most {most} (RONDO_API_{setting.upper()})", setting)


_current: ContextVar[Allowance] = ContextVar("allowance")
_unlimited = Allowance()


def begin(allowance: Allowance) -> None:
    """Make it the one of the request that this thread answers."""
    _current.set(allowance)


def current() -> Allowance:
    """Find the one of the request that this thread answers; outside of requests nothing is limited."""
    return _current.get(_unlimited)
