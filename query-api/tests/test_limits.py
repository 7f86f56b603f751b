"""Requests above a limit are refused with the setting's name; requests above the time limit are cancelled."""

import time

import psycopg
import pytest

from . import in_process, postgres
from .conftest import MakePolicy
from .in_process import client
from .waiting import wait_until

T = 1_700_006_400
HOUR = {"from": T, "until": T + 3600, "now": T + 3600, "format": "json"}


@pytest.fixture
def root_of_two(make_policy: MakePolicy, root: str) -> str:
    policy = make_policy().archive(10, 360)
    for name in ("a", "b"):
        policy.series(f"{root}.{name}").slots(10, {T + 10: 1.0})
    return root


@pytest.mark.parametrize(
    ("settings", "query", "message"),
    [
        ({"max_targets": 2}, {"target": ["a", "b", "c"]}, "3 targets, at most 2 (RONDO_API_MAX_TARGETS)"),
        (
            {"max_target_length": 5},
            {"target": ["a", "abcdef"]},
            "6 characters in a target, at most 5 (RONDO_API_MAX_TARGET_LENGTH)",
        ),
        (
            {"max_range_days": 1},
            {"target": "a", "from": T - 86_401 + 3600},
            "2 days between from and until, at most 1 (RONDO_API_MAX_RANGE_DAYS)",
        ),
        ({"max_series": 1}, {"target": "ROOT.*"}, "2 series, at most 1 (RONDO_API_MAX_SERIES)"),
        ({"max_series": 1}, {"target": ["ROOT.a", "ROOT.b"]}, "2 series, at most 1 (RONDO_API_MAX_SERIES)"),
        ({"max_points": 719}, {"target": "ROOT.*"}, "720 points, at most 719 (RONDO_API_MAX_POINTS)"),
        ({"max_points": 719}, {"target": ["ROOT.a", "ROOT.b"]}, "720 points, at most 719 (RONDO_API_MAX_POINTS)"),
        ({"max_points": 3599}, {"target": "time('t',1)"}, "3600 points, at most 3599 (RONDO_API_MAX_POINTS)"),
        ({"max_points": 59}, {"target": "identity('t')"}, "60 points, at most 59 (RONDO_API_MAX_POINTS)"),
        ({"max_points": 3599}, {"target": "randomWalk('t',1)"}, "3600 points, at most 3599 (RONDO_API_MAX_POINTS)"),
        ({"max_points": 3600}, {"target": "summarize(ROOT.a,'1s')"}, "3961 points, at most 3600"),
        ({"max_points": 3600}, {"target": "smartSummarize(ROOT.a,'1s')"}, "3960 points, at most 3600"),
        ({"max_points": 3600}, {"target": "hitcount(ROOT.a,'1s')"}, "3960 points, at most 3600"),
        (
            {"max_series": 1000},
            {"target": "timeStack(timeStack(ROOT.a,'1s',0,1000),'1s',0,1000)"},
            "1001 series, at most 1000 (RONDO_API_MAX_SERIES)",
        ),
        (
            {"max_points": 10_000},
            {"target": "sumSeries(time('a',99991),time('b',100003))"},
            "at most 10000 (RONDO_API_MAX_POINTS)",
        ),
        ({"max_points": 2000}, {"target": "scale(scale(ROOT.*,2),2)"}, "2160 points, at most 2000"),
        (
            {"max_derived_bytes": 1200},
            {"target": "alias(ROOT.*,'" + "x" * 200 + "')"},
            "1400 bytes of derived series' names, at most 1200 (RONDO_API_MAX_DERIVED_BYTES)",
        ),
        (
            {"max_derived_bytes": 100_000},
            {"target": "cactiStyle(group(" + ",".join(["ROOT.a"] * 200) + f",alias(ROOT.a,'{'x' * 5000}')))"},
            "RONDO_API_MAX_DERIVED_BYTES",
        ),
        ({"max_series": 30}, {"target": "group(" + ",".join(["ROOT.a"] * 31) + ")"}, "31 series, at most 30"),
        ({"max_response_bytes": 7000}, {"target": "ROOT.a"}, "bytes of response, at most 7000 (RONDO_API_MAX_RES"),
        ({"max_response_bytes": 7000}, {"target": "ROOT.a", "format": "csv"}, "bytes of response, at most 7000"),
        ({"max_response_bytes": 30_000}, {"target": "ROOT.a", "format": "pickle"}, "bytes of response, at most 30000"),
        ({"max_response_bytes": 30_000}, {"target": "ROOT.a", "pretty": "1"}, "bytes of response, at most 30000"),
        ({"max_points": 1000}, {"target": "ROOT.*", "format": "dygraph"}, "1002 points, at most 1000"),
        (
            {},
            {"target": "template(" + "$a" * 100 + ",a='" + "$b" * 100 + "',b='" + "c" * 100 + "')"},
            "a path of template() has 1000000 characters, at most 65536",
        ),
        ({}, {"target": "aliasQuery(ROOT.a,'a$','a','%2000000000d')"}, "width and precision are at most 100"),
        ({}, {"target": "aliasQuery(ROOT.a,'a$','a','%.2000000000f')"}, "width and precision are at most 100"),
        ({}, {"target": "aliasQuery(ROOT.a,'a$','a','" + "%100d" * 10_000 + "')"}, "at most 65536"),
        ({}, {"target": f"applyByNode(ROOT.*,0,'{'%' * 10_000}')"}, "characters, at most 65536"),
        ({}, {"target": f"applyByNode(ROOT.*,0,'%.a','{'%' * 10_000}')"}, "characters, at most 65536"),
    ],
    ids=str,
)
def test_too_much_is_refused(
    database_url: str, root_of_two: str, settings: dict[str, int], query: dict[str, object], message: str
) -> None:
    rooted = {
        name: [str(each).replace("ROOT", root_of_two) for each in value]
        if isinstance(value, list)
        else str(value).replace("ROOT", root_of_two)
        for name, value in query.items()
    }
    response = client(database_url, **settings).post("/render", data=HOUR | rooted)
    assert (response.status_code, response.mimetype) == (400, "text/plain")
    assert message in response.text
    assert response.text.count("\n") == 1


