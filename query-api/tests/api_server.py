"""The query API under gunicorn as a process, and its HTTP client."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen
from uuid import uuid4

from . import journal, running
from .waiting import wait_until

QUERY_API = Path(__file__).parents[1]
FREE_ADDRESS = "127.0.0.1:0"
LISTENING = re.compile(r"Listening at: (http://\S+)")
NOWHERE = "127.0.0.1:1"  # nothing listens there
NO_DATABASE = f"postgresql://x@{NOWHERE}/rondo"
Fields = dict[str, Any]


@dataclass
class Response:
    status: int
    headers: Message
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body, parse_constant=not_json)


def not_json(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")


@dataclass
class ApiClient:
    url: str
    log: Path

    def get(self, path: str, **query: Any) -> Response:
        return self.send(Request(f"{self.url}{path}?{urlencode(query, doseq=True)}"))

    def post(self, path: str, fields: Fields) -> Response:
        return self.send(Request(self.url + path, data=urlencode(fields, doseq=True).encode()))

    def post_json(self, path: str, body: Any, token: str = "") -> Response:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        return self.send(Request(self.url + path, data=json.dumps(body).encode(), headers=headers))

    def send(self, request: Request) -> Response:
        try:
            with urlopen(request, timeout=120) as response:
                return Response(response.status, response.headers, response.read())
        except HTTPError as e:
            with e:
                return Response(e.code, e.headers, e.read())

    def render(self, target: str | list[str], start: int, end: int, now: int | None = None, **query: Any) -> Any:
        """JSON series of /render at the time ``now``, by default ``end``."""
        query = {"target": target, "from": start, "until": end, "now": now or end, "format": "json"} | query
        response = self.post("/render", query)
        assert response.status == 200, response.text
        return response.json


@contextmanager
def serve(directory: Path, database_url: str, prefix: str = "", **environment: str) -> Iterator[ApiClient]:
    """Start the API on a free port, all paths under a prefix, and wait until it responds."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("RONDO_API_")}
    env |= {"RONDO_API_BIND": FREE_ADDRESS, "RONDO_API_DATABASE_URL": database_url}
    env |= {"SCRIPT_NAME": prefix, "RONDO_API_CONNECT_TIMEOUT_MS": str(connect_timeout_ms(database_url))} | environment
    log = directory / f"api-{uuid4().hex}.log"
    command = [
        sys.executable,
        "-m",
        "gunicorn",
        "-c",
        str(QUERY_API / "gunicorn.conf.py"),
        "rondo_query_api.app:create_app()",
    ]
    with (
        log.open("wb") as out,
        running.shown("query-api", lambda: {log.name: log}),
        subprocess.Popen(command, cwd=directory, env=env, stdout=out, stderr=subprocess.STDOUT) as process,
    ):
        try:
            yield await_response(log, process, prefix)
        finally:
            process.terminate()
            process.wait()


def connect_timeout_ms(database_url: str) -> int:
    """Timeout that lets a server wait until others have started."""
    return 500 if NOWHERE in database_url else 30_000


def await_response(log: Path, process: subprocess.Popen[bytes], prefix: str = "") -> ApiClient:
    """Client of a gunicorn that listens on FREE_ADDRESS; its log has the port."""

    def answering() -> ApiClient | None:
        assert process.poll() is None, log.read_text()
        if not (taken := LISTENING.search(log.read_text())):
            return None
        client = ApiClient(taken[1] + prefix, log)
        client.get("/version")
        return client

    # Refused, reset or timed out while the workers start.
    with journal.starting("gunicorn"):
        client = wait_until(answering, "gunicorn answers", not_yet=(OSError,))
    assert client is not None
    return client
