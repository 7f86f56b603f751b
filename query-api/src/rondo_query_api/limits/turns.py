"""Which requests run at once: each waits for its turn, and clients whose requests are slow leave room for others.

A client is slow if its requests have a slot for more than ``SLOW_S`` on average; half of what they took is forgotten in
``HALF_LIFE_S``. Slow clients together have half of the slots, so that others always find a slot.
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
# How long a request waits before it looks again whether its client is still a slow one.
LOOK_AGAIN_S = 0.25


@dataclass(eq=False)
class Turn:
    """A request that has a slot."""

    client: str
    began: float
    is_slow: bool


@dataclass
class _Ended:
    """How many requests of a client have ended, how long they had slots, and when the last one ended."""

    requests: float = 0.0
    seconds: float = 0.0
    at: float = 0.0

    def until(self, now: float) -> "_Ended":
        """Leave out what is forgotten."""
        left = math.exp2((self.at - now) / HALF_LIFE_S)
        return _Ended(self.requests * left, self.seconds * left, now)


@dataclass
class Turns:
    """Slots of one process; ``per_client`` of them for one client, and so many requests wait for one.

    ``scopes`` are those with limits of their own, by their client.
    """

    slots: int
    per_client: int
    most_waiting: int
    rates: Rates
    clock: Callable[[], float] = time.monotonic
    scopes: Mapping[str, Scope] = field(default_factory=dict)
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _running: set[Turn] = field(default_factory=set)
    _ended: "LRUCache[str, _Ended]" = field(default_factory=lambda: LRUCache(MAX_CLIENTS))
    _waiting: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, settings: Settings, scopes: Sequence[Scope] = ()) -> "Turns":
        """Slots as the settings and the scopes have them."""
        limited = {scope.client: scope for scope in scopes}
        others = {key: scope.rate for key, scope in limited.items() if scope.rate}
        rates = Rates(settings.client_rate, settings.client_rate, others=others)
        return cls(settings.threads, settings.client_requests, settings.max_waiting, rates, scopes=limited)

    def begin(self, client: str, seconds_left: Callable[[], float]) -> Turn:
        """Wait for a slot, as long as ``seconds_left`` raises nothing.

        Raises :class:`TooManyRequestsError` if the client asks too often, and :class:`BusyError` if too many wait.
        """
        if wait := self.rates.take(client):
            limited = client in self.scopes and self.scopes[client].rate
            setting = f"rate of the {client} (RONDO_API_SCOPES_FILE)" if limited else "RONDO_API_CLIENT_RATE"
            raise TooManyRequestsError(f"the client asks more often than {setting} allows", wait)
        with self._changed:
            if not self._may_run(client):
                self._wait(client, seconds_left)
            turn = Turn(client, self.clock(), self._is_slow(client))
            self._running.add(turn)
        return turn

    def end(self, turn: Turn) -> None:
        """Give the slot back; again is no error."""
        with self._changed:
            if turn in self._running:
                self._running.remove(turn)
                now = self.clock()
                before = self._ended_of(turn.client, now)
                self._ended[turn.client] = _Ended(before.requests + 1, before.seconds + now - turn.began, now)
                self._changed.notify_all()

    def is_wanted(self) -> bool:
        """Whether a client waits whose requests are not slow: it has no other reason than that all slots are taken."""
        with self._changed:
            return any(
                self._running_of(each) < self._slots_of(each) and not self._is_slow(each) for each in self._waiting
            )

    def _wait(self, client: str, seconds_left: Callable[[], float]) -> None:
        waiting = self._waiting
        # A client leaves as many places free as it takes, and several clients together leave one for another client.
        if waiting.count(client) >= self.most_waiting - len(waiting):
            raise BusyError(f"{len(waiting)} requests wait already (RONDO_API_MAX_WAITING)")
        waiting.append(client)
        try:
            while not self._may_run(client):
                self._changed.wait(min(seconds_left(), LOOK_AGAIN_S))
        finally:
            waiting.remove(client)

    def _may_run(self, client: str) -> bool:
        if len(self._running) >= self.slots:
            return False
        if self._running_of(client) >= self._slots_of(client):
            return False
        if not self._is_slow(client):
            return True
        slow = sum(turn.is_slow or self._is_slow(turn.client) for turn in self._running)
        return slow < max(1, self.slots // 2)

    def _running_of(self, client: str) -> int:
        return sum(turn.client == client for turn in self._running)

    def _slots_of(self, client: str) -> int:
        return (client in self.scopes and self.scopes[client].requests) or self.per_client

    def _is_slow(self, client: str) -> bool:
        """Whether its requests are slow, with those that run and one more that takes no time."""
        now = self.clock()
        ended = self._ended_of(client, now)
        running = [now - turn.began for turn in self._running if turn.client == client]
        return ended.seconds + sum(running) > SLOW_S * (1 + ended.requests + len(running))

    def _ended_of(self, client: str, now: float) -> _Ended:
        return self._ended.get(client, _Ended()).until(now)
