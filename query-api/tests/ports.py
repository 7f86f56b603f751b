"""Ports of 127.0.0.1 for servers that cannot choose one themselves: chosen and reserved as deploy/embedded does.

They are below the kernel's ephemeral range, and a byte for each is locked in a file that all processes of a user share:
neither an outgoing connection nor another start gets the same one.
"""

import fcntl
import getpass
import random
import socket
import tempfile
from functools import cache
from pathlib import Path
from typing import IO

LOWEST, HIGHEST = 15_000, 31_999
ATTEMPTS = 200


def choose_port() -> int:
    """Return one that no process listens on; it stays reserved until this process ends."""
    for _ in range(ATTEMPTS):
        port = random.randint(LOWEST, HIGHEST)  # noqa: S311
        if port not in _chosen() and _is_free(port) and _reserve(port):
            _chosen().add(port)
            return port
    raise AssertionError(f"no free port of 127.0.0.1 in {LOWEST}..{HIGHEST}")


@cache
def _chosen() -> set[int]:
    return set()


def _is_free(port: int) -> bool:
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _reserve(port: int) -> bool:
    try:
        fcntl.lockf(_reservations(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)
    except OSError:
        return False
    return True


@cache
def _reservations() -> IO[bytes]:
    """Never closed, because that would unlock all."""
    return (Path(tempfile.gettempdir()) / f"rondo-ports-{getpass.getuser()}").open("ab")