def test_requests_at_the_limits_are_answered(database_url: str, root_of_two: str) -> None:
    allowed = client(database_url, max_series=2, max_points=720, max_targets=1, max_range_days=1)
    response = allowed.post("/render", data=HOUR | {"target": f"{root_of_two}.*"})
    assert [len(series["datapoints"]) for series in response.get_json()] == [360, 360]


@pytest.fixture
def tagged(make_policy: MakePolicy, root: str) -> str:
    policy = make_policy().archive(10, 360)
    for n in range(5):
        policy.series({"name": root, "host": f"{root}{n}"}).slots(10, {T + 10: 1.0})
        policy.series(f"{root}.tree.{n}").slots(10, {T + 10: 1.0})
    return root


@pytest.mark.parametrize(
    ("settings", "path", "query", "message"),
    [
        ({"max_series": 4}, "/render", {"target": "seriesByTag('name=ROOT')", **HOUR}, "5 series, at most 4"),
        ({"max_series": 4}, "/render", {"target": "seriesByTag('name=~ROOT.*')", **HOUR}, "5 series, at most 4"),
        ({"max_rows": 4}, "/tags/findSeries", {"expr": "name=ROOT"}, "5 rows, at most 4 (RONDO_API_MAX_ROWS)"),
        ({"max_rows": 4}, "/tags/host", {"filter": "ROOT"}, "rows, at most 4 (RONDO_API_MAX_ROWS)"),
        ({"max_rows": 4}, "/metrics/index.json", {}, "6 rows, at most 4 (RONDO_API_MAX_ROWS)"),
        ({"max_rows": 4}, "/metrics/find", {"query": "ROOT.tree.*"}, "rows, at most 4 (RONDO_API_MAX_ROWS)"),
        ({"max_rows": 20}, "/metrics/expand", {"query": [f"ROOT.tree.?{'*' * n}" for n in range(9)]}, "at most 20"),
        (
            {"max_rows": 4},
            "/tags/autoComplete/values",
            {"expr": "name=ROOT", "tag": "host", "limit": 1000},
            "rows, at most 4 (RONDO_API_MAX_ROWS)",
        ),
        ({"max_response_bytes": 20}, "/metrics/index.json", {}, "bytes of response, at most 20"),
        ({"max_response_bytes": 20}, "/functions", {}, "bytes of response, at most 20"),
    ],
    ids=str,
)
def test_rows_and_bytes_of_other_paths_are_limited(
    database_url: str, tagged: str, settings: dict[str, int], path: str, query: dict[str, object], message: str
) -> None:
    rooted = {
        name: [each.replace("ROOT", tagged) for each in value]
        if isinstance(value, list)
        else str(value).replace("ROOT", tagged)
        for name, value in query.items()
    }
    response = client(database_url, **settings).post(path, data=rooted)
    assert (response.status_code, response.mimetype) == (400, "text/plain")
    assert message in response.text


