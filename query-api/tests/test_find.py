import json
import os
import pickle
from urllib.parse import unquote_plus

import msgpack
import psycopg
import pytest
from prometheus_client import REGISTRY

from rondo_query_api.db import statement
from rondo_query_api.find.patterns import nodes

from . import in_process
from .api_server import ApiClient
from .conftest import MakePolicy


@pytest.fixture
def tree(make_policy: MakePolicy, root: str) -> str:
    """Series a.x, a.y.z, b, b.c and a tagged one below a separate root."""
    policy = make_policy().archive(10, 360)
    for name in ("a.x", "a.y.z", "b", "b.c", "b-d", "b0"):
        policy.series(f"{root}.{name}")
    policy.series({"name": f"{root}.tagged", "dc": "ams"})
    return root


def paths(api: ApiClient, query: str) -> list[tuple[str, bool]]:
    response = api.get("/metrics/find", query=query, format="json")
    assert response.status == 200, response.text
    return [(node["path"].partition(".")[2], node["is_leaf"]) for node in response.json]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("*", [("a", False), ("b", False), ("b", True), ("b-d", True), ("b0", True)]),
        ("a.*", [("a.x", True), ("a.y", False)]),
        ("*.*", [("a.x", True), ("a.y", False), ("b.c", True)]),
        ("*.{x,c}", [("a.x", True), ("b.c", True)]),
        ("*.y.*", [("a.y.z", True)]),
        ("*.y.z", [("a.y.z", True)]),
        ("a.y.z", [("a.y.z", True)]),
        ("b", [("b", False), ("b", True)]),
        ("b?", [("b0", True)]),
        ("b*", [("b", False), ("b", True), ("b-d", True), ("b0", True)]),
        ("[ab]", [("a", False), ("b", False), ("b", True)]),
        ("[!a]?d", [("b-d", True)]),
        ("*.y.nope", []),
        ("nope.*", []),
        ("a.x.*", []),
        ("tagged", []),
        ("**.x", [("a.x", True)]),
        ("a.**.x", [("a.x", True)]),
        ("**.z", [("a.y.z", True)]),
        ("a.**", [("a.x", True), ("a.y", False), ("a.y.z", True)]),
        ("**.**.c", [("b.c", True)]),
        ("**.nope", []),
    ],
)
def test_level(api: ApiClient, tree: str, query: str, expected: list[tuple[str, bool]]) -> None:
    assert paths(api, f"{tree}.{query}") == expected


def test_a_first_node_may_be_a_pattern(api: ApiClient, tree: str) -> None:
    response = api.get("/metrics/find", query=f"{tree[:-1]}?.a.x", format="json")
    assert [(node["path"], node["is_leaf"]) for node in response.json] == [(f"{tree}.a.x", True)]


def test_treejson_is_graphites(api: ApiClient, tree: str) -> None:
    branch = {"allowChildren": 1, "expandable": 1, "leaf": 0}
    leaf = {"allowChildren": 0, "expandable": 0, "leaf": 1}
    expected = [
        {"text": "*", "id": f"{tree}.a.*", **branch},
        {"text": "y", "id": f"{tree}.a.y", **branch},
        {"text": "x", "id": f"{tree}.a.x", **leaf},
    ]
    assert api.get("/metrics/find", query=f"{tree}.a.*", wildcards=1).json == expected
    assert api.post("/metrics/find/", {"query": f"{tree}.a.*"}).json == expected[1:]
    assert api.post_json("/metrics", {"query": f"{tree}.a.*"}).json == expected[1:]
    jsonp = api.get("/metrics/find", query=f"{tree}.a.x", jsonp="take.it")
    assert (jsonp.headers.get_content_type(), jsonp.text[:9]) == ("text/javascript", "take.it([")


