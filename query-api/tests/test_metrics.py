"""/prometheus: metrics of several processes."""

from contextlib import suppress
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from rondo_query_api import shared_memory

from .api_server import ApiClient, serve
from .conftest import MakePolicy

T = 1_700_006_400


def samples(api: ApiClient) -> dict[tuple[str, ...], float]:
    response = api.get("/prometheus")
    assert (response.status, response.headers.get_content_type()) == (200, "text/plain")
    families = text_string_to_metric_families(response.text)
    return {(each.name, *each.labels.values()): each.value for family in families for each in family.samples}


def folders_of(directory: Path) -> set[Path]:
    """Folders in memory of the servers that run in this directory; other servers have folders, too."""
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended, or is another user's
            if (process / "cwd").readlink() == directory:
                found |= {
                    fd.readlink().parent
                    for fd in (process / "fd").iterdir()
                    if fd.readlink().name == shared_memory.LOCK
                }
    return {folder for folder in found if folder.parent == shared_memory.MEMORY}


def test_processes_count_together(database_url: str, api_directory: Path, make_policy: MakePolicy, root: str) -> None:
    make_policy().archive(10, 360).series(root).slots(10, {T + 10: 1.0})
    with serve(api_directory, database_url, RONDO_API_MAX_TARGETS="1", RONDO_API_WORKERS="2") as api:
        made = folders_of(api_directory)
        assert made
        for _ in range(5):
            api.render(root, T, T + 100)
        assert api.post("/render", {"target": ["a", "b"]}).status == 400
        assert api.get("/nosuch").status == 404
        found = samples(api)
    assert not any(folder.exists() for folder in made)
    duration = "rondo_query_request_duration_seconds_count"
    assert found[duration, "/render", "200"] == 5
    assert found[duration, "/render", "400"] == 1
    assert found[duration, "none", "404"] == 1
    assert found["rondo_query_refused_requests_total", "max_targets"] == 1
    hits, misses = (found.get(("rondo_query_cache_requests_total", result), 0) for result in ("hit", "miss"))
    assert (hits + misses, 1 <= misses <= 2) == (5, True)
    assert found["rondo_query_points_total",] == misses * 10
    assert found["rondo_query_series_total",] == misses
    assert found["rondo_query_statement_duration_seconds_count", "slots"] == misses
    assert found["rondo_query_response_bytes_total",] > 0


def test_a_killed_server_leaves_nothing_for_long(database_url: str, api_directory: Path) -> None:
    left = shared_memory.MEMORY / f"{shared_memory.PREFIX}{api_directory.name}"
    left.mkdir()
    (left / shared_memory.LOCK).touch()
    with serve(api_directory, database_url):
        assert not left.exists()
