"""In-memory cache of /render responses, one for each process.

A client never sees older data after newer data: a cached response is not used once any process of this host has sent a
newer one that differs.
"""

import hashlib
import math
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from cachetools import TLRUCache
from flask import Response

from .. import metrics
from ..access import scopes
from ..params import Params
from .newest_reads import NewestReads

Key = bytes  # hash of the name of the scope and the parameters, which may be longer than the body
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


@dataclass(frozen=True)
class Entry:
    """A cached response, the hash of its body, and when it expires, seconds of the monotonic clock."""

    rendered: Rendered
    body: int
    expires_at: float


class ResponseCache:
    """Evicts the least recently used bodies when all together exceed ``max_bytes``."""

    def __init__(self, max_bytes: int, reads: NewestReads) -> None:
        self._lock = threading.Lock()
        self._reads = reads
        self._entries: TLRUCache[Key, Entry] = TLRUCache(
            max_bytes,
            ttu=lambda key, entry, now: entry.expires_at,
            timer=time.monotonic,
            getsizeof=lambda entry: _size(entry.rendered),
        )

    def response(self, params: Params, may_cache: bool, render: Callable[[], Rendered]) -> Response:
        """Return the cached response to the same parameters in the same scope, else that of ``render()``.

        Without ``may_cache`` the cache is neither read nor written, and older cached responses are not used afterwards.
        """
        key = _key(params)
        request = _hash(key)
        with self._lock:
            entry = self._entries.get(key) if may_cache else None
        if entry and self._reads.is_newest(request, entry.body):
            metrics.CACHE_REQUESTS.labels("hit").inc()
            return entry.rendered.response(max(1, entry.expires_at - time.monotonic()))
        metrics.CACHE_REQUESTS.labels("miss" if may_cache else "bypass").inc()
        read_ns = time.monotonic_ns()
        rendered = render()
        body = _hash(rendered.body) if isinstance(rendered.body, bytes) else 0
        self._reads.record(request, body, read_ns)
        if not may_cache:
            return rendered.response(0)
        if rendered.seconds and _size(rendered) <= self._entries.maxsize:
            with self._lock:
                self._entries[key] = Entry(rendered, body, time.monotonic() + rendered.seconds)
        return rendered.response(rendered.seconds)


def _key(params: Params) -> Key:
    request = scopes.name(), [each for each in params.every() if each[0] not in IGNORED_PARAMETERS]
    return hashlib.blake2b(repr(request).encode()).digest()


def _hash(text: bytes) -> int:
    """Hash a text, with the same result in each process."""
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def _size(rendered: Rendered) -> float:
    """Bytes of the cache entry; infinite for a streamed body, so that it is never cached."""
    return len(rendered.body) + OVERHEAD if isinstance(rendered.body, bytes) else math.inf
