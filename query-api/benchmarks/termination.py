"""Clean termination of a benchmark by a signal."""

import signal
import sys


def clean_up_when_terminated() -> None:
    """Exit on SIGTERM as on an exception, so that servers are stopped and folders removed."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
