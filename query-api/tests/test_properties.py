"""Series with arbitrary names are found and rendered."""

from uuid import uuid4

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rondo_query_api.app import create_app
from rondo_query_api.settings import Settings
from rondo_query_api.targets import escape

from .conftest import MakePolicy
from .examples import examples

T = 1_700_006_400
CHARACTERS = st.characters(codec="utf-8", exclude_characters="\0.;\U0010ffff") | st.sampled_from(
    "*?[]{}()!^-,'\"\\/%+$|# "
)
NODES = st.text(CHARACTERS, min_size=1, max_size=5) | st.sampled_from(
    ["a", "b", "a-", "true", "1e5", "*", "{a,b}", "[!a]"]
)
NAMES = st.lists(NODES, min_size=1, max_size=4).map(".".join)
TREES = st.dictionaries(NAMES, st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=8)


@pytest.fixture(scope="module")
def app(database_url: str) -> Flask:
    return create_app(Settings(database_url=database_url, threads=1, log_level="error"))


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TREES)
def test_what_is_stored_is_found_and_rendered(app: Flask, make_policy: MakePolicy, tree: dict[str, float]) -> None:
    root = f"root{uuid4().hex}"
    policy = make_policy().archive(10, 360)
    for name, value in tree.items():
        policy.series(f"{root}.{name}").slots(10, {T + 10: value})
    client = app.test_client()

    depth = max(name.count(".") for name in tree) + 1
    levels = [
        client.post("/metrics/find", data={"query": root + ".*" * n, "format": "json"}) for n in range(1, depth + 1)
    ]
    leaves = {node["path"] for level in levels for node in level.get_json() if node["is_leaf"]}
    assert leaves == {f"{root}.{name}" for name in tree}

    for name, value in tree.items():
        query = {"target": escape(f"{root}.{name}"), "from": T, "until": T + 10, "now": T + 10, "format": "json"}
        rendered = {each["target"]: each["datapoints"] for each in client.post("/render", data=query).get_json()}
        assert rendered[f"{root}.{name}"] == [[value, T + 10]]
