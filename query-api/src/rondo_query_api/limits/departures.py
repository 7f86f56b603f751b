"""Detects disconnected clients and ends their requests: one thread polls the sockets of requests."""

import select
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import structlog

from .request_budget import RequestBudget

log = structlog.get_logger()

EVERY_S = 0.25
# A client that has closed its connection, or only its sending half, counts as disconnected, as in other HTTP servers.
GONE = getattr(select, "POLLRDHUP", 0) | select.POLLHUP | select.POLLERR


class Departures:
    """Watches sockets while their requests run. The thread starts with the first request, which is after the fork."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._watched: dict[int, RequestBudget] = {}
        self._thread: threading.Thread | None = None

    @contextmanager
    def watching(self, connection: socket.socket | None, budget: RequestBudget) -> Iterator[None]:
        """Abandon the budget if the client closes the connection."""
        if connection is None:
            yield
            return
        descriptor = connection.fileno()
        with self._changed:
            self._watched[descriptor] = budget
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="departures", daemon=True)
                self._thread.start()
            self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                self._watched.pop(descriptor, None)

    def _watch(self) -> None:
        while True:
            with suppress(MemoryError):  # even the log may raise it; the thread must not end
                for budget in self._departed():
                    _abandon(budget)
            time.sleep(EVERY_S)

    def _departed(self) -> list[RequestBudget]:
        with self._changed:
            self._changed.wait_for(lambda: self._watched)
            return [self._watched.pop(descriptor) for descriptor in _gone(self._watched)]


def _abandon(budget: RequestBudget) -> None:
    try:
        budget.abandon()
    except Exception:
        log.exception("failed to cancel the statement of a disconnected client; it runs until its timeout")


def _gone(descriptors: dict[int, RequestBudget]) -> list[int]:
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, GONE)
    return [descriptor for descriptor, event in poll.poll(0) if event & (GONE | select.POLLNVAL)]
