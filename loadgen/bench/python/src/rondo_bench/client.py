"""Measures what an update costs an application: ``./rondo bench client``.

Time is that of the fastest round, less an empty loop; memory is what the updates retain.
"""

import argparse
import json
import sys
import timeit
from collections.abc import Callable, Mapping

from rondo_client.metrics import Counter, Gauge, Timer

counter = Counter("app.requests")
gauge = Gauge("app.queue")
timer = Timer("app.request")


def _time_block() -> None:
    with timer.time():
        pass


UPDATES: Mapping[str, Callable[[], None]] = {
    "counter.add()": counter.add,
    "gauge.set(x)": lambda: gauge.set(1.5),
    "timer.record(s)": lambda: timer.record(0.0123),
    "with timer.time()": _time_block,
}


def nanoseconds(update: Callable[[], None], updates: int, rounds: int) -> float:
    """Return the time of an update in the fastest round."""
    return min(timeit.repeat(update, number=updates, repeat=rounds)) / updates * 1e9


def kept_blocks(update: Callable[[], None], updates: int) -> int:
    """Return the number of memory blocks that the updates retain."""
    update()  # warms up
    before = sys.getallocatedblocks()
    for _ in range(updates):
        update()
    return max(sys.getallocatedblocks() - before, 0)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="./rondo bench client", description=__doc__.splitlines()[0])
    parser.add_argument("--updates", type=int, default=200_000, help="updates per round (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=10, help="number of rounds (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each update")
    options = parser.parse_args()
    if min(options.updates, options.rounds) < 1:
        parser.error("--updates and --rounds are at least 1")
    loop = nanoseconds(lambda: None, options.updates, options.rounds)
    for name, update in UPDATES.items():
        ns = nanoseconds(update, options.updates, options.rounds) - loop
        kept = kept_blocks(update, options.updates)
        if options.json:
            print(json.dumps({"update": name, "ns": round(ns), "kept_blocks": kept, "updates": options.updates}))
        else:
            print(f"{name:<18}{ns:6.0f} ns, {kept} blocks of memory kept after {options.updates:,} updates")


if __name__ == "__main__":
    main()
