"""The newest facts, collected by one process of this server for all, so that their responses agree."""

import fcntl
import math
import shutil
import tempfile
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson
import structlog

from .. import shared_memory
from .collector import Collector
from .facts import Shown
from .increases import PACE_S, Increases

FRESH_S, STALE_S = 3.0, 30.0

log = structlog.get_logger()


class SharedFacts:
    """Facts and samples of counters, in files that all processes of this gunicorn share, or of this process alone."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        folder = shared_memory.folder()
        if folder is None:
            folder = Path(tempfile.mkdtemp())
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self._folder = folder

    def shown(self) -> Shown:
        """Return facts at most ``FRESH_S`` old, or ``STALE_S`` while another request collects new ones."""
        age_s, facts = self._newest()
        if age_s >= FRESH_S:
            with self._lock(waits=age_s >= STALE_S) as is_locked:
                age_s, facts = self._newest()
                if is_locked and age_s >= FRESH_S:
                    facts = self._collect()
        shown: Shown = orjson.loads(facts)
        return shown

    def keep_pace(self) -> None:
        """Start a thread that collects facts regularly, in one process of this server at a time."""
        threading.Thread(target=self._keep_pace, name="status-pace", daemon=True).start()

    def _keep_pace(self) -> None:
        with (self._folder / "status-pace").open("ab") as pace:
            fcntl.flock(pace, fcntl.LOCK_EX)  # held until this process ends
            while True:
                try:
                    with self._lock(waits=True):
                        self._collect()
                except Exception:
                    log.exception(f"failed to collect the reports for /status; retrying in {PACE_S:g} s")
                time.sleep(PACE_S - time.monotonic() % PACE_S)

    def _collect(self) -> bytes:
        samples = self._folder / "status-samples"
        increases = Increases(orjson.loads(samples.read_bytes()) if samples.exists() else None)
        facts = orjson.dumps(self._collector.collect(increases).shown())
        now = time.monotonic()
        _replace(samples, orjson.dumps(increases.samples(now)))
        _replace(self._folder / "status-facts", b"%r\n%s" % (now, facts))
        return facts

    def _newest(self) -> tuple[float, bytes]:
        """Age in seconds, and JSON; the age is infinite if there are none."""
        try:
            collected, _, facts = (self._folder / "status-facts").read_bytes().partition(b"\n")
        except FileNotFoundError:
            return math.inf, b""
        return time.monotonic() - float(collected), facts

    @contextmanager
    def _lock(self, waits: bool) -> Iterator[bool]:
        """Exclude other threads and processes; without ``waits``, yields False if another one has the lock."""
        with (self._folder / "status-lock").open("ab") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
            except BlockingIOError:
                yield False
            else:
                yield True


def _replace(file: Path, content: bytes) -> None:
    """Replace the file atomically."""
    new = file.with_name(f"{file.name}.new")
    new.write_bytes(content)
    new.replace(file)
