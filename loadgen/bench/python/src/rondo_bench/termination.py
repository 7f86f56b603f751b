"""Clean termination of a benchmark by a signal."""

import signal
import sys
import tempfile


def clean_up_when_terminated() -> None:
    """Exit on SIGTERM as on an exception, so that servers are stopped and folders removed."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


def temporary_folder(prefix: str) -> tempfile.TemporaryDirectory[str]:
    """Make a folder that SIGTERM removes: the signal is blocked until the removal is registered."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    try:
        return tempfile.TemporaryDirectory(prefix=prefix)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
