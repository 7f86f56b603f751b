"""A whole Rondo in which tests write by its API: its token, and the series that it has at first."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

from .api_server import ApiClient
from .differential import whole_rondo
from .differential.data import MINUTE, NOW, Stored

WRITER = "may-write"
SIZE = 60
POINTS = {NOW - n * MINUTE: float(n) for n in range(10)}
PAGE_DELETED = [
    "page.*[0-9]",
    'page{dc="ams"}',
    "page;dc=ams;host=<i>web01",
]  # the second is also a way to write page;dc=ams
PAGE_KEPT = ["page.x1", "page;dc=ams"]
DELETED = ["deleted.untagged", "deleted;dc=ams;host=web01"]
KEPT = ["kept", "deleted;dc=ams;host=web02"]
POLICY = {"name": "all", "match": ".", "step": "60s", "heartbeat": 0, "archives": [f"60s:{(SIZE + 2) * MINUTE}s:0"]}


@contextmanager
def serve() -> Iterator[ApiClient]:
    series = [Stored(path, ((MINUTE, SIZE),), POINTS) for path in DELETED + KEPT + PAGE_DELETED + PAGE_KEPT]
    with whole_rondo.serve(json.dumps({"policies": [POLICY]}), series, RONDO_API_WRITE_TOKENS=WRITER) as api:
        yield api
