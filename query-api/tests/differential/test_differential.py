"""The same series and requests in Rondo and graphite-web: equal responses, except for the intended differences."""

import json

import pytest

from rondo_query_api.functions import FUNCTIONS

from ..api_server import ApiClient, Response
from .comparison import difference
from .data import AGGREGATES, NOW
from .requests import Request, exceptions, quick, requests

Answers = dict[Request, tuple[Response, Response]]
KINDS = {target: exception.kind for exception in exceptions() for target in exception.targets}


REQUESTS = requests()
QUICK = quick(REQUESTS)


@pytest.mark.parametrize(
    "request_",
    [pytest.param(each, id=each.line, marks=() if each in QUICK else pytest.mark.long) for each in REQUESTS],
)
def test_answers_are_the_same(responses: Answers, request_: Request) -> None:
    found = difference(*responses[request_])
    kind = found.partition(":")[0] if found else None
    assert kind == KINDS.get(request_.line), found


@pytest.mark.parametrize("aggregate", AGGREGATES)
@pytest.mark.parametrize(("since", "points"), [("-1h", 30), ("-5h", 30), ("-8h", 50), ("-40h", 100)])
def test_series_are_thinned_as_by_consolidate_by(
    rondo: ApiClient, web: ApiClient, aggregate: str, since: str, points: int
) -> None:
    """By the function of the policy, without asking for it."""
    query = {"format": "json", "now": str(NOW), "from": since, "until": "now", "maxDataPoints": str(points)}
    ours = rondo.post("/render", {"target": f"whole.{aggregate}"} | query)
    theirs = web.post("/render", {"target": f"consolidateBy(whole.{aggregate},'{aggregate}')"} | query)
    [own], [other] = json.loads(ours.body), json.loads(theirs.body)
    assert own["datapoints"] == [[pytest.approx(value, rel=1e-9), time] for value, time in other["datapoints"]]


def test_every_function_is_requested() -> None:
    assert set().union(*(request.functions for request in QUICK)) == set(FUNCTIONS)
    assert len(FUNCTIONS) == 154


def test_every_exception_is_requested() -> None:
    assert set(KINDS) <= {request.line for request in requests()}
    assert {name for each in exceptions() for name in each.functions} <= set(FUNCTIONS)
    assert len({request.line for request in requests()}) == len(requests())
