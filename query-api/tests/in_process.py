"""The application in the process of the tests, with a real database and its own settings."""

import os
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from urllib.request import Request

from flask.testing import FlaskClient

from rondo_query_api.app import create_app
from rondo_query_api.settings import Settings

from .api_server import ApiClient, Response, connect_timeout_ms


def client(database_url: str, **settings: object) -> FlaskClient:
    given = {"database_url": database_url, "threads": 2, "log_level": "error", "cache_seconds": 0}
    given |= {"connect_timeout_ms": connect_timeout_ms(database_url)} | settings
    return create_app(Settings(**given)).test_client()  # type: ignore[arg-type]


def api(database_url: str, **settings: object) -> "InProcess":
    """Like ``client``, with the interface of a served API."""
    return InProcess("http://localhost", Path(os.devnull), client(database_url, **settings))


@dataclass
class InProcess(ApiClient):
    """Calls the application without HTTP, which saves the start of a process."""

    application: FlaskClient

    def send(self, request: Request) -> Response:
        path = request.full_url.removeprefix(self.url)
        headers = dict(request.header_items())
        if request.data is not None:
            headers.setdefault("Content-type", "application/x-www-form-urlencoded")
        answer = self.application.open(path, method=request.get_method(), data=request.data, headers=headers)
        received = Message()
        for name, value in answer.headers:
            received[name] = value
        return Response(answer.status_code, received, answer.get_data())
