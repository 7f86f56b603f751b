"""Without memory or files a process loses single connections, not all of them."""

import resource
import selectors
import socket
from collections.abc import Iterator
from contextlib import closing

import pytest
from gunicorn.config import Config
from gunicorn.glogging import Logger

from rondo_query_api.connections.client_socket import ClientSocket
from rondo_query_api.connections.worker import Worker


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Worker]:
    monkeypatch.setenv("RONDO_API_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    with closing(socket.create_server(("127.0.0.1", 0))) as listener, selectors.DefaultSelector() as poller:
        config = Config()
        worker = Worker(0, 0, [listener], None, 30, config, Logger(config))
        worker.poller = poller
        worker.set_accept_enabled(True)
        yield worker
        for connection in list(worker._waiting):
            worker._end(connection)
        worker.tmp.close()


def client(worker: Worker) -> socket.socket:
    return socket.create_connection(worker.sockets[0].getsockname(), timeout=60)


@pytest.mark.parametrize("lack", [MemoryError, RuntimeError("can't start new thread"), OSError])
def test_lack_of_memory_closes_one_connection(worker: Worker, monkeypatch: pytest.MonkeyPatch, lack: Exception) -> None:
    def fail(*_: object) -> bytes:
        raise lack

    with client(worker) as connection:
        worker.wait_for_and_dispatch_events(60)
        assert worker.nr_conns == 1
        connection.shutdown(socket.SHUT_WR)
        monkeypatch.setattr(ClientSocket, "receive", fail)
        worker.wait_for_and_dispatch_events(60)
        assert (worker.nr_conns, connection.recv(1)) == (0, b"")


def test_lack_of_files_closes_one_connection(worker: Worker) -> None:
    with client(worker) as first, client(worker) as second:
        worker.wait_for_and_dispatch_events(60)
        assert worker.nr_conns == 1
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with socket.socket() as highest:
            resource.setrlimit(resource.RLIMIT_NOFILE, (highest.fileno(), hard))
        try:
            worker.wait_for_and_dispatch_events(60)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert (worker.nr_conns, first.recv(1)) == (0, b"")
        worker.wait_for_and_dispatch_events(60)
        assert worker.nr_conns == 1
        second.close()