def test_a_long_body_is_refused(database_url: str) -> None:
    small = client(database_url, max_body_bytes=1000)
    for response in (
        small.post("/render", data={"target": "a" * 1000}),
        small.post("/render", json={"target": "a" * 1000}),
    ):
        assert (response.status_code, response.text) == (
            413,
            "the body is longer than 1000 bytes (RONDO_API_MAX_BODY_BYTES)\n",
        )


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"target"', "the body is not JSON: "),
        (b"[1]", "the body is not a JSON object"),
        (b"[" * 100_000, "the body is not JSON: "),
        (b'{"target": ' + b"[" * 1000 + b"]" * 1000 + b"}", "target is [[[[[[[...]]]]]]], not text or a number"),
        (b'{"target": {"a": 1}}', "target is {'a': 1}, not text or a number"),
    ],
)
def test_an_invalid_json_body_is_an_error(database_url: str, body: bytes, message: str) -> None:
    response = client(database_url).post("/render", data=body, content_type="application/json")
    assert (response.status_code, response.text[: len(message)]) == (400, message)


def test_a_slow_statement_ends_with_the_request(server_url: str) -> None:
    with (
        postgres.fresh_database(server_url) as url,
        psycopg.connect(url) as locking,
    ):
        api = in_process.api(url, request_timeout_ms=300)
        locking.execute("lock table ds in access exclusive mode")
        response = api.get("/render", target="a", format="json")
        message = "the request took longer than 300 ms (RONDO_API_REQUEST_TIMEOUT_MS)\n"
        assert (response.status, response.text) == (504, message)
        locking.rollback()
        wait_until(
            lambda: api.get("/render", target="a", format="json").status,
            "it is answered when the lock is gone",
            lambda status: status == 200,
        )


@pytest.mark.parametrize(
    "target",
    [
        # Minutes and hours: reads that find nothing, long windows, a function called over and over, expressions.
        "timeStack(nosuch.*|fallbackSeries(time('t')),'1d',0,1000000000)",
        "movingWindow(time('t',1),500000,'median')",
        "group(" + ",".join(["scale(time('t',1),2)"] * 2000) + ")",
        "grep(alias(ROOT.a,'" + "a" * 200 + "!'),'(.*)*(.*)*(.*)*z|(a|aa)+$')",
        "aliasSub(alias(ROOT.a,'" + "a" * 200 + "!'),'(.*)*(.*)*(.*)*z|(a|aa)+$','')",
    ],
    ids=lambda target: target[:20],
)
def test_a_slow_evaluation_is_ended(database_url: str, root_of_two: str, target: str) -> None:
    impatient = client(database_url, request_timeout_ms=300, max_points=10**9)
    response = impatient.post("/render", data=HOUR | {"target": target.replace("ROOT", root_of_two)})
    message = "the request took longer than 300 ms (RONDO_API_REQUEST_TIMEOUT_MS)\n"
    assert (response.status_code, response.text) == (504, message)


@pytest.mark.parametrize(
    "function",
    ["timeSlice({},'-1y')", "keepLastValue({})", "exponentialMovingAverage({},10)", "stdev({},5)", "hitcount({},'2s')"],
)
def test_no_request_computes_much_longer_than_it_may(database_url: str, function: str) -> None:
    target = "time('t',1)"
    for _ in range(40):
        target = function.format(target)
    impatient = client(database_url, request_timeout_ms=200, max_points=10**9, max_response_bytes=10**9)
    began = time.thread_time()
    query = {"target": target, "from": T - 100_000, "until": T, "now": T, "format": "json"}
    response = impatient.post("/render", data=query)
    assert response.status_code == 504
    assert time.thread_time() - began < 0.5
