"""Without a broker, the application is not affected, and no point is dropped silently."""

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from rondo_client import Client


@pytest.fixture
def settings() -> Iterator[dict[str, Any]]:
    with socket.socket() as unused:  # bound, but not listening
        unused.bind(("127.0.0.1", 0))
        bootstrap = f"127.0.0.1:{unused.getsockname()[1]}"
        yield {"bootstrap.servers": bootstrap, "rondo.client.prefix": "shop", "log_level": 0}


def test_counts_unpublished_points(settings: dict[str, Any], caplog: pytest.LogCaptureFixture) -> None:
    client = Client(settings)
    client.counter("orders").add()
    assert client.close(0.1) == client.dropped
    client.counter("orders").add()
    assert client.published == 0
    assert client.dropped >= 6
    assert f"{client.dropped} of {client.dropped} points were not delivered" in caplog.text


def test_close_fails_if_configured(settings: dict[str, Any]) -> None:
    client = Client(settings | {"rondo.client.close.fails": "true"})
    with pytest.raises(RuntimeError, match=r"[1-9]\d* points were not delivered"):
        client.close(0.1)


def test_rejects_an_invalid_boolean(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"rondo\.client\.close\.fails 'yes' is neither true nor false"):
        Client(settings | {"rondo.client.close.fails": "yes"})
