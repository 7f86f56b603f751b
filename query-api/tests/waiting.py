"""Waiting for conditions; nothing else in the tests sleeps."""

import time
from collections.abc import Callable
from typing import TypeVar

from . import journal

Seen = TypeVar("Seen")
BOUND_S = 120.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.005, 0.3


def wait_until(
    look: Callable[[], Seen],
    what: str,
    is_so: Callable[[Seen], object] = bool,
    not_yet: tuple[type[Exception], ...] = (),
    bound_s: float = BOUND_S,
    longest_pause_s: float = LONGEST_PAUSE_S,
) -> Seen:
    """Return the result of ``look`` once ``is_so`` accepts it; exceptions of ``not_yet`` count as not accepted.

    Pauses between calls grow up to ``longest_pause_s``, which an expensive ``look`` sets higher. The failure names what
    was awaited and the last result. A test that passes does not pay for the bound.
    """
    began = time.monotonic()
    pause_s = FIRST_PAUSE_S
    while True:
        last: object
        try:
            last = seen = look()
            if is_so(seen):
                break
        except not_yet as e:
            last = e
        if time.monotonic() - began > bound_s:
            raise AssertionError(f"not within {bound_s:.0f} s: {what}; last seen: {last!r:.5000}")
        time.sleep(pause_s)
        pause_s = min(2 * pause_s, longest_pause_s)
    journal.write("wait", what, time.monotonic() - began)
    return seen
