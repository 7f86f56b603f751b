"""POST /tags/delSeries: who may, and a whole Rondo that deletes."""

import json
import time
from pathlib import Path
from urllib.request import Request

import pytest

from .api_server import ApiClient, Response
from .differential import whole_rondo
from .differential.data import MINUTE, NOW, Stored
from .in_process import client

WRITER = "may-write"
PATIENCE_S = 60
SIZE = 60
POINTS = {NOW - n * MINUTE: float(n) for n in range(10)}
DELETED = ["deleted.untagged", "deleted;dc=ams;host=web01"]
KEPT = ["kept", "deleted;dc=ams;host=web02"]
POLICY = {"name": "all", "match": ".", "step": "60s", "heartbeat": 0, "archives": [f"60s:{(SIZE + 2) * MINUTE}s:0"]}


def delete(api: ApiClient, token: str, *paths: str) -> Response:
    body = json.dumps({"path": paths}).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    return api.send(Request(f"{api.url}/tags/delSeries", data=body, headers=headers))


def test_series_are_deleted_until_they_send_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RONDO_API_WRITE_TOKENS", WRITER)
    series = [Stored(path, ((MINUTE, SIZE),), POINTS) for path in DELETED + KEPT]
    with whole_rondo.serve(tmp_path, json.dumps({"policies": [POLICY]}), series) as api:
        before = api.render(KEPT, NOW - 600, NOW)
        assert delete(api, "other", *DELETED).status == 403
        assert delete(api, WRITER, "deleted;dc").status == 400
        # tags in another order, as a client may have them; a series that is not there
        deleted = delete(api, WRITER, DELETED[0], "deleted;host=web01;dc=ams", "absent")
        assert (deleted.status, deleted.json) == (200, True)
        deadline = time.monotonic() + PATIENCE_S
        while found := api.render(DELETED, NOW - 600, NOW):
            assert time.monotonic() < deadline, found
            time.sleep(0.2)
        assert api.get("/tags/findSeries", expr="name=deleted").json == [KEPT[1]]
        assert api.render(KEPT, NOW - 600, NOW) == before


@pytest.mark.parametrize(
    ("settings", "headers", "status", "text"),
    [
        ({}, {}, 403, "RONDO_API_WRITE_TOKENS"),
        ({"tokens": "t"}, {"Authorization": "Bearer t"}, 403, "RONDO_API_WRITE_TOKENS"),
        ({"write_tokens": "w"}, {}, 403, "RONDO_API_WRITE_TOKENS"),
        ({"write_tokens": "w"}, {"Authorization": "Basic dzp3"}, 403, "RONDO_API_WRITE_TOKENS"),
        ({"write_tokens": "w"}, {"Authorization": "Bearer w"}, 501, "RONDO_API_KAFKA_BOOTSTRAP_SERVERS"),
        (
            {"write_tokens": "w", "kafka_bootstrap_servers": "127.0.0.1:1"},
            {"Authorization": "Bearer w"},
            503,
            "rondo.deletions at 127.0.0.1:1",
        ),
    ],
)
def test_others_are_refused(
    database_url: str, settings: dict[str, str], headers: dict[str, str], status: int, text: str
) -> None:
    refused = client(database_url, **settings).post("/tags/delSeries", data={"path": "a"}, headers=headers)
    assert (refused.status_code, text in refused.text) == (status, True), refused.text


def test_deleting_is_a_post(database_url: str) -> None:
    get = client(database_url, write_tokens="w").get("/tags/delSeries?path=a", headers={"Authorization": "Bearer w"})
    assert get.status_code == 405


def test_a_token_that_may_write_may_read(database_url: str) -> None:
    api = client(database_url, tokens="t", write_tokens="w")
    codes = [api.get("/tags", headers={"Authorization": f"Bearer {token}"}).status_code for token in "twx"]
    assert codes == [200, 200, 401]
