"""Token of the tests that write by the API of a whole Rondo, and its initial series."""

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

SERIES = [Stored(path, ((MINUTE, SIZE),), POINTS) for path in DELETED + KEPT + PAGE_DELETED + PAGE_KEPT]
