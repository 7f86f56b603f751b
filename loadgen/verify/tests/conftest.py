from collections.abc import Iterator

import psycopg
import pytest
from tests import postgres

pytest_plugins = ["tests.reports"]


@pytest.fixture(scope="session")
def server_url() -> Iterator[str]:
    with postgres.folder() as folder, postgres.server(folder) as url:
        yield url


@pytest.fixture(scope="session")
def database_url(server_url: str) -> Iterator[str]:
    with postgres.fresh_database(server_url) as url:
        yield url


@pytest.fixture(scope="session")
def connection(database_url: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(database_url, autocommit=True) as connection:
        yield connection
