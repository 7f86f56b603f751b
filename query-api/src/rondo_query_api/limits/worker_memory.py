"""The memory of a worker process: its limit, and when the process should be replaced."""

import os
import resource
import sys
from pathlib import Path

STATM = Path("/proc/self/statm")
KEEPS_MOST = 0.75


def limit(most_bytes: int) -> None:
    """Limit the memory for data on Linux: allocations above the limit fail."""
    if sys.platform == "linux":
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = most_bytes if hard == resource.RLIM_INFINITY else min(most_bytes, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def keeps_most(most_bytes: int) -> bool:
    """Whether the process still holds most of the memory that it may use."""
    return resident_bytes() > most_bytes * KEEPS_MOST


def resident_bytes() -> int:
    """Memory of the process; 0 if unknown."""
    try:
        return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
