"""How a benchmark ends before it is done."""

import signal
import sys


def clean_up_when_terminated() -> None:
    """Leave by SIGTERM as by an exception: servers are stopped and folders removed."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
