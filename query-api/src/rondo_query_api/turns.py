"""Which requests run at once: each waits for its turn, and clients that use much time leave room for others.

A client's use is the time for which its requests have had a slot; half of it is forgotten in ``HALF_LIFE_S``. Clients
that have used more than ``MUCH_S`` together have half of the slots, so that others always find a slot.
"""

import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from cachetools import LRUCache

from .errors import BusyError, TooManyRequestsError
from .rates import MAX_CLIENTS, Rates
from .scopes import Scope
from .settings import Settings

HALF_LIFE_S = 10.0
MUCH_S = 2.0
# How long a request waits before it looks again whether its client has become a light one.
LOOK_AGAIN_S = 0.25


@dataclass(eq=False)
class Turn:
    """A request that has a slot."""

    client: str
    began: float


@dataclass
class _Used:
    seconds: float = 0.0
    at: float = 0.0

    def until(self, now: float) -> float:
        return self.seconds * math.exp2((self.at - now) / HALF_LIFE_S)


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
    _used: "LRUCache[str, _Used]" = field(default_factory=lambda: LRUCache(MAX_CLIENTS))
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
            turn = Turn(client, self.clock())
            self._running.add(turn)
        return turn

    def end(self, turn: Turn) -> None:
        """Give the slot back; again is no error."""
        with self._changed:
            if turn in self._running:
                self._running.remove(turn)
                now = self.clock()
                used = self._used.get(turn.client, _Used())
                self._used[turn.client] = _Used(used.until(now) + now - turn.began, now)
                self._changed.notify_all()

    def _wait(self, client: str, seconds_left: Callable[[], float]) -> None:
        waiting = self._waiting
        # One client leaves half of the places to others.
        if len(waiting) >= self.most_waiting or waiting.count(client) >= max(1, self.most_waiting // 2):
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
        if sum(turn.client == client for turn in self._running) >= self._slots_of(client):
            return False
        heavy = sum(self._uses_much(turn.client) for turn in self._running)
        return not self._uses_much(client) or heavy < max(1, self.slots // 2)

    def _slots_of(self, client: str) -> int:
        return (client in self.scopes and self.scopes[client].requests) or self.per_client

    def _uses_much(self, client: str) -> bool:
        now = self.clock()
        used = self._used.get(client, _Used()).until(now)
        return used + sum(now - turn.began for turn in self._running if turn.client == client) > MUCH_S
