"""What a browser receives: no response that runs, whatever its path and status, and none for an unknown host."""

import pytest

from rondo_query_api.access.browsers import is_private
from rondo_query_api.graphite import CAN_DRAW

from .api_server import NO_DATABASE
from .conftest import MakePolicy
from .in_process import client

HOSTILE = "]]></script><script>alert(1)</script>"
T = 1_700_006_400


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/page/app.js",
        "/render?target=a&format=json",
        "/render?target=a&format=json&jsonp=f",
        "/render?target=a&format=raw",
        "/render?target=(",
        "/metrics/find?query=*",
        "/tags",
        "/events/get_data",
        "/prometheus",
        "/health",
        "/nosuch",
        "/series",
    ],
)
def test_no_response_runs_as_a_page(database_url: str, path: str) -> None:
    headers = client(database_url).get(path).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Resource-Policy"] == "same-site"
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    if path not in ("/", "/series", "/page/app.js"):
        assert policy.endswith("; sandbox")
        assert "script-src" not in policy


@pytest.mark.skipif(not CAN_DRAW, reason="libcairo is not installed")
def test_svg_contains_no_script(database_url: str, make_policy: MakePolicy) -> None:
    make_policy().archive(10, 360).series(HOSTILE).slots(10, {T: 1.0})
    asked = {"target": "seriesByTag('name=~.*script.*')", "from": T - 60, "until": T, "now": T, "format": "svg"}
    for graph in ("line", "pie"):
        svg = client(database_url).get("/render", query_string=asked | {"graphType": graph})
        assert (svg.status_code, svg.mimetype) == (200, "image/svg+xml")
        assert "script" not in svg.text
        assert svg.text.rstrip().endswith("</svg>")


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1:8888",
        "[::1]:8888",
        "192.0.2.7",
        "localhost",
        "query-api:8888",
        "a.svc.cluster.local",
        "Ok.Example:80",
    ],
)
def test_known_hosts_are_served(database_url: str, host: str) -> None:
    allowed = client(database_url, allowed_hosts="ok.example")
    assert allowed.get("/version", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8888", "127.0.0.1.evil.example", "ok.example.evil", "1.2.3"]
)
def test_a_rebound_dns_name_reads_nothing(database_url: str, host: str) -> None:
    allowed = client(database_url, allowed_hosts="ok.example")
    response = allowed.get("/version", headers={"Host": host})
    assert (response.status_code, "RONDO_API_ALLOWED_HOSTS" in response.text) == (421, True)
    assert allowed.get("/health/live", headers={"Host": host}).status_code == 200
    assert client(database_url, allowed_hosts="*").get("/version", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("path", ["/version", "/functions", "/prometheus"])
def test_a_rebound_dns_name_reads_nothing_where_only_writing_needs_a_token(path: str) -> None:
    readable = client(NO_DATABASE, write_tokens="secret")
    assert readable.get(path).status_code == 200  # reading needs no credentials
    assert readable.get(path, headers={"Host": "evil.example"}).status_code == 421


def test_any_host_is_served_with_credentials(database_url: str) -> None:
    guarded = client(database_url, tokens="secret")
    given = {"Host": "graphite.example", "Authorization": "Bearer secret"}
    assert guarded.get("/version", headers=given).status_code == 200
    assert guarded.get("/version", headers={"Host": "graphite.example"}).status_code == 401


def test_names_of_the_public_dns_are_not_private() -> None:
    assert not any(map(is_private, ("evil.example", "local.evil.example", "svc.example.org")))


PAGE_OF_ANOTHER_SITE = {"Sec-Fetch-Site": "cross-site", "Referer": "https://evil.example/"}
PAGE_OF_AN_ALLOWED_ONE = {"Sec-Fetch-Site": "cross-site", "Referer": "https://ok.example/charts?a=b"}
WITH_JSONP = [
    "/render?target=a&format=json&jsonp=f",
    "/render?target=a&format=dygraph&jsonp=f",
    "/metrics/find?query=*&jsonp=f",
    "/metrics/find?query=*&format=completer&jsonp=f",
    "/metrics/expand?query=*&jsonp=f",
    "/metrics/index.json?jsonp=f",
    "/tags?jsonp=f",
    "/tags/findSeries?expr=a%3Db&jsonp=f",
    "/functions?jsonp=f",
    "/series/find?jsonp=f",
    "/events/get_data?jsonp=f",
]


@pytest.mark.parametrize("path", WITH_JSONP)
def test_no_page_gets_a_script_by_default(database_url: str, path: str) -> None:
    for headers in ({}, PAGE_OF_ANOTHER_SITE, PAGE_OF_AN_ALLOWED_ONE):
        response = client(database_url, allowed_origins="https://ok.example").get(path, headers=headers)
        assert (response.status_code, "RONDO_API_JSONP" in response.text) == (403, True)


@pytest.mark.parametrize("path", WITH_JSONP)
def test_a_page_of_another_site_gets_a_script_only_if_allowed(database_url: str, path: str) -> None:
    asked = client(database_url, allowed_origins="https://ok.example", jsonp=1)
    for headers in ({}, {"Sec-Fetch-Site": "same-origin"}, PAGE_OF_AN_ALLOWED_ONE):
        response = asked.get(path, headers=headers)
        assert (response.status_code, response.mimetype, response.text[:2]) == (200, "text/javascript", "f(")
    for headers in (PAGE_OF_ANOTHER_SITE, {"Sec-Fetch-Site": "cross-site"}):
        response = asked.get(path, headers=headers)
        assert (response.status_code, "RONDO_API_ALLOWED_ORIGINS" in response.text) == (403, True)


def test_pages_of_allowed_origins_may_show_responses(database_url: str) -> None:
    asked = client(database_url, allowed_origins="https://ok.example")
    policies = [
        asked.get(path, headers=headers).headers["Cross-Origin-Resource-Policy"]
        for headers in (PAGE_OF_AN_ALLOWED_ONE, PAGE_OF_ANOTHER_SITE, {"Origin": "https://ok.example"}, {})
        for path in ("/version", "/nosuch")
    ]
    assert policies == ["cross-origin"] * 2 + ["same-site"] * 2 + ["cross-origin"] * 2 + ["same-site"] * 2
