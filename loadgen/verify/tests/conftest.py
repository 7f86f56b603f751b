from collections.abc import Iterator

import psycopg
import pytest
from tests import postgres


@pytest.fixture(scope="session")
def database_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with postgres.server(tmp_path_factory.mktemp("postgres")) as server, postgres.fresh_database(server) as url:
        yield url


@pytest.fixture(scope="session")
def connection(database_url: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(database_url, autocommit=True) as connection:
        yield connection
