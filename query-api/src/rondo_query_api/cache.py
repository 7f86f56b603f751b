"""In-memory cache of /render responses, one for each process."""

import math
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from cachetools import TLRUCache
from flask import Response

from . import metrics, scopes
from .params import Params

Key = tuple[str, tuple[tuple[str, tuple[str, ...]], ...]]  # name of the scope, parameters
IGNORED_PARAMETERS = ("noCache", "_")
# Approximate bytes of a cache entry besides the body.
OVERHEAD = 500


@dataclass(frozen=True)
class Rendered:
    """A rendered body, fresh for ``seconds``. 0 is not cached, nor is a streamed body (an iterable)."""

    body: bytes | Iterable[bytes]
    media_type: str
    seconds: int

    def response(self, seconds: float) -> Response:
        """HTTP response with this body that clients may cache for ``seconds``."""
        response = Response(self.body, mimetype=self.media_type)
        response.headers["Cache-Control"] = f"max-age={int(seconds)}" if seconds >= 1 else "no-store"
        return response


class ResponseCache:
    """Least recently used bodies leave when all together exceed ``max_bytes``."""

    def __init__(self, max_bytes: int) -> None:
        self._lock = threading.Lock()
        # Values are (body, when it expires on the monotonic clock).
        self._entries: TLRUCache[Key, tuple[Rendered, float]] = TLRUCache(
            max_bytes,
            ttu=lambda key, entry, now: entry[1],
            timer=time.monotonic,
            getsizeof=lambda entry: _size(entry[0]),
        )

    def response(self, params: Params, may_cache: bool, render: Callable[[], Rendered]) -> Response:
        """Return the cached response to the same parameters in the same scope, else that of ``render()``.

        Without ``may_cache`` the cache is neither read nor written.
        """
        if not may_cache:
            metrics.CACHE_REQUESTS.labels("bypass").inc()
            return render().response(0)
        key = scopes.name(), tuple(each for each in params.every() if each[0] not in IGNORED_PARAMETERS)
        with self._lock:
            entry = self._entries.get(key)
        if entry:
            metrics.CACHE_REQUESTS.labels("hit").inc()
            rendered, expires_at = entry
            return rendered.response(max(1, expires_at - time.monotonic()))
        metrics.CACHE_REQUESTS.labels("miss").inc()
        rendered = render()
        if rendered.seconds and _size(rendered) <= self._entries.maxsize:
            with self._lock:
                self._entries[key] = (rendered, time.monotonic() + rendered.seconds)
        return rendered.response(rendered.seconds)


def _size(rendered: Rendered) -> float:
    """Bytes of the cache entry; infinite for a streamed body, so that it is never cached."""
    return len(rendered.body) + OVERHEAD if isinstance(rendered.body, bytes) else math.inf
