"""Responses of /render are cached for a short time, and Cache-Control says for how long."""

import gc
import gzip
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
from flask import Flask, request
from prometheus_client import REGISTRY

from rondo_query_api.params import Params
from rondo_query_api.render.cache import Rendered, ResponseCache
from rondo_query_api.render.freshness import seconds_fresh
from rondo_query_api.render.newest_reads import NewestReads
from rondo_query_api.routes import render
from rondo_query_api.timeseries import TimeSeries

from .conftest import MakePolicy
from .in_process import client
from .waiting import wait_until

T = 1_700_006_400
PAST = {"from": T, "until": T + 60, "now": T + 60, "format": "json"}


def series(start: int, step: int, values: list[float | None]) -> TimeSeries:
    return TimeSeries("a", start, start + step * len(values), step, np.array(values, dtype=np.float64), "a", {})


@pytest.mark.parametrize(
    ("end", "step", "now", "expected"),
    [
        (T, 10, T - 3600, 1),
        (T, 10, T + 310, 1),
        (T, 10, T + 311, 60),
        (T, 3600, T + 3900, 1),
        (T, 3600, T + 3901, 60),
    ],
)
def test_slots_of_the_last_minutes_may_change(end: int, step: int, now: int, expected: int) -> None:
    old = series(T - 80_000, 10, [1.0])
    assert seconds_fresh([old, series(end - step, step, [1.0])], now, 60) == expected
    assert seconds_fresh([series(end - step, step, [1.0]), old], now, 60) == expected


def test_a_new_series_may_appear() -> None:
    assert seconds_fresh([], T, 60) == 1


def test_no_response_is_older_than_that_of_another_process(tmp_path: Path) -> None:
    """Each process has its own cache."""
    one, other = (ResponseCache(10_000, NewestReads(tmp_path / "reads")) for _ in range(2))
    assert ask(one, b"58 of 1000") == b"58 of 1000"
    assert ask(one, b"624") == b"58 of 1000"
    assert ask(other, b"624") == b"624"
    assert ask(one, b"764") == b"764"
    assert ask(other, b"764") == b"764"
    assert ask(one, b"900") == b"764"
    assert ask(one, b"900", target="b") == b"900"


def test_an_older_read_does_not_replace_a_cached_response(tmp_path: Path) -> None:
    cache = ResponseCache(10_000, NewestReads(tmp_path / "reads"))

    def slowly() -> Rendered:
        ask(cache, b"newer")
        return Rendered(b"older", "text/plain", 60)

    assert ask(cache, slowly) == b"older"
    assert ask(cache, b"newest") == b"newest"


def test_no_response_is_older_than_one_that_bypassed_the_cache(tmp_path: Path) -> None:
    cache = ResponseCache(10_000, NewestReads(tmp_path / "reads"))
    assert ask(cache, b"older") == b"older"
    assert ask(cache, b"newer", noCache="1") == b"newer"
    assert ask(cache, b"newest") == b"newest"


def test_the_cache_keeps_no_parameters(tmp_path: Path) -> None:
    """A client chooses their length: with them, the cache could exceed its limit a hundred times."""
    cache = ResponseCache(100_000, NewestReads(tmp_path / "reads"))
    tracemalloc.start()
    try:
        for n in range(150):
            ask(cache, b"answer", target=f"{n}{'a' * 60_000}")
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] < 1_000_000
    finally:
        tracemalloc.stop()
    assert ask(cache, b"another", target=f"149{'a' * 60_000}") == b"answer"


def ask(cache: ResponseCache, answer: bytes | Callable[[], Rendered], target: str = "a", **others: str) -> bytes:
    with Flask("test").test_request_context(query_string={"target": target} | others):
        render = answer if callable(answer) else lambda: Rendered(answer, "text/plain", 60)
        return cache.response(Params(request), "noCache" not in others, render).get_data()


def bytes_sent() -> float:
    return REGISTRY.get_sample_value("rondo_query_response_bytes_total") or 0


def values_of(response: Any) -> list[float | None]:
    assert response.status_code == 200, response.text
    return [value for value, _ in response.get_json()[0]["datapoints"]]


