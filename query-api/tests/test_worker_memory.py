"""A process cannot take all memory, and one that keeps most of its share is replaced while the API answers."""

import sys
from pathlib import Path

import pytest

from .api_server import serve

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits data")
T = 1_700_006_400
MOST = 400_000_000


def test_a_request_that_needs_too_much_memory_is_refused(database_url: str, api_directory: Path) -> None:
    settings = {
        "RONDO_API_WORKERS": "1",
        "RONDO_API_WORKER_MEMORY_BYTES": str(MOST),
        "RONDO_API_MAX_POINTS": "1000000000",
    }
    with serve(api_directory, database_url, **settings) as api:
        query = {"target": "time('t',1)", "from": T - 40_000_000, "until": T, "now": T, "format": "json"}
        response = api.post("/render", query)
        assert (response.status, "RONDO_API_WORKER_MEMORY_BYTES" in response.text) == (503, True)
        assert api.get("/health").status == 200
        assert api.render("time('t',60)", T - 3600, T)
        assert "Booting worker" in api.log.read_text()
        assert api.log.read_text().count("Booting worker") == 1


@pytest.mark.long
@pytest.mark.parametrize(
    "format_", ["json", pytest.param("csv", marks=pytest.mark.long), pytest.param("raw", marks=pytest.mark.long)]
)
def test_a_long_series_is_written_in_pieces(database_url: str, api_directory: Path, format_: str) -> None:
    """Its values take 16 MB, and an object for each would take most of the process' memory."""
    settings = {
        "RONDO_API_WORKERS": "1",
        "RONDO_API_WORKER_MEMORY_BYTES": str(MOST),
        "RONDO_API_REQUEST_TIMEOUT_MS": "300000",
    }
    with serve(api_directory, database_url, **settings) as api:
        query = {"target": "time('t',1)", "from": T - 2_000_000, "until": T, "now": T, "format": format_}
        response = api.post("/render", query)
        assert (response.status, response.text.count(str(T - 1))) == (200, 2 if format_ == "json" else 1)
        assert api.get("/health").status == 200
        assert "and is replaced" not in api.log.read_text()


@pytest.mark.long
def test_a_process_that_keeps_most_of_its_memory_is_replaced(database_url: str, api_directory: Path) -> None:
    settings = {
        "RONDO_API_WORKERS": "1",
        "RONDO_API_WORKER_MEMORY_BYTES": str(MOST),
        "RONDO_API_CACHE_BYTES": str(MOST),
    }
    with serve(api_directory, database_url, **settings) as api:
        for n in range(200):
            target = f"alias(time('t',60),'{str(n) * 2000}')"
            query = {"target": target, "from": T - 86_400, "until": T, "now": T, "format": "csv", "cacheTimeout": "60"}
            assert api.post("/render", query).status == 200
            if "and is replaced" in api.log.read_text():
                break
        assert "and is replaced" in api.log.read_text()
        assert all(api.get("/health").status == 200 for _ in range(20))
