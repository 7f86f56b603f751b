"""A gunicorn worker whose threads get complete requests, and leave the rest of a response to the event loop.

gunicorn's own worker gives a connection to a thread as soon as a byte arrives, and the thread waits until the client
has sent the whole request and read the whole response. Here connections wait without a thread, each with a deadline::

    receiving (head: HEAD_S, body: the request timeout) -> a thread answers -> sending (the request timeout) -> idle

The connections of an address and of the process are limited. Above a limit the connection that has waited longest is
closed, so that a proxy, whose clients share one address, loses idle ones first. The bytes of requests and responses
that connections hold are limited, too: above that limit, the address that holds most loses the connection that has
waited longest.
"""

import selectors
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from socket import SHUT_WR
from typing import Any

from gunicorn.workers.gthread import TConn, ThreadWorker

from .. import metrics
from ..access.proxies import Proxies
from ..settings import Settings
from .client_socket import ClientSocket
from .received import Received, RefusedError

HEAD_S = 10.0
# How long the rest of a refused request is read so that the client sees the response.
LINGER_S = 2.0
EXPIRE_EVERY_S = 0.25
RECEIVE_BYTES = 65_536
# Connections may hold one part in this many of a process's memory.
HELD_DIVISOR = 8
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Connection(TConn):  # type: ignore[misc]
    """A connection that waits, with ``held`` bytes, until ``deadline`` (monotonic seconds), or has a thread."""

    sock: ClientSocket

    def __init__(self, cfg: Any, sock: ClientSocket, client: Any, server: Any, most: int) -> None:
        super().__init__(cfg, sock, client, server)
        self.address = client[0] if isinstance(client, tuple) else ""
        self.received = Received(most)
        self.data_ready = True
        self.is_whole = True
        self.is_refused = False
        self.keeps_alive = False
        self.held = 0
        self.deadline = 0.0

    def init(self) -> None:
        """Pass the request to the parser."""
        super().init()
        self.is_whole = self.received.is_whole
        self.sock.begin_response()
        self.parser.unreader.unread(self.received.take())


