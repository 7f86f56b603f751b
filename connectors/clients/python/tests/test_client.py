"""No broker answers: the application does not notice, and no point is dropped silently."""

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


def test_counts_what_it_could_not_publish(settings: dict[str, Any], caplog: pytest.LogCaptureFixture) -> None:
    client = Client(settings)
    client.counter("orders").add()
    assert client.close(0.1) == client.dropped
    client.counter("orders").add()
    assert client.published == 0
    assert client.dropped >= 6
    assert f"{client.dropped} of {client.dropped} points were not delivered" in caplog.text


def test_fails_at_its_end_if_it_is_to(settings: dict[str, Any]) -> None:
    client = Client(settings | {"rondo.client.close.fails": "true"})
    with pytest.raises(RuntimeError, match=r"[1-9]\d* points were not delivered"):
        client.close(0.1)


def test_refuses_a_choice_that_is_none(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"rondo\.client\.close\.fails 'yes' is neither true nor false"):
        Client(settings | {"rondo.client.close.fails": "yes"})
