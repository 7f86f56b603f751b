import os

import pytest

from .api_server import ApiClient
from .conftest import MakePolicy


@pytest.fixture
def tree(make_policy: MakePolicy, root: str) -> str:
    """Series a.x, a.y.z, b, b.c and a tagged one below a root of their own."""
    policy = make_policy().archive(10, 360)
    for name in ("a.x", "a.y.z", "b", "b.c", "b-d", "b0"):
        policy.series(f"{root}.{name}")
    policy.series({"name": f"{root}.tagged", "dc": "ams"})
    return root


def paths(api: ApiClient, query: str) -> list[tuple[str, bool]]:
    answer = api.get("/metrics/find", query=query, format="json")
    assert answer.status == 200, answer.text
    return [(node["path"].partition(".")[2], node["is_leaf"]) for node in answer.json]


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
    ],
)
def test_level(api: ApiClient, tree: str, query: str, expected: list[tuple[str, bool]]) -> None:
    assert paths(api, f"{tree}.{query}") == expected


def test_a_first_node_may_be_a_pattern(api: ApiClient, tree: str) -> None:
    answer = api.get("/metrics/find", query=f"{tree[:-1]}?.a.x", format="json")
    assert [(node["path"], node["is_leaf"]) for node in answer.json] == [(f"{tree}.a.x", True)]


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


def test_completer_is_graphites(api: ApiClient, tree: str) -> None:
    answer = api.get("/metrics/find", query=f"{tree}.a.*", format="completer", wildcards=1)
    assert answer.json == {
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
