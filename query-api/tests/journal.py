"""Where the time of a run goes: target/test-journal/pytest-<pid>.jsonl has the starts of servers and waits."""

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

REPOSITORY = Path(__file__).parents[2]
FOLDER = REPOSITORY / "target" / "test-journal"
Kind = Literal["start", "wait"]
SHORTEST_S = 0.001


class Place:
    """The test that runs, as the lines name it; outside of pytest, a benchmark for example, nothing is written."""

    module: str | None = None
    class_ = ""
    # Waits inside of a start belong to it.
    starts = 0


def write(kind: Kind, what: str, seconds: float) -> None:
    if Place.module is None or seconds < SHORTEST_S or (kind == "wait" and Place.starts):
        return
    line = {"module": Place.module, "class": Place.class_, "kind": kind, "what": what, "ms": round(seconds * 1000)}
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / f"pytest-{os.getpid()}.jsonl").open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(line) + "\n")


@contextmanager
def starting(what: str) -> Iterator[None]:
    began = time.monotonic()
    Place.starts += 1
    try:
        yield
    finally:
        Place.starts -= 1
        write("start", what, time.monotonic() - began)
