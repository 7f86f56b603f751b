"""All paths under a prefix, for a proxy that does not strip it."""

from .in_process import client


def test_paths_begin_with_the_prefix(database_url: str) -> None:
    prefixed = client(database_url, path_prefix="/tools/graphite")
    for path in ("/render", "/render/"):
        response = prefixed.post(f"/tools/graphite{path}", data={"target": "constantLine(1)", "format": "json"})
        assert (response.status_code, len(response.get_json())) == (200, 1)
    assert prefixed.get("/tools/graphite/health").status_code == 200
    for path in ("/render", "/", "/tools", "/tools/graphites/render", "/tools/graphite/nosuch"):
        response = prefixed.get(path)
        assert (response.status_code, response.mimetype, response.text.count("\n")) == (404, "text/plain", 1)
