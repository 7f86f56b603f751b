"""Records the starts of servers and the waits of a run in target/test-journal/pytest-<pid>.jsonl."""

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


class CurrentTest:
    """The running test, as lines name it; outside of pytest, such as in a benchmark, nothing is written."""

    module: str | None = None
    class_ = ""
    # A wait during a start is part of the start.
    starts = 0


def write(kind: Kind, what: str, seconds: float) -> None:
    if CurrentTest.module is None or seconds < SHORTEST_S or (kind == "wait" and CurrentTest.starts):
        return
    line = {
        "module": CurrentTest.module,
        "class": CurrentTest.class_,
        "kind": kind,
        "what": what,
        "ms": round(seconds * 1000),
    }
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / f"pytest-{os.getpid()}.jsonl").open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(line) + "\n")


@contextmanager
def starting(what: str) -> Iterator[None]:
    began = time.monotonic()
    CurrentTest.starts += 1
    try:
        yield
    finally:
        CurrentTest.starts -= 1
        write("start", what, time.monotonic() - began)
