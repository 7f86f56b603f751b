from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import cast

import pytest

from ..api_server import ApiClient, Response
from ..writable import WRITER
from . import data, graphite_web, whole_rondo
from .requests import Request


@pytest.fixture(scope="session")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiClient]:
    """graphite-web with the series of data."""
    stored = [series.whisper() for series in data.every()]
    with graphite_web.serve(tmp_path_factory.mktemp("graphite-web"), stored) as client:
        yield client


@pytest.fixture(scope="session")
def rondo(web: ApiClient, new_rondo: ApiClient) -> ApiClient:
    """A whole Rondo that was sent the series of data; both have the same events, and no others."""
    whole_rondo.store(new_rondo, data.every())
    for event in data.EVENTS:
        assert [each.post_json("/events/", event, WRITER).status for each in (new_rondo, web)] == [200, 200]
    return new_rondo


@pytest.fixture(scope="session")
def responses(
    request: pytest.FixtureRequest, rondo: ApiClient, web: ApiClient
) -> dict[Request, tuple[Response, Response]]:
    """Answers of both to each request of the tests that run: Rondo's, graphite-web's."""
    tests = [each for each in request.session.items if isinstance(each, pytest.Function)]
    asked = [cast("Request", each.callspec.params["request_"]) for each in tests if "responses" in each.fixturenames]
    with ThreadPoolExecutor(4) as pool:
        ours = pool.map(lambda each: rondo.post("/render", each.query), asked)
        theirs = pool.map(lambda each: web.post("/render", each.query), asked)
        return dict(zip(asked, zip(ours, theirs, strict=True), strict=True))
