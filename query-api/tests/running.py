"""The servers that run, with their logs: a test that fails shows the end of each."""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

LINES = 50
Logs = Callable[[], dict[str, Path]]


class Servers:
    """Those that run now, and the ends of the logs of those that ended during the test."""

    running: dict[str, Logs]
    ended: dict[str, str]
    forbidden: str | None = None

    def __init__(self) -> None:
        self.running = {}
        self.ended = {}

    def forget_ended(self) -> None:
        self.ended.clear()

    def ends_of_logs(self) -> dict[str, str]:
        """The last lines of each log by the name of its server."""
        now = {name: text for logs in self.running.values() for name, text in _ends(logs()).items()}
        return self.ended | now


SERVERS = Servers()


@contextmanager
def shown(name: str, logs: Logs) -> Iterator[None]:
    """Show the logs of a server while it runs."""
    assert SERVERS.forbidden is None, (
        f"{SERVERS.forbidden} starts {name}, but is not marked as server: add the marker, or use a fixture"
        " of reports.SERVER_FIXTURES"
    )
    key = f"{name} {len(SERVERS.running)}"
    while key in SERVERS.running:
        key += "'"
    SERVERS.running[key] = logs
    try:
        yield
    finally:
        del SERVERS.running[key]
        SERVERS.ended |= _ends(logs())


def _ends(logs: dict[str, Path]) -> dict[str, str]:
    return {name: end_of(log) for name, log in logs.items() if log.is_file()}


def end_of(log: Path) -> str:
    with log.open(encoding="utf-8", errors="replace") as lines:
        return "".join(deque(lines, LINES))
