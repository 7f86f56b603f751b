"""CPU time of the servers: the cost of a response, also on a machine with other load."""

import os
from collections.abc import Iterator
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
GRAPHITE_WEB = b"graphite.wsgi"
AFTER_NAME = 2  # fields of /proc/PID/stat that come before the state
PARENT, USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM = (n - 1 - AFTER_NAME for n in (4, 14, 15, 16, 17))


def processor_ms() -> dict[str, float]:
    """CPU time, ms, of all processes below this one so far, by server."""
    spent = {"rondo": 0.0, "graphite-web": 0.0}
    parents, times = {}, {}
    for pid, fields in _processes():
        parents[pid] = int(fields[PARENT])
        own = sum(int(fields[n]) for n in (USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM))
        times[pid] = own * 1000 / TICKS
    for pid, time in times.items():
        if _is_below(pid, parents):
            spent["graphite-web" if GRAPHITE_WEB in _command(pid) else "rondo"] += time
    return spent


def _processes() -> Iterator[tuple[int, list[str]]]:
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                text = (folder / "stat").read_text(encoding="utf-8", errors="replace")
            except OSError:  # it has ended
                continue
            yield int(folder.name), text.rpartition(")")[2].split()


def _is_below(pid: int, parents: dict[int, int]) -> bool:
    while pid in parents:
        pid = parents[pid]
        if pid == os.getpid():
            return True
    return False


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