def test_a_response_is_cached_as_long_as_it_says(database_url: str, make_policy: MakePolicy, root: str) -> None:
    stored = make_policy().archive(10, 360).series(root).slots(10, {T + 10: 1.0})
    kept, shortly = client(database_url, cache_seconds=600), client(database_url, cache_seconds=1)
    query = PAST | {"target": root}
    before = values_of(kept.get("/render", query_string=query))
    assert values_of(shortly.get("/render", query_string=query)) == before
    stored.slots(10, {T + 20: 2.0})
    again = kept.post("/render", data=dict(reversed(query.items())))
    assert values_of(again) == before == [1.0, None, None, None, None, None]
    assert 0 < int(again.headers["Cache-Control"].removeprefix("max-age=")) <= 600
    fresh = kept.get("/render", query_string=query | {"noCache": "1"})
    assert (values_of(fresh)[1], fresh.headers["Cache-Control"]) == (2.0, "no-store")
    assert values_of(kept.get("/render", query_string=query | {"cacheTimeout": "0"}))[1] == 2.0
    assert values_of(kept.get("/render", query_string=query | {"maxDataPoints": "100"}))[1] == 2.0
    wait_until(
        lambda: values_of(shortly.get("/render", query_string=query)),
        "the answer is no longer kept",
        lambda values: values[1] is not None,
    )


def test_the_client_limits_the_age(database_url: str) -> None:
    kept = client(database_url, cache_seconds=3)
    response = kept.get("/render", query_string=PAST | {"target": "constantLine(1)", "cacheTimeout": "120"})
    assert response.headers["Cache-Control"] == "max-age=120"


@pytest.mark.parametrize("settings", [{"cache_seconds": 0}, {"cache_seconds": 10, "cache_bytes": 400}], ids=str)
def test_uncached_responses(database_url: str, make_policy: MakePolicy, root: str, settings: dict[str, int]) -> None:
    stored = make_policy().archive(10, 360).series(root).slots(10, {T + 10: 1.0})
    kept = client(database_url, **settings)
    values_of(kept.get("/render", query_string=PAST | {"target": root}))
    stored.slots(10, {T + 20: 2.0})
    assert values_of(kept.get("/render", query_string=PAST | {"target": root}))[1] == 2.0


def test_errors_are_not_cached(database_url: str, make_policy: MakePolicy, root: str) -> None:
    kept = client(database_url, cache_seconds=10, max_series=1)
    policy = make_policy().archive(10, 360)
    both = [policy.series(f"{root}.{name}") for name in "ab"]
    query = PAST | {"target": f"{root}.*"}
    refused = kept.get("/render", query_string=query)
    assert (refused.status_code, "Cache-Control" in refused.headers) == (400, False)
    policy.connection.execute("delete from ds where id = %s", (both[0].id,))
    assert kept.get("/render", query_string=query).status_code == 200


def test_large_responses_are_compressed(database_url: str) -> None:
    plain = client(database_url)
    query = PAST | {"target": "time('t',1)"}
    small = {"target": "constantLine(1)", "format": "json"}
    unpacked = plain.get("/render", query_string=query)
    assert "Content-Encoding" not in unpacked.headers
    for accepted, packed in (("gzip", True), ("deflate, gzip;q=0.5", True), ("gzip;q=0", False), ("br", False)):
        before = bytes_sent()
        response = plain.get("/render", query_string=query, headers={"Accept-Encoding": accepted})
        assert bytes_sent() - before == len(response.data)
        assert (response.headers.get("Content-Encoding") == "gzip") is packed
        assert response.headers["Vary"] == "Accept-Encoding"
        assert int(response.headers["Content-Length"]) == len(response.data)
        assert (gzip.decompress(response.data) if packed else response.data) == unpacked.data
    response = plain.get("/render", query_string=small, headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in response.headers


@pytest.mark.parametrize("accepted", ["gzip", ""])
def test_a_response_of_many_points_is_streamed(
    database_url: str, accepted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(render, "STREAMED_POINTS", 50_000)  # fewer, which are read faster
    kept = client(database_url, cache_seconds=10)
    query = {"target": ["time('t',1)", "time('u',1)"], "from": T - 30_000, "until": T, "now": T, "format": "json"}
    before = bytes_sent()
    streamed = kept.get("/render", query_string=query, headers={"Accept-Encoding": accepted})
    assert streamed.status_code == 200
    assert len(streamed.data) == bytes_sent() - before  # when it has been read
    streamed.close()  # its slot, for which the next request would wait
    assert "Content-Length" not in streamed.headers
    assert (streamed.headers.get("Content-Encoding") == "gzip") is (accepted == "gzip")
    found = orjson.loads(gzip.decompress(streamed.data) if accepted else streamed.data)
    assert [(len(series["datapoints"]), series["datapoints"][-1]) for series in found] == [(30_000, [T - 1, T - 1])] * 2
    fewer = kept.get("/render", query_string=query | {"maxDataPoints": 1000})
    assert fewer.status_code == 200
    assert fewer.content_length == len(fewer.data)
