"""A folder in memory where gunicorn's processes share metrics, the age of responses, and the status of the parts.

It must exist before prometheus_client is imported, which then reads its name from the environment.
"""

import fcntl
import os
import shutil
import tempfile
from pathlib import Path

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
MEMORY = Path("/dev/shm")  # noqa: S108 - only this user can read the folders made here
PREFIX = "rondo-query-api-"
LOCK = "lock"


def make_folder() -> None:
    """Create the folder, locked while this process or a child lives; remove folders of killed servers."""
    if VARIABLE in os.environ:  # gunicorn has reloaded its configuration
        return
    parent = MEMORY if os.access(MEMORY, os.W_OK) else Path(tempfile.gettempdir())
    for folder in parent.glob(f"{PREFIX}*"):
        if _is_abandoned(folder):
            shutil.rmtree(folder, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
    descriptor = os.open(folder / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    os.environ[VARIABLE] = str(folder)


def folder() -> Path | None:
    """Return this server's folder; None: without gunicorn there is none."""
    return Path(os.environ[VARIABLE]) if VARIABLE in os.environ else None


def remove_folder() -> None:
    """Remove this server's folder."""
    shutil.rmtree(os.environ[VARIABLE], ignore_errors=True)


def _is_abandoned(folder: Path) -> bool:
    """Whether no process holds the folder's lock; a folder without a lock file is just being created."""
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
