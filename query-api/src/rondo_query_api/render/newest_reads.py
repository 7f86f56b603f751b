"""The newest response to each request that any process of this host has sent."""

import fcntl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from .. import shared_memory

ENTRIES = 1 << 16
ENTRY = np.dtype([("read_ns", np.int64), ("body", np.uint64)])


class NewestReads:
    """By request, when its newest response was read (ns of the monotonic clock), and the hash of the body.

    Processes share the entries in a file; without a path, they are those of this process alone. Requests whose hashes
    collide share an entry: the newest response to one may then be taken for an older one.
    """

    @classmethod
    def of_this_server(cls) -> "NewestReads":
        """Share the entries with all processes of this gunicorn, if there is one."""
        folder = shared_memory.folder()
        return cls(folder / "newest-reads" if folder else None)

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.Lock()
        if path is None:
            self._entries = np.zeros(ENTRIES, ENTRY)
        else:
            with path.open("ab") as file:
                file.truncate(ENTRY.itemsize * ENTRIES)
            self._entries = np.memmap(path, ENTRY, "r+", shape=(ENTRIES,))

    def is_newest(self, request: int, body: int) -> bool:
        """Return whether the newest response to the request has the same body. Both are hashes."""
        return int(self._entries["body"][request % ENTRIES]) == body

    def record(self, request: int, body: int, read_ns: int) -> None:
        """Record a response, unless there is a newer one. Request and body are hashes."""
        with self._locked():
            entry = self._entries[request % ENTRIES]
            if entry["read_ns"] <= read_ns:
                entry["read_ns"], entry["body"] = read_ns, body

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Exclude other threads and other processes."""
        with self._lock:
            if self._path is None:
                yield
            else:
                with self._path.open("rb") as file:
                    fcntl.flock(file, fcntl.LOCK_EX)
                    yield
