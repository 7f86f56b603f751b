"""The newest response to each request, given by any process of this host."""

import fcntl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from .. import shared_memory

PLACES = 1 << 16
PLACE = np.dtype([("read_ns", np.int64), ("body", np.uint64)])


class NewestReads:
    """When each was read, in ns of the monotonic clock, and the hash of its body.

    They are in a file that processes share; without a path, they are those of this process alone. Requests whose hashes
    are alike share a place: the newest response to one may then count as older than it is.
    """

    @classmethod
    def of_this_server(cls) -> "NewestReads":
        """Create those that all processes of this gunicorn share, or this process alone."""
        folder = shared_memory.folder()
        return cls(folder / "newest-reads" if folder else None)

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.Lock()
        if path is None:
            self._places = np.zeros(PLACES, PLACE)
        else:
            with path.open("ab") as file:
                file.truncate(PLACE.itemsize * PLACES)
            self._places = np.memmap(path, PLACE, "r+", shape=(PLACES,))

    def is_newest(self, request: int, body: int) -> bool:
        """Return whether the newest response to the request has the same body. Both are hashes."""
        return int(self._places["body"][request % PLACES]) == body

    def note(self, request: int, body: int, read_ns: int) -> None:
        """Note a response, unless a newer one was given. Request and body are hashes."""
        with self._alone():
            place = self._places[request % PLACES]
            if place["read_ns"] <= read_ns:
                place["read_ns"], place["body"] = read_ns, body

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Exclude other threads, and other processes."""
        with self._lock:
            if self._path is None:
                yield
            else:
                with self._path.open("rb") as file:
                    fcntl.flock(file, fcntl.LOCK_EX)
                    yield
