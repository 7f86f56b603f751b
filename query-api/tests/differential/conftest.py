from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from ..api_server import Answer, ApiClient
from . import data, graphite_web
from .requests import Request, requests


@pytest.fixture(scope="session")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiClient]:
    """graphite-web with the series of data."""
    stored = [series.whisper() for series in data.every()]
    with graphite_web.serve(tmp_path_factory.mktemp("graphite-web"), data.NOW, stored) as client:
        yield client


@pytest.fixture(scope="session")
def stored(api: ApiClient, web: ApiClient, connection: psycopg.Connection) -> None:
    """Rondo has the same series, and both have the same events and no others."""
    data.store(connection, data.every())
    connection.execute("delete from event")
    for event in data.EVENTS:
        assert (api.post_json("/events/", event).status, web.post_json("/events/", event).status) == (200, 200)


@pytest.fixture(scope="session")
def answers(api: ApiClient, web: ApiClient, stored: None) -> dict[Request, tuple[Answer, Answer]]:
    """Answers of both to each request: Rondo's, graphite-web's."""
    with ThreadPoolExecutor(4) as pool:
        ours = pool.map(lambda each: api.post("/render", each.query), requests())
        theirs = pool.map(lambda each: web.post("/render", each.query), requests())
        return dict(zip(requests(), zip(ours, theirs, strict=True), strict=True))
