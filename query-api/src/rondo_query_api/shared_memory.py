"""A folder in memory in which gunicorn's processes count together.

It is made before prometheus_client is imported, which looks for it then.
"""

import fcntl
import os
import shutil
import tempfile
from pathlib import Path

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
MEMORY = Path("/dev/shm")  # noqa: S108 - each folder in it is this user's alone
PREFIX = "rondo-query-api-"
LOCK = "lock"


def make_folder() -> None:
    """Make one, locked as long as this process or a child lives; remove those of servers that were killed."""
    if VARIABLE in os.environ:  # gunicorn reads its configuration again
        return
    parent = MEMORY if os.access(MEMORY, os.W_OK) else Path(tempfile.gettempdir())
    for folder in parent.glob(f"{PREFIX}*"):
        if _is_left(folder):
            shutil.rmtree(folder, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
    descriptor = os.open(folder / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    os.environ[VARIABLE] = str(folder)


def remove_folder() -> None:
    """Remove this server's."""
    shutil.rmtree(os.environ[VARIABLE], ignore_errors=True)


def _is_left(folder: Path) -> bool:
    """Whether nobody holds its lock; one without a lock is just being made."""
    try:
        descriptor = os.open(folder / LOCK, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True
