"""The application in the process of the tests, with a real database and its own settings."""

from flask.testing import FlaskClient

from rondo_query_api.app import create_app
from rondo_query_api.settings import Settings


def client(database_url: str, **settings: object) -> FlaskClient:
    given = {"database_url": database_url, "threads": 2, "log_level": "error", "cache_seconds": 0} | settings
    return create_app(Settings(**given)).test_client()  # type: ignore[arg-type]
