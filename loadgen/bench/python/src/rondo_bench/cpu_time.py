"""CPU time of the servers: the cost of a response, also on a machine with other load."""

import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
GRAPHITE_WEB = b"graphite.wsgi"
CPU_CLOCK = 2  # of a process, in the number of its clock
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
    for pid, spent_ms in times.items():
        if _is_below(pid, parents):
            spent["graphite-web" if GRAPHITE_WEB in _of(pid, "cmdline") else "rondo"] += spent_ms
    return spent


def processor_ms_by_database(names: Mapping[str, str]) -> dict[str, float]:
    """CPU time, ms, of all processes below this one so far, by the keys of ``names``, the names of databases.

    PostgreSQL has the name of the database in its backends' commands, the query API in its environment.
    """
    spent = dict.fromkeys(names, 0.0)
    parents = {pid: int(fields[PARENT]) for pid, fields in _processes()}
    for pid in parents:
        if _is_below(pid, parents):
            about = _of(pid, "cmdline") + _of(pid, "environ")
            for key, name in names.items():
                if name.encode() in about:
                    spent[key] += _exact_ms(pid)
    return spent


def _exact_ms(pid: int) -> float:
    """CPU time of a process in ns, where ``stat`` has ticks of 10 ms: its clock as clock_getcpuclockid(3) names it."""
    try:
        return time.clock_gettime_ns(~pid << 3 | CPU_CLOCK) / 1_000_000
    except OSError:  # it has ended
        return 0.0


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


def _of(pid: int, what: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{what}").read_bytes()
    except OSError:
        return b""
