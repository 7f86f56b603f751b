"""Slots for concurrent requests, shared fairly among clients.

A client is slow if its requests hold a slot for more than ``SLOW_S`` on average, in a window that decays with the
half-life ``HALF_LIFE_S``. Slow clients share half of the slots, so that others always find a slot.
"""

import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from cachetools import LRUCache

from ..access.scopes import Scope
from ..errors import BusyError, TooManyRequestsError
from ..settings import Settings
from .rates import MAX_CLIENTS, Rates

HALF_LIFE_S = 10.0
SLOW_S = 0.25
# Interval at which a waiting request checks whether its client is still slow.
CHECK_INTERVAL_S = 0.25


@dataclass(eq=False)
class RequestSlot:
    """A slot that a request holds."""

    client: str
    began: float
    is_slow: bool


@dataclass
class _Ended:
    """Number of ended requests of a client, the seconds that they held slots, and when the last one ended."""

    requests: float = 0.0
    seconds: float = 0.0
    at: float = 0.0

    def until(self, now: float) -> "_Ended":
        """Decay both sums."""
        left = math.exp2((self.at - now) / HALF_LIFE_S)
        return _Ended(self.requests * left, self.seconds * left, now)


@dataclass
class RequestSlots:
    """Slots of one process, at most ``per_client`` for one client; ``most_waiting`` requests may wait for a slot.

    ``scopes`` are those with separate limits, by their client.
    """

    slots: int
    per_client: int
    most_waiting: int
    rates: Rates
    clock: Callable[[], float] = time.monotonic
    scopes: Mapping[str, Scope] = field(default_factory=dict)
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _running: set[RequestSlot] = field(default_factory=set)
    _ended: "LRUCache[str, _Ended]" = field(default_factory=lambda: LRUCache(MAX_CLIENTS))
    _waiting: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, settings: Settings, scopes: Sequence[Scope] = ()) -> "RequestSlots":
        """Create the slots of the settings and the scopes."""
        limited = {scope.client: scope for scope in scopes}
        others = {key: scope.rate for key, scope in limited.items() if scope.rate}
        rates = Rates(settings.client_rate, settings.client_rate, others=others)
        return cls(settings.threads, settings.client_requests, settings.max_waiting, rates, scopes=limited)

    def acquire(self, client: str, seconds_left: Callable[[], float]) -> RequestSlot:
        """Wait for a slot until ``seconds_left`` raises.

        Raises :class:`TooManyRequestsError` if the client exceeds its rate, :class:`BusyError` if too many wait.
        """
        if wait := self.rates.take(client):
            limited = client in self.scopes and self.scopes[client].rate
            setting = f"rate of the {client} (RONDO_API_SCOPES_FILE)" if limited else "RONDO_API_CLIENT_RATE"
            raise TooManyRequestsError(f"the client sends more requests than {setting} allows", wait)
        with self._changed:
            if not self._may_run(client):
                self._wait(client, seconds_left)
            slot = RequestSlot(client, self.clock(), self._is_slow(client))
            self._running.add(slot)
        return slot

    def release(self, slot: RequestSlot) -> None:
        """Release the slot; idempotent."""
        with self._changed:
            if slot in self._running:
                self._running.remove(slot)
                now = self.clock()
                before = self._ended_of(slot.client, now)
                self._ended[slot.client] = _Ended(before.requests + 1, before.seconds + now - slot.began, now)
                self._changed.notify_all()

    def is_wanted(self) -> bool:
        """Whether a client that is not slow waits only because all slots are taken."""
        with self._changed:
            return any(
                self._running_of(each) < self._slots_of(each) and not self._is_slow(each) for each in self._waiting
            )

    def _wait(self, client: str, seconds_left: Callable[[], float]) -> None:
        waiting = self._waiting
        # A client takes at most half, rounded up, of the places that other clients leave in the queue.
        if waiting.count(client) >= self.most_waiting - len(waiting):
            raise BusyError(f"{len(waiting)} requests are already waiting (RONDO_API_MAX_WAITING)")
        waiting.append(client)
        try:
            while not self._may_run(client):
                self._changed.wait(min(seconds_left(), CHECK_INTERVAL_S))
        finally:
            waiting.remove(client)

    def _may_run(self, client: str) -> bool:
        if len(self._running) >= self.slots:
            return False
        if self._running_of(client) >= self._slots_of(client):
            return False
        if not self._is_slow(client):
            return True
        slow = sum(slot.is_slow or self._is_slow(slot.client) for slot in self._running)
        return slow < max(1, self.slots // 2)

    def _running_of(self, client: str) -> int:
        return sum(slot.client == client for slot in self._running)

    def _slots_of(self, client: str) -> int:
        return (client in self.scopes and self.scopes[client].requests) or self.per_client

    def _is_slow(self, client: str) -> bool:
        """Whether its requests are slow, including those that run and one more that takes no time."""
        now = self.clock()
        ended = self._ended_of(client, now)
        running = [now - slot.began for slot in self._running if slot.client == client]
        return ended.seconds + sum(running) > SLOW_S * (1 + ended.requests + len(running))

    def _ended_of(self, client: str, now: float) -> _Ended:
        return self._ended.get(client, _Ended()).until(now)