class Worker(ThreadWorker):  # type: ignore[misc]
    """Serves complete WSGI requests by threads; connections wait in the event loop."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._settings = Settings.from_environment()
        self._request_s = self._settings.request_timeout_ms / 1000
        self._head_s = min(HEAD_S, self._request_s)
        self._proxies = Proxies(self._settings)
        self._most_held = self._settings.worker_memory_bytes // HELD_DIVISOR
        # The connection that has waited longest is first.
        self._waiting: dict[Connection, None] = {}
        self._by_address: dict[str, int] = {}
        self._held = 0
        self._next_expiry = 0.0

    def accept(self, listener: Any) -> None:
        """Accept a connection; above a limit, close another one."""
        try:
            accepted, client = listener.accept()
            server = listener.getsockname()
            connection = Connection(self.cfg, ClientSocket.of(accepted), client, server, self._settings.max_body_bytes)
        except (BlockingIOError, ConnectionAbortedError):
            return
        except (OSError, MemoryError) as e:  # no file descriptor or memory is left
            self.log.warning("cannot accept a connection besides %s (RONDO_API_CONNECTIONS): %s", self.nr_conns, e)
            self._make_room("connections")
            return
        self.nr_conns += 1
        self._by_address[connection.address] = self._by_address.get(connection.address, 0) + 1
        with self._isolated(connection):
            self._receive(connection, self._head_s)
        above = self._by_address[connection.address] > self._settings.address_connections
        if above and connection.address not in self._proxies:
            self._make_room("address_connections", connection.address)
        elif self.nr_conns >= self.worker_connections:
            self._make_room("connections")

    def finish_request(self, conn: Connection, fs: "Future[bool]") -> None:
        """Send the rest of the response, then wait for the next request."""
        conn.keeps_alive = not fs.cancelled() and fs.exception() is None and bool(fs.result()) and conn.is_whole
        with self._isolated(conn):
            if conn.sock.fileno() < 0:
                self._close(conn)
            elif conn.sock.unsent:
                self._wait(conn, selectors.EVENT_WRITE, self._on_writable, self._request_s, len(conn.sock.unsent))
                self._free_memory()
            else:
                self._on_sent(conn)

    def murder_pending(self) -> None:
        """Close connections past their deadlines, and idle ones of a worker that shuts down."""
        if (now := time.monotonic()) < self._next_expiry:
            return
        self._next_expiry = now + EXPIRE_EVERY_S
        for connection in list(self._waiting):
            if not self.alive and not connection.held:
                connection.deadline = min(connection.deadline, now + LINGER_S)
            if connection.deadline <= now:
                if connection.held:
                    metrics.REFUSED_REQUESTS.labels("request_timeout_ms").inc()
                self._end(connection)

    def _receive(self, connection: Connection, seconds: float) -> None:
        self._wait(connection, selectors.EVENT_READ, self._on_readable, seconds, len(connection.received))

    def _on_event(self, connection: Connection, then: Callable[[Connection], None], _: object) -> None:
        if connection in self._waiting:  # an earlier event of the same poll may have closed it
            with self._isolated(connection):
                then(connection)

    @contextmanager
    def _isolated(self, connection: Connection) -> Iterator[None]:
        """Close only this connection if its client is gone, or no memory or thread is left for it."""
        try:
            yield
        except OSError:
            self._end(connection)
        except (MemoryError, RuntimeError):  # RuntimeError: a thread cannot be started
            self._end(connection)
            metrics.REFUSED_REQUESTS.labels("worker_memory_bytes").inc()

    def _on_readable(self, connection: Connection) -> None:
        try:
            received = connection.sock.receive(RECEIVE_BYTES)
        except BlockingIOError:
            return
        if not received:
            self._end(connection)
        elif not connection.is_refused:
            self._on_received(connection, received)

    def _on_received(self, connection: Connection, received: bytes) -> None:
        """Pass the request to a thread once it is ready."""
        request = connection.received
        is_first, had_head = len(request) == 0, request.has_head
        try:
            request.add(received)
        except RefusedError as refused:
            self._refuse(connection, refused)
            return
        if request.is_ready:
            self._stop_waiting(connection)
            self.enqueue_req(connection)
            return
        self._hold(connection, len(request))
        if request.has_head and not had_head:
            connection.deadline = time.monotonic() + self._request_s
            if request.expects_continue:
                with suppress(OSError):
                    connection.sock.send(CONTINUE)
        elif is_first:
            connection.deadline = time.monotonic() + self._head_s
        self._free_memory()

    def _refuse(self, connection: Connection, refused: RefusedError) -> None:
        with suppress(OSError):
            connection.sock.send(refused.response())
        self._stop_waiting(connection)
        self._linger(connection)

    def _linger(self, connection: Connection) -> None:
        """Close the connection after the client has: closed earlier, the client might not see the response."""
        connection.is_refused = True
        with suppress(OSError):
            connection.sock.shutdown(SHUT_WR)
        self._wait(connection, selectors.EVENT_READ, self._on_readable, LINGER_S, 0)

    def _on_writable(self, connection: Connection) -> None:
        connection.sock.send_more()
        if not connection.sock.unsent:
            self._stop_waiting(connection)
            self._on_sent(connection)

    def _on_sent(self, connection: Connection) -> None:
        if not connection.is_whole:
            self._linger(connection)
        elif not connection.keeps_alive:
            self._close(connection)
        else:
            self._receive(connection, self.cfg.keepalive)
            if next_request := connection.parser.unreader.take_buffered():
                self._on_received(connection, next_request)

    def _wait(
        self, connection: Connection, event: int, then: Callable[[Connection], None], seconds: float, held: int
    ) -> None:
        connection.sock.setblocking(False)
        self.poller.register(connection.sock, event, partial(self._on_event, connection, then))
        connection.deadline = time.monotonic() + seconds
        self._waiting[connection] = None
        self._hold(connection, held)

    def _hold(self, connection: Connection, held: int) -> None:
        self._held += held - connection.held
        connection.held = held

    def _stop_waiting(self, connection: Connection) -> None:
        del self._waiting[connection]
        self._hold(connection, 0)
        self.poller.unregister(connection.sock)

    def _make_room(self, limit: str, address: str | None = None) -> None:
        """Close the connection that has waited longest, of all or of an address."""
        for connection in self._waiting:
            if address in (None, connection.address):
                metrics.REFUSED_REQUESTS.labels(limit).inc()
                self._end(connection)
                return

    def _free_memory(self) -> None:
        """Close connections until the others are within the limit of bytes; the last one that holds bytes stays."""
        while self._held > self._most_held and len(holding := [each for each in self._waiting if each.held]) > 1:
            bytes_of: Counter[str] = Counter()
            for each in holding:
                bytes_of[each.address] += each.held
            [(most, _)] = bytes_of.most_common(1)
            metrics.REFUSED_REQUESTS.labels("worker_memory_bytes").inc()
            self._end(next(each for each in holding if each.address == most))

    def _end(self, connection: Connection) -> None:
        if connection in self._waiting:
            self._stop_waiting(connection)
        self._close(connection)

    def _close(self, connection: Connection) -> None:
        self.nr_conns -= 1
        self._by_address[connection.address] -= 1
        if not self._by_address[connection.address]:
            del self._by_address[connection.address]
        connection.close()
