"""The limits of one request: time, series and points. Code takes from the budget before it does the work."""

import math
import time
from contextvars import ContextVar
from typing import Self

from .errors import LimitError, RequestTimeoutError
from .settings import Settings


class RequestBudget:
    """Time, series and points that one request may use, counted from its creation; no limits by default."""

    def __init__(self, seconds: float = math.inf, series: float = math.inf, points: float = math.inf) -> None:
        self._seconds = seconds
        self._ends = time.monotonic() + seconds
        self._max_series, self._max_points = series, points
        self.series = self.points = 0

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        """Start a budget with the limits of the settings."""
        return cls(settings.request_timeout_ms / 1000, settings.max_series, settings.max_points)

    def seconds_left(self) -> float:
        """Seconds that the request may still take; raises :class:`RequestTimeoutError` when there are none."""
        left = self._ends - time.monotonic()
        if left <= 0:
            limit = round(self._seconds * 1000)
            raise RequestTimeoutError(f"the request took longer than {limit} ms (RONDO_API_REQUEST_TIMEOUT_MS)")
        return left

    def check_series(self, number: int) -> None:
        """Raise :class:`LimitError` if reading ``number`` more series would exceed the limit."""
        check_limit("series", self.series + number, self._max_series, "max_series")

    def take_series(self, number: int) -> None:
        """Count series that were found; raises :class:`LimitError` when there are too many."""
        self.check_series(number)
        self.series += number

    def take_points(self, number: int) -> None:
        """Count points before they are read or computed; raises :class:`LimitError` when there are too many."""
        self.points += number
        check_limit("points", self.points, self._max_points, "max_points")


def check_limit(what: str, number: float, most: float, setting: str) -> None:
    """Raise :class:`LimitError` that names the setting if ``number`` exceeds ``most``."""
    if number > most:
        raise LimitError(f"{number} {what}, at most {most} (RONDO_API_{setting.upper()})", setting)


_current: ContextVar[RequestBudget] = ContextVar("request_budget")
_unlimited = RequestBudget()


def begin(request_budget: RequestBudget) -> None:
    """Set the budget of the request that this thread serves."""
    _current.set(request_budget)


def current() -> RequestBudget:
    """Budget of the request that this thread serves; without limits outside of requests."""
    return _current.get(_unlimited)
