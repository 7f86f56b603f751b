"""No broker answers: the application does not notice, and no point is dropped silently."""

import socket

from rondo_client import Client


def test_counts_what_it_could_not_publish() -> None:
    with socket.socket() as unused:  # bound, but not listening
        unused.bind(("127.0.0.1", 0))
        bootstrap = f"127.0.0.1:{unused.getsockname()[1]}"
        client = Client({"bootstrap.servers": bootstrap, "rondo.client.prefix": "shop", "log_level": 0})
        client.counter("orders").add()
        client.close(0.1)
        client.counter("orders").add()
    assert client.published == 0
    assert client.dropped >= 6
