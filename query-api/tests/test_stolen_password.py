"""An impostor of PostgreSQL that requests the password in clear text does not get it."""

import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from rondo_query_api.db import Database
from rondo_query_api.errors import DatabaseUnavailableError
from rondo_query_api.settings import Settings

CLEAR_TEXT_PASSWORD = b"R" + struct.pack("!ii", 8, 3)
REQUESTS = {80877103, 80877104}  # of TLS and of GSSAPI


class ClearTextListener:
    """Records what clients send when it requests their password."""

    def __init__(self, server: socket.socket) -> None:
        self.port = server.getsockname()[1]
        self.passwords: list[bytes] = []
        self.asked = threading.Event()
        self._server = server
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return  # closed
            with suppress(OSError, struct.error), client, client.makefile("rb") as sent:  # it may hang up
                self._ask(client, sent.read)

    def _ask(self, client: socket.socket, read: Callable[[int], bytes]) -> None:
        while True:
            length, code = struct.unpack("!ii", read(8))
            read(length - 8)
            if code not in REQUESTS:
                break
            client.sendall(b"N")
        client.sendall(CLEAR_TEXT_PASSWORD)
        if read(1) == b"p":
            [length] = struct.unpack("!i", read(4))
            self.passwords.append(read(length - 4))
        self.asked.set()


@pytest.fixture
def thief() -> Iterator[ClearTextListener]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield ClearTextListener(server)


def ask(thief: ClearTextListener, parameters: str = "") -> None:
    url = f"postgresql://api:secret@127.0.0.1:{thief.port}/rondo{parameters}"
    database = Database(Settings(database_url=url, connect_timeout_ms=2000))
    try:
        with pytest.raises(DatabaseUnavailableError):
            database.rows("tags", limit=1)
        assert thief.asked.wait(60)
    finally:
        database.close()


def test_password_is_not_sent(thief: ClearTextListener) -> None:
    ask(thief)
    assert not thief.passwords


def test_password_is_sent_where_the_url_allows_it(thief: ClearTextListener) -> None:
    ask(thief, "?require_auth=password")
    assert b"secret\0" in thief.passwords
