"""Responses do not depend on the collation of the database."""

from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest

from . import in_process, postgres
from .archive_rows import Policy

NAMES = [
    "a.b",
    "a.B",
    "a.b-d",
    "a.b.c",
    "a.b0",
    "a.B.c",
    "a._b",
    "a.é",
    "a.E",
    "a.e",
    "a.Z",
    "a.ä",
    "a.co-op",
    "a.coop",
    "A.b",
]
VALUES = ["ams", "AMS", "a-ms", "a_ms", "ä", "z", "Z", "é", "e", "10", "9", "co-op", "coop", "ß", "ss"]
PATHS = [
    *(
        f"/metrics/find?query={query}"
        for query in ("*", "a.*", "a.b*", "a.[a-z]*", "a.[!b]*", "*.b.*", "a.?", "a.{b,B}", "**.c")
    ),
    *("/metrics/index.json", "/metrics/expand?query=a.*", "/metrics/find?query=a.c&format=completer"),
    *("/tags", "/tags?filter=D", "/tags/dc", "/tags/dc?filter=[a-z]", "/tags/name"),
    *(f"/tags/findSeries?expr=dc=~{regex}" for regex in ("a", "[a-z]", "[A-Z]", r"\w$", "(?i)A", "co-?op", "ss")),
    *(f"/tags/findSeries?expr=name=tagged&expr=dc!=~{regex}" for regex in ("a", "[e-é]")),
    *(f"/tags/autoComplete/values?tag=dc&valuePrefix={prefix}" for prefix in ("", "a", "co", "z")),
    "/tags/autoComplete/values?tag=name&valuePrefix=a.b",
    "/tags/autoComplete/values?tag=dc&expr=name=tagged&limit=4",
    "/tags/autoComplete/tags?expr=name=tagged&tagPrefix=d",
    "/render?target=a.*&format=json&from=0&until=10",
    "/render?target=sortByName(seriesByTag('name=tagged'))&format=json&from=0&until=10",
]


def answers(server_url: str, properties: str) -> list[str]:
    with postgres.fresh_database(server_url, properties=properties) as url:
        with psycopg.connect(url, autocommit=True) as connection:
            policy = Policy(connection, "default").archive(10, 360)
            for name in NAMES:
                policy.series(name)
            for value in VALUES:
                policy.series({"name": "tagged", "dc": value, f"D{value}": "1"})
        api = in_process.api(url)
        responses = [api.get(each.path, **parse_qs(each.query)) for each in map(urlsplit, PATHS)]
        assert {response.status for response in responses} == {200}
        return [response.text for response in responses]


@pytest.mark.parametrize(
    "properties",
    [
        "locale_provider icu icu_locale 'de-AT' locale 'C'",
        "locale_provider icu icu_locale 'en-US-u-kn-kf-upper' locale 'C'",
        "locale_provider libc locale 'C'",
    ],
)
def test_responses_are_those_with_the_default_collation(server_url: str, properties: str) -> None:
    expected = answers(server_url, "encoding 'UTF8'")
    found = answers(server_url, f"encoding 'UTF8' {properties}")
    for path, one, other in zip(PATHS, expected, found, strict=True):
        assert one == other, path
