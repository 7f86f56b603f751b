"""By how much counters of parts have increased lately: they count since the start of a process."""

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping

from cachetools import LRUCache

WINDOW_S = 60.0
MIN_S = 1.0
MAX_PARTS = 1_000


class Increases:
    """Keeps the counters of the last minute by part; of a part that has restarted only those since then."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._looks: LRUCache[str, deque[tuple[float, Mapping[str, float]]]] = LRUCache(MAX_PARTS)

    def add(self, part: str, counters: Mapping[str, float]) -> "Increase":
        """Add the counters of a part; the increase is since the oldest look of the last minute."""
        now = self._clock()
        with self._lock:
            looks = self._looks.get(part, deque())
            self._looks[part] = looks
            if looks and any(counters.get(name, 0.0) < value for name, value in looks[-1][1].items()):
                looks.clear()
            looks.append((now, dict(counters)))
            while now - looks[0][0] > WINDOW_S and len(looks) > 1 and now - looks[1][0] >= MIN_S:
                looks.popleft()
            return Increase(now - looks[0][0], looks[0][1], counters)


class Increase:
    """Counters now, and as they were ``seconds`` ago."""

    def __init__(self, seconds: float, before: Mapping[str, float], now: Mapping[str, float]) -> None:
        self._seconds, self._before, self._now = seconds, before, now

    def rate(self, name: str) -> float | None:
        """Increase a second; None if unknown: an absent counter, or at the first look."""
        if name not in self._now or self._seconds < MIN_S:
            return None
        return (self._now[name] - self._before.get(name, 0.0)) / self._seconds

    def lately(self, name: str) -> float | None:
        """Increase in the last minute, or since the first look; None if unknown as in :meth:`rate`."""
        rate = self.rate(name)
        return None if rate is None else self._now[name] - self._before.get(name, 0.0)
