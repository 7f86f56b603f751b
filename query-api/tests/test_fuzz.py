"""Every request gets a response with a status that the README lists."""

import time
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rondo_query_api.functions import FUNCTIONS
from rondo_query_api.render.request import FORMATS

from .conftest import MakePolicy
from .examples import examples
from .fuzz import fuzz
from .in_process import client

T = 1_700_006_400
STATUSES = {200, 400, 401, 403, 404, 413, 415, 501, 503, 504}
ROOT = "fuzz"

ODD_WORDS = r"""
0 -1 1 2 10 1e5 1e308 -1e308 1e999 nan inf -inf 99999999999999999999 0.5 2147483648 -2147483649
1700006400 9007199254740993 true false none '' ' * a.b [ { } ) ( , ; ~ | \ " -1h -1min 1h 10s -1d now
noon today 20231115 00:00_20231115 midnight+1h -1y 1e3min -999999999d sum average max last count
range total avg_zero name dc=~.* name=~fuzz.* a!=b (.*)* [ (?P<a>x) \1 $x UTC Europe/Amsterdam json
csv raw svg first
"""
ODD = st.sampled_from(ODD_WORDS.split()) | st.text(max_size=8)
QUOTED = ODD.map(lambda text: "'" + text.replace("\\", "\\\\").replace("'", "") + "'")
PATHS = st.sampled_from(
    [f"{ROOT}.*", f"{ROOT}.a", f"{ROOT}.{{a,b}}", "nosuch.*", "**", "*", "fuzz;dc=ams", "[", "{a,", "$x"]
)
NUMBERS = st.integers(-3, 12).map(str) | st.floats().map(str) | st.integers().map(str)
NAMES = st.sampled_from(sorted(FUNCTIONS))


def calls(trees: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    arguments = st.lists(trees | NUMBERS | QUOTED | ODD, max_size=4)
    first = trees | PATHS
    return st.one_of(
        st.builds(lambda name, tree, rest: f"{name}({','.join([tree, *rest])})", NAMES, first, arguments),
        st.builds(lambda tree, name, rest: f"{tree}|{name}({','.join(rest)})", first, NAMES, arguments),
        st.builds(lambda tree, value: f"template({tree},x={value})", first, QUOTED | NUMBERS),
    )


TARGETS = st.recursive(PATHS, calls, max_leaves=6) | st.text(max_size=30)
PARAMETERS = st.fixed_dictionaries(
    {"target": TARGETS | st.lists(TARGETS, max_size=3)},
    optional={
        "from": ODD | st.just("-1h"),
        "until": ODD,
        "now": ODD | st.just(str(T + 600)),
        "tz": ODD,
        "format": st.sampled_from(FORMATS) | ODD,
        "maxDataPoints": ODD | NUMBERS,
        "noNullPoints": ODD,
        "xFilesFactor": ODD | NUMBERS,
        "template[x]": ODD,
        "jsonp": ODD,
        "pretty": ODD,
        "cacheTimeout": ODD,
        "noCache": ODD,
        "rawData": ODD,
        "pickle": ODD,
        "graphType": st.sampled_from(["line", "pie", "odd"]),
        "pieMode": ODD,
        "width": ODD,
        "height": ODD,
        "areaMode": ODD,
        "yMin": ODD,
        "yMax": ODD,
        "colorList": ODD,
        "bgcolor": ODD,
        "lineMode": ODD,
        "title": ODD,
        "xFormat": ODD,
        "fontSize": ODD,
        "minorY": ODD,
        "yStep": ODD,
        "hideLegend": ODD,
        "yUnitSystem": ODD,
        "logBase": ODD,
    },
)
BASE = {"from": str(T - 60), "until": str(T + 600), "now": str(T + 600), "format": "json"}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ODD,
    lambda each: st.lists(each, max_size=3) | st.dictionaries(ODD, each, max_size=3),
    max_leaves=5,
)
ROUNDS = 100
FUZZ = settings(max_examples=examples(120), deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(scope="module")
def fuzzed(database_url: str, make_policy: MakePolicy) -> FlaskClient:
    policy = make_policy().archive(10, 360).archive(60, 360)
    for ident in (f"{ROOT}.a", f"{ROOT}.b", {"name": ROOT, "dc": "ams"}):
        policy.series(ident).slots(10, {T + 10 * n: float(n) for n in range(60) if n % 7})
    return client(database_url, request_timeout_ms=3000, max_points=1_000_000, event_rate=100_000)


def check(response: Any) -> None:
    assert response.status_code in STATUSES, response.text
    if response.status_code != 200:
        assert (response.mimetype, response.text.count("\n")) == ("text/plain", 1)
    elif response.mimetype == "application/json":
        assert response.get_json() is not None


@FUZZ
@given(PARAMETERS)
def test_render(fuzzed: FlaskClient, parameters: dict[str, Any]) -> None:
    check(fuzzed.post("/render", data=BASE | parameters))


@pytest.mark.long
@FUZZ
@given(st.dictionaries(st.sampled_from(["target", "from", "until", "format", "tz", "maxDataPoints"]) | ODD, JSON))
def test_render_of_json(fuzzed: FlaskClient, body: dict[str, Any]) -> None:
    check(fuzzed.post("/render", json=body))


@FUZZ
@given(
    st.sampled_from(
        ["/events", "/events/get_data", "/metrics/find", "/metrics/expand", "/functions", "/render", "/nosuch"]
    ),
    st.dictionaries(
        st.sampled_from(["query", "from", "until", "tags", "set", "jsonp", "format", "wildcards", "target"]),
        ODD | TARGETS,
    ),
)
def test_queries(fuzzed: FlaskClient, path: str, query: dict[str, str]) -> None:
    check(fuzzed.get(path, query_string=query))


@pytest.mark.long
@FUZZ
@given(
    st.binary(max_size=60) | JSON.map(repr).map(str.encode),
    st.sampled_from(["", "application/json", "text/plain", "x"]),
)
def test_bodies(fuzzed: FlaskClient, body: bytes, content_type: str) -> None:
    for path in ("/render", "/events", "/metrics/find"):
        check(fuzzed.post(path, data=body, content_type=content_type))


@pytest.mark.long
@FUZZ
@given(st.dictionaries(st.sampled_from(["what", "tags", "data", "when"]), JSON))
def test_events(fuzzed: FlaskClient, event: dict[str, Any]) -> None:
    check(fuzzed.post("/events", json=event))


@pytest.mark.parametrize(
    ("rounds", "seed"),
    [(ROUNDS, 150), pytest.param(20 * ROUNDS, time.time_ns() % 1_000_000_000, marks=pytest.mark.long, id="others")],
)
def test_hostile_texts_are_read_or_refused_in_time(rounds: int, seed: int) -> None:
    """A short form of ``python -m tests.fuzz``; a fault names its seed."""
    found = fuzz(lambda round_: round_ >= rounds, seed)
    assert min(found.read.values()) > 0
    assert min(found.refused.values()) > 0
