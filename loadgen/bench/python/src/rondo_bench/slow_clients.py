"""Clients that hold connections: they send slowly, send nothing, or do not read what they requested.

Each address has connections of each kind, and opens another one for each that the server closes.
"""

import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlencode, urlsplit

from .series_data import six_hours

BODY_BYTES = 1_000_000
# Between two bytes of a head or a body.
DRIP_S = 0.5
LONG = urlencode({**six_hours("raw.*"), "noCache": "1"})
FORM = "Content-Type: application/x-www-form-urlencoded"
# What a connection of each kind sends at once, and what it sends afterwards, byte by byte.
KINDS: dict[str, tuple[str, str]] = {
    "silent": ("", ""),
    "slow head": ("GET /render HTTP/1.1\r\nHost: localhost\r\n", "X-Slow: 1\r\n"),
    "slow body": (
        f"POST /render HTTP/1.1\r\nHost: localhost\r\n{FORM}\r\nContent-Length: {BODY_BYTES}\r\n\r\n",
        "target=",
    ),
    "not reading": (f"GET /render?{LONG}&maxDataPoints=800 HTTP/1.1\r\nHost: localhost\r\n\r\n", ""),
    "not reading a streamed one": (f"GET /render?{LONG} HTTP/1.1\r\nHost: localhost\r\n\r\n", ""),
}


class Address:
    """The connections of one address, ``each`` of every kind; ``closed`` counts by kind those the server closed."""

    def __init__(self, url: str, number: int, each: int) -> None:
        parts = urlsplit(url)
        self._server = parts.hostname or "", parts.port or 0
        self._source = f"127.0.0.{number + 2}"
        self._open: dict[tuple[str, int], socket.socket | None] = {
            (kind, n): None for kind in KINDS for n in range(each)
        }
        self.opened: Counter[str] = Counter()
        self.closed: Counter[str] = Counter()

    def hold(self, is_done: Callable[[], bool], began: threading.Barrier) -> None:
        """Keep the connections open until ``is_done``; pass ``began`` when each has been opened once."""
        turn = 0
        try:
            while not is_done():
                for key in self._open:
                    self._advance(key, turn)
                if turn == 0:
                    began.wait()
                turn += 1
                time.sleep(DRIP_S)
        finally:
            for connection in filter(None, self._open.values()):
                connection.close()

    def _advance(self, key: tuple[str, int], turn: int) -> None:
        """Send the next byte, or reopen the connection."""
        kind = key[0]
        first, then = KINDS[kind]
        connection = self._open[key]
        try:
            if connection is None:
                self._open[key] = connection = self._connect()
                self.opened[kind] += 1
                connection.sendall(first.encode())
            elif then:
                connection.send(then[turn % len(then)].encode())
            elif _is_closed(connection):
                raise ConnectionResetError
        except OSError:
            self.closed[kind] += 1
            if connection is not None:
                connection.close()
            self._open[key] = None

    def _connect(self) -> socket.socket:
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(1)
        connection.bind((self._source, 0))
        try:
            connection.connect(self._server)
        except OSError:
            connection.close()
            raise
        connection.setblocking(False)
        return connection


def _is_closed(connection: socket.socket) -> bool:
    """Whether the server has closed it and nothing is left to read; reads nothing."""
    with suppress(BlockingIOError):
        return not connection.recv(1, socket.MSG_PEEK)
    return False
