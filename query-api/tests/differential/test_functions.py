"""/functions of Rondo and graphite-web, except for descriptions and modules."""

from typing import Any

import pytest

from .. import in_process
from ..api_server import NO_DATABASE, ApiClient

Described = dict[str, Any]


@pytest.fixture(scope="module")
def api() -> ApiClient:
    """An API without a database, which descriptions of functions do not need."""
    return in_process.api(NO_DATABASE)


def without_own(function: Described) -> Described:
    assert function["description"]
    return {key: value for key, value in function.items() if key not in ("description", "module")}


def test_all_functions_are_described_the_same(api: ApiClient, web: ApiClient) -> None:
    ours, theirs = api.get("/functions").json, web.get("/functions").json
    assert {name: without_own(each) for name, each in ours.items()} == {
        name: without_own(each) for name, each in theirs.items()
    }


@pytest.mark.parametrize("query", [{"grouped": "1"}, {"grouped": "true", "group": "Graph"}, {"group": "Sorting"}])
def test_they_are_grouped_the_same(api: ApiClient, web: ApiClient, query: Described) -> None:
    ours, theirs = (client.get("/functions", **query).json for client in (api, web))
    assert {name: sorted(each) for name, each in ours.items()} == {name: sorted(each) for name, each in theirs.items()}


def test_one_function(api: ApiClient, web: ApiClient) -> None:
    ours, theirs = (client.get("/functions/interpolate", pretty=1) for client in (api, web))
    assert without_own(ours.json) == without_own(theirs.json)
    assert '"default": 1e9999' in ours.text
    assert ours.text.startswith("{\n")


def test_no_function(api: ApiClient, web: ApiClient) -> None:
    assert [client.get("/functions/sumSerie").status for client in (api, web)] == [404, 404]
    assert api.get("/functions/sumSerie").text == "unknown function sumSerie; did you mean sumSeries?\n"


def test_those_of_pies(api: ApiClient, web: ApiClient) -> None:
    ours, theirs = (client.get("/functions", type="pie").json for client in (api, web))
    assert {name: without_own(each) for name, each in ours.items()} == {
        name: without_own(each) for name, each in theirs.items()
    }
