"""Rate limits by client: token buckets."""

import threading
import time
from collections.abc import Callable, Mapping

from cachetools import LRUCache

MAX_CLIENTS = 10_000


class Rates:
    """Each of the most recent clients has a bucket of ``burst`` tokens, refilled with ``per_second``.

    Clients in ``others`` have separate rates per second, which are also the sizes of their buckets.
    """

    def __init__(
        self,
        per_second: float,
        burst: float,
        clock: Callable[[], float] = time.monotonic,
        others: Mapping[str, float] | None = None,
    ) -> None:
        self._per_second, self._burst, self._clock, self._others = per_second, burst, clock, others or {}
        self._lock = threading.Lock()
        self._buckets: LRUCache[str, tuple[float, float]] = LRUCache(MAX_CLIENTS)  # tokens, and when they were counted

    def take(self, client: str) -> float:
        """Take a token; return 0, or the seconds until there is one."""
        now = self._clock()
        per_second = self._others.get(client, self._per_second)
        burst = self._others.get(client, self._burst)
        with self._lock:
            tokens, then = self._buckets.get(client, (burst, now))
            tokens = min(burst, tokens + (now - then) * per_second)
            taken = tokens >= 1
            self._buckets[client] = (tokens - taken, now)
        return 0.0 if taken else (1 - tokens) / per_second
