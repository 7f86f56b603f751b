"""Answers of /render, kept for a short time in the memory of this process."""

import math
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from cachetools import TLRUCache
from flask import Response

from . import measures
from .params import Params

Key = tuple[tuple[str, tuple[str, ...]], ...]
NOT_ASKED = ("noCache", "_")
# What is kept of an answer besides its body, about.
OVERHEAD = 500


@dataclass(frozen=True)
class Answer:
    """``seconds`` is how long it may be shown; 0 is not kept at all, nor is one that is made as it is sent."""

    body: bytes | Iterable[bytes]
    media_type: str
    seconds: int

    def response(self, seconds: float) -> Response:
        """Make a response of it, to be kept by others for so long."""
        response = Response(self.body, mimetype=self.media_type)
        response.headers["Cache-Control"] = f"max-age={int(seconds)}" if seconds >= 1 else "no-store"
        return response


class ResponseCache:
    """At most ``most_bytes`` of answers; the one that was not asked for the longest gives way."""

    def __init__(self, most_bytes: int) -> None:
        self._lock = threading.Lock()
        self._answers: TLRUCache[Key, tuple[Answer, float]] = TLRUCache(
            most_bytes,
            ttu=lambda key, kept, now: kept[1],
            timer=time.monotonic,
            getsizeof=lambda kept: _size(kept[0]),
        )

    def response(self, params: Params, may_keep: bool, answer: Callable[[], Answer]) -> Response:
        """Answer as to the same parameters before, else by ``answer()``; without ``may_keep`` always by it."""
        if not may_keep:
            measures.CACHE.labels("passed by").inc()
            return answer().response(0)
        key = tuple(each for each in params.every() if each[0] not in NOT_ASKED)
        with self._lock:
            kept = self._answers.get(key)
        if kept:
            measures.CACHE.labels("hit").inc()
            return kept[0].response(max(1, kept[1] - time.monotonic()))
        measures.CACHE.labels("miss").inc()
        new = answer()
        if new.seconds and _size(new) <= self._answers.maxsize:
            with self._lock:
                self._answers[key] = (new, time.monotonic() + new.seconds)
        return new.response(new.seconds)


def _size(answer: Answer) -> float:
    """Bytes that it takes here; endless for one that is made as it is sent."""
    return len(answer.body) + OVERHEAD if isinstance(answer.body, bytes) else math.inf
