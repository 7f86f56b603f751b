"""The application in the tests' own process, over a real database, with settings of its own."""

from flask.testing import FlaskClient

from rondo_query_api.app import create_app
from rondo_query_api.settings import Settings


def client(database_url: str, **settings: object) -> FlaskClient:
    given = {"database_url": database_url, "threads": 2, "log_level": "error", "cache_seconds": 0} | settings
    return create_app(Settings(**given)).test_client()  # type: ignore[arg-type]
