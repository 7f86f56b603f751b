"""The same request to Rondo and graphite-web in each format: the parsed responses are equal."""

import csv
import json
import pickle
from collections.abc import Callable
from typing import Any

import msgpack
import pytest

from rondo_query_api.graphite import CAN_DRAW

from ..api_server import ApiClient, Response
from . import data

TARGETS = [
    "server.web01.cpu.user",
    "gaps.few",
    "step.s60",
    "sumSeries(server.*.load)",
    "alias(fast.gaps,'a, \"quoted\" ü')",
    'seriesByTag("name=disk.used","dc=ams")',
    "nosuch.*",
]
OVER = {"now": data.NOW, "from": "-30min", "until": "now"}


@pytest.fixture(scope="module")
def both(rondo: ApiClient, web: ApiClient) -> Callable[..., tuple[Response, Response]]:
    return lambda **query: (rondo.post("/render", OVER | query), web.post("/render", OVER | query))


def plain_json(response: Response) -> Any:
    return json.loads(response.body)


def called(response: Response) -> Any:
    assert response.text.startswith("draw(")
    assert response.text.endswith(")")
    return json.loads(response.text[len("draw(") : -1])


def cells(response: Response) -> list[list[str | float]]:
    return [[*row[:2], float(row[2]) if row[2] else ""] for row in csv.reader(response.text.splitlines())]


def raw_lines(response: Response) -> list[tuple[str, list[float | None]]]:
    lines = (line.rpartition("|") for line in response.text.splitlines())
    return [(head, [None if v == "None" else float(v) for v in values.split(",")]) for head, _, values in lines]


def records(response: Response) -> Any:
    if response.headers.get_content_type() == "application/pickle":
        return pickle.loads(response.body)  # noqa: S301 - it is ours
    return msgpack.unpackb(response.body)


def approximately(value: Any) -> Any:
    """The same, with numbers compared as they should be."""
    match value:
        case dict():
            return {key: approximately(each) for key, each in value.items()}
        case list() | tuple():
            return [approximately(each) for each in value]
        case float():
            return pytest.approx(value, rel=1e-9, abs=1e-15)
        case _:
            return value


def split_list(value: Any) -> Any:
    return json.loads(json.dumps(value))


@pytest.mark.parametrize(
    ("query", "read"),
    [
        ({"format": "json"}, plain_json),
        ({"format": "json", "pretty": "1"}, plain_json),
        ({"format": "json", "jsonp": "draw"}, called),
        ({"format": "json", "maxDataPoints": "7"}, plain_json),
        ({"format": "json", "noNullPoints": "true"}, plain_json),
        ({"format": "csv"}, cells),
        ({"format": "csv", "tz": "Asia/Kolkata"}, cells),
        ({"format": "raw"}, raw_lines),
        ({"rawData": "true"}, raw_lines),
        ({"rawData": "true", "pickle": "true"}, raw_lines),
        ({"rawData": "true", "format": "csv"}, cells),
        ({"format": "pickle"}, records),
        ({"pickle": "true"}, records),
        ({"format": "msgpack"}, records),
        ({"format": "dygraph"}, plain_json),
        ({"format": "dygraph", "jsonp": "draw"}, called),
        ({"format": "rickshaw"}, plain_json),
        ({"format": "rickshaw", "jsonp": "draw", "pretty": "1"}, called),
    ],
    ids=str,
)
@pytest.mark.parametrize("target", TARGETS)
def test_data(
    both: Callable[..., tuple[Response, Response]], target: str, query: dict[str, str], read: Callable[[Response], Any]
) -> None:
    ours, theirs = both(target=target, **query)
    assert (ours.status, theirs.status) == (200, 200), ours.text
    assert ours.headers.get_content_type() == theirs.headers.get_content_type()
    assert split_list(read(ours)) == approximately(split_list(read(theirs)))


def test_csv_to_the_byte(both: Callable[..., tuple[Response, Response]]) -> None:
    """Of values that are stored: line ends, quotes, how a number is written."""
    for target in ("server.web01.cpu.user", "gaps.few", "alias(const.five,'a, \"b\"')"):
        ours, theirs = both(target=target, format="csv")
        assert ours.body == theirs.body


def test_raw_to_the_byte(both: Callable[..., tuple[Response, Response]]) -> None:
    for target in ("server.web01.cpu.user", "gaps.few", "net.eth0.rx"):
        ours, theirs = both(target=target, format="raw")
        assert ours.body == theirs.body


@pytest.mark.skipif(not CAN_DRAW, reason="libcairo is not installed")
@pytest.mark.parametrize(
    "query",
    [
        {},
        {"format": "png", "width": "400", "height": "200", "title": "a", "bgcolor": "000000", "fgcolor": "white"},
        {"format": "svg"},
        {"format": "pdf"},
        {"graphType": "pie"},
        {"graphType": "pie", "format": "svg", "pieMode": "maximum"},
        {"graphType": "pie", "target": ["a:5", "b:2.5", "server.*.load"], "pieMode": "minimum"},
    ],
    ids=str,
)
def test_images(both: Callable[..., tuple[Response, Response]], query: dict[str, Any]) -> None:
    ours, theirs = both(**{"target": "server.*.load"} | query)
    assert (ours.status, theirs.status) == (200, 200), ours.text
    assert ours.headers.get_content_type() == theirs.headers.get_content_type()
    assert ours.body[:8] == theirs.body[:8]
    if ours.body[:4] == b"\x89PNG":
        assert ours.body[16:24] == theirs.body[16:24]  # width and height
