"""The same series and requests in Rondo and graphite-web: equal responses, except for the intended differences."""

import pytest

from rondo_query_api.functions import FUNCTIONS

from ..api_server import Response
from .comparison import difference
from .requests import Request, exceptions, requests

Answers = dict[Request, tuple[Response, Response]]
KINDS = {target: exception.kind for exception in exceptions() for target in exception.targets}


@pytest.mark.parametrize("request_", requests(), ids=lambda request_: request_.line)
def test_answers_are_the_same(responses: Answers, request_: Request) -> None:
    found = difference(*responses[request_])
    kind = found.partition(":")[0] if found else None
    assert kind == KINDS.get(request_.line), found


def test_every_function_is_asked_for() -> None:
    assert set().union(*(request.functions for request in requests())) == set(FUNCTIONS)
    assert len(FUNCTIONS) == 154


def test_every_exception_is_asked_for() -> None:
    assert set(KINDS) <= {request.line for request in requests()}
    assert {name for each in exceptions() for name in each.functions} <= set(FUNCTIONS)
    assert len({request.line for request in requests()}) == len(requests())