def test_odd_names_are_unchanged(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    """JSON escapes them, and Graphite's display decodes them like parts of a URL."""
    policy = make_policy()
    names = ['",', '","', "\\", 'a"', '",\n  "', "50%25 +x", "é日"]
    for name in names:
        policy.series(f'{root}"é.{name}')
    found = api.get("/metrics/find", query=f'{root}"é.*').json
    assert [node["id"] for node in found] == [f'{root}"é.{name}' for name in sorted(names)]
    assert [node["text"] for node in found] == [unquote_plus(name) for name in sorted(names)]


def test_a_branch_of_several_rows_is_found_once_and_not_at_all_if_empty(
    api: ApiClient, connection: psycopg.Connection, tree: str
) -> None:
    """Two sinks that concurrently insert and retire series leave such rows."""
    connection.execute(
        "insert into branch (parent, node, unconfirmed)"
        " values (%(top)s, 'a', false), (%(top)s, 'a', true), (%(top)s, 'gone', false), (%(top)s, 'gone', true)",
        {"top": f"{tree}."},
    )
    expected = [("a", False), ("b", False), ("b", True), ("b-d", True), ("b0", True)]
    assert (paths(api, f"{tree}.*"), paths(api, f"{tree}.go*")) == (expected, [])


def test_completer_is_graphites(api: ApiClient, tree: str) -> None:
    response = api.get("/metrics/find", query=f"{tree}.a.*", format="completer", wildcards=1)
    assert response.json == {
        "metrics": [
            {"path": f"{tree}.a.x", "name": "x", "is_leaf": "1"},
            {"path": f"{tree}.a.y.", "name": "y", "is_leaf": "0"},
            {"name": "*"},
        ]
    }


@pytest.mark.parametrize("times", [{"from": "-1h", "until": "now"}, {"from": 1700000000, "until": 1700003600}])
def test_times_may_be_relative(api: ApiClient, tree: str, times: dict[str, str]) -> None:
    assert api.get("/metrics/find", query=f"{tree}.a.x", **times).json[0]["text"] == "x"


def test_expand(api: ApiClient, tree: str) -> None:
    queries = [f"{tree}.a.*", f"{tree}.b"]
    every = [f"{tree}.a.x", f"{tree}.a.y", f"{tree}.b"]
    assert api.get("/metrics/expand", query=queries).json == {"results": every}
    assert api.post("/metrics/expand", {"query": queries, "leavesOnly": 1}).json == {"results": [every[0], every[2]]}
    grouped = api.get("/metrics/expand", query=queries, groupByExpr=1)
    assert grouped.json == {"results": {queries[0]: every[:2], queries[1]: every[2:]}}


def test_index_holds_every_untagged_series(api: ApiClient, tree: str) -> None:
    names = api.get("/metrics/index.json").json
    assert [name for name in names if name.startswith(tree)] == [
        f"{tree}.{name}" for name in ("a.x", "a.y.z", "b", "b-d", "b.c", "b0")
    ]
    assert names == sorted(names, key=os.fsencode)


def test_a_new_series_is_found_at_once(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    policy = make_policy().archive(10, 360)
    for n in range(5):
        policy.series(f"{root}.n{n}")
        assert paths(api, f"{root}.*") == [(f"n{m}", True) for m in range(n + 1)]


def test_formats_for_other_graphite_webs(api: ApiClient, tree: str) -> None:
    branch = {"path": f"{tree}.a.y", "is_leaf": False}
    for wanted, loads in (("pickle", pickle.loads), ("msgpack", lambda body: msgpack.unpackb(body, use_list=False))):
        leaf, *others = loads(api.get("/metrics/find", query=f"{tree}.a.*", format=wanted).body)
        assert list(others) == [branch]
        assert (leaf["path"], leaf["is_leaf"], [start for start, _ in leaf["intervals"]]) == (f"{tree}.a.x", True, [0])


def refused() -> float:
    return REGISTRY.get_sample_value("rondo_query_refused_requests_total", {"setting": "find_max_nodes"}) or 0


def test_a_pattern_that_inspects_too_many_nodes_is_refused(
    make_policy: MakePolicy, root: str, database_url: str
) -> None:
    policy = make_policy()
    for n in range(12):
        policy.series(f"{root}.h{n % 4}.m{n}")
    api = in_process.api(database_url, find_max_nodes=10)
    before = refused()
    assert len(paths(api, f"{root}.*")) == 4
    for pattern in ("*.*", "*.nosuch*", "**"):
        response = api.get("/metrics/find", query=f"{root}.{pattern}")
        message = f"'{root}.{pattern}' inspects more than 10 nodes of the tree (RONDO_API_FIND_MAX_NODES)\n"
        assert (response.status, response.text) == (400, message)
    assert refused() == before + 3
    assert len(paths(api, f"{root}.h0.*")) == 3


def test_a_level_is_read_without_what_is_below_it(
    connection: psycopg.Connection, session: psycopg.Connection, make_policy: MakePolicy, root: str
) -> None:
    """Reading 5,000 names takes far more buffers than this."""
    connection.execute(
        "insert into ds (ident, policy, seg, pos, starts_at)"
        " select jsonb_build_object('name', %s || '.h' || n / 1000 || '.m' || n), %s, n / 200, n %% 200 + 1, 'epoch'"
        " from generate_series(0, 4999) n",
        (root, make_policy().name),
    )
    connection.execute("vacuum analyze ds, branch")
    [node] = nodes("*")
    level = {
        "parents": json.dumps([f"{root}."]),
        "low": node.low,
        "high": node.high,
        "regex": node.regex,
        "most": 100,
        "described": True,
    }
    for name in ("branches", "leaves"):
        plan = session.execute("explain (analyze, buffers, format json) " + statement(name), level).fetchone()
        assert plan
        assert plan[0][0]["Plan"]["Shared Hit Blocks"] < 100
