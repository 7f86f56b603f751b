"""Long, nested and numeric input is read in linear time, and is 400 where it is wrong, never 500."""

import time
from typing import Any

import pytest
from flask.testing import FlaskClient

from rondo_query_api.errors import BadRequestError
from rondo_query_api.find import globs, patterns
from rondo_query_api.intervals import seconds
from rondo_query_api.targets import MAX_DEPTH, parse

from .in_process import client

DIGITS = "9" * 4400
NOW = {"from": "-1h", "format": "json"}


@pytest.fixture(scope="module")
def api(database_url: str) -> FlaskClient:
    return client(database_url)


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/render", {"target": "a" + "|sumSeries()" * 3000}),
        ("/render", {"target": "sumSeries(" * 150 + "a" + ")" * 150}),
        ("/render", {"target": "sumSeries(" * 60 + "a" + "|sumSeries()" * 60 + ")" * 60}),
        ("/render", {"target": "template(" * 150 + "a" + ")" * 150}),
        ("/render", {"target": f"scale(a,{DIGITS})"}),
        ("/render", {"target": f"substr(a,{DIGITS})"}),
        ("/render", {"target": f"summarize(a,'{DIGITS}min')"}),
        ("/render", {"target": "{" * 30 + "a" + "}" * 30}),
        ("/render", {"target": ".".join("*" * 501)}),
        ("/render", {"target": "a" * 65_537}),
        ("/render", {"target": "a", "until": "-" + "1" * 4000}),
        ("/render", {"target": "a", "until": DIGITS}),
        ("/render", {"target": "a", "tz": "x" * 5000}),
        ("/render", {"target": "a", "maxDataPoints": DIGITS}),
        ("/render", {"target": "a", "cacheTimeout": DIGITS}),
        ("/render", {"target": "a", "format": "png", "width": DIGITS}),
        ("/render", {"target": "a", "format": "png", "title": "x" * 8193}),
        ("/render", {"target": "a", **{f"p{n}": "" for n in range(1000)}}),
        ("/metrics/find", {"query": "*", "format": "nodelist", "position": DIGITS}),
        ("/metrics/find", {"query": "{" * 60_000 + "}" * 5000}),
        ("/metrics/find", {"query": "a" * 70_000}),
        ("/metrics/expand", {"query": ["*"] * 1001}),
        ("/tags", {"limit": DIGITS}),
        ("/tags", {"limit": "9" * 18}),
        ("/tags/findSeries", {"expr": "a=b" * 30_000}),
        ("/series/find", {"limit": DIGITS}),
    ],
    ids=lambda value: str(value)[:60],
)
def test_wrong_input_is_400(api: FlaskClient, path: str, query: dict[str, Any]) -> None:
    response = api.post(path, data=(NOW if path == "/render" else {}) | query)
    assert (response.status_code, response.text.count("\n")) == (400, 1), response.text
    assert len(response.text) <= 2002


def test_a_form_of_very_many_values_is_refused(api: FlaskClient) -> None:
    response = api.post("/render", data="a&" * 30_000, content_type="application/x-www-form-urlencoded")
    assert (response.status_code, response.text) == (400, "the form has more than 20000 values\n")


def test_as_deep_as_is_allowed_is_answered(api: FlaskClient) -> None:
    for target in (
        "sumSeries(" * MAX_DEPTH + "a" + ")" * MAX_DEPTH,
        "a" + "|sumSeries()" * MAX_DEPTH,
    ):
        assert api.post("/render", data=NOW | {"target": target}).status_code == 200
    nested = "{" * globs.MAX_DEPTH + "a" + "}" * globs.MAX_DEPTH
    assert api.get("/metrics/find", query_string={"query": nested}).status_code == 200


@pytest.mark.parametrize(
    "text",
    ["{" * 60_000, "[" * 60_000, "[!" * 30_000, "{a," * 20_000, "{" * 20 + "a," * 20_000 + "}" * 20, "{[a" * 20_000],
    ids=lambda text: text[:6],
)
def test_globs_are_read_in_linear_time(text: str) -> None:
    began = time.process_time()
    patterns.nodes(text)
    assert time.process_time() - began < 2  # quadratic: minutes


@pytest.mark.parametrize(
    "text",
    [
        "(" * 60_000,
        "a{" * 30_000,
        "f('" + "''" * 30_000,
        "f(" + "1" * 60_000,
        "f(1" + " " * 60_000 + "x)",
        "\\" * 60_001,
    ],
    ids=lambda text: text[:6],
)
def test_targets_are_read_in_linear_time(text: str) -> None:
    began = time.process_time()
    with pytest.raises(BadRequestError):
        parse(text)
    assert time.process_time() - began < 2


def test_intervals_have_a_length(api: FlaskClient) -> None:
    for text in ("-" + "1" * 65_000, "1min" * 30, "9999999999999999h"):
        with pytest.raises(ValueError, match=r"interval|longer"):
            seconds(text)
    assert seconds("-1h30min") == -5400
