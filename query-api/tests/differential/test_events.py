"""The same events in Rondo and graphite-web: both find the same ones."""

from typing import Any

import pytest

from ..api_server import ApiClient, Response
from .data import NOW

OVER = {"from": NOW - 86_400, "until": NOW}


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"tags": "deploy"},
        {"tags": "deploy web"},
        {"tags": "deploy web", "set": "intersection"},
        {"tags": "web db", "set": "union"},
        {"tags": "deploy nosuch", "set": "intersection"},
        {"tags": "deploy nosuch", "set": "union"},
        {"from": NOW - 1800, "until": NOW - 1800},
        {"from": NOW - 1799},
    ],
    ids=str,
)
def test_found(rondo: ApiClient, web: ApiClient, query: dict[str, Any]) -> None:
    ours, theirs = (each.get("/events/get_data", **OVER | query) for each in (rondo, web))
    assert ours.headers.get_content_type() == theirs.headers.get_content_type()
    assert shown(ours) == shown(theirs)


def shown(response: Response) -> list[dict[str, Any]]:
    return [{name: value for name, value in event.items() if name != "id"} for event in response.json]
