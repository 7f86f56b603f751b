"""Lines of the log are bounded, and contain no control characters."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
import structlog

from rondo_query_api import logs

from .api_server import NO_DATABASE, ApiClient, serve
from .waiting import wait_until

HOSTILE = '\x1b[2J\r\n{"event": "forged"}\x7f\x9b31m\u2028\u202e\x00'


def test_control_characters_never_reach_a_log(api: ApiClient) -> None:
    api.post("/render", {"target": f"sumSeries('{HOSTILE}')", "format": "json"})
    api.post("/render", {"target": "scale(constantLine(1),1e308)|perSecond('" + HOSTILE * 2000 + "')"})
    api.get(f"/nosuch/{quote(HOSTILE)}")
    api.get(f"/nosuch/{'x' * 5000}")
    address = urlsplit(api.url)
    for request in (
        b"GET /version HTTP/1.1\r\nHost: a\r\nX-Request-Id: \x1b[2J\x7f\r\nConnection: close\r\n\r\n",
        b"GET /version HTTP/1.1\r\nHost: a\r\nX\x1b: y\r\n\r\n",
        b"GE\x1bT /version HTTP/9.\x1b\r\n\r\n",
        b"\x16\x03\x01\x1b[2J\r\n\r\n",
    ):
        with socket.create_connection((address.hostname or "", address.port or 0), timeout=120) as connection:
            connection.sendall(request)
            while connection.recv(65_536):
                pass
    text = api.log.read_bytes()
    assert all(byte in b"\n" or 32 <= byte < 127 for byte in text)
    lines = text.decode().splitlines()
    assert max(map(len, lines)) < 20_000
    parsed = [json.loads(line) for line in lines if line.startswith("{")]
    assert any(line.get("status") == 404 for line in parsed)
    assert all(line.get("event") != "forged" for line in parsed)


def test_warnings_of_libraries_are_lines(api_directory: Path) -> None:
    with serve(api_directory, NO_DATABASE) as api:
        assert api.get("/health").status == 503
        of_pool = wait_until(
            lambda: [line for line in objects(api.log) if line.get("logger") == "psycopg.pool"],
            "the pool warns in the log",
        )
    assert of_pool[0]["level"] == "warning"
    assert of_pool[0]["event"].startswith("error connecting in ")
    assert "Logging error" not in api.log.read_text()


def objects(log: Path) -> list[dict[str, Any]]:
    """Lines of the log that are JSON, complete ones only."""
    lines = log.read_text().splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.startswith("{") and line.endswith("\n")]


@pytest.fixture
def level_is_checked_always(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(logs, "CHECK_INTERVAL_S", 0.0)
    structlog.contextvars.clear_contextvars()  # of a request in this thread
    before = structlog.get_config()
    yield
    structlog.configure(**before)


@pytest.mark.usefixtures("level_is_checked_always")
def test_the_level_in_the_file_applies_while_the_api_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "level"

    def written() -> list[str]:
        log = structlog.get_logger()
        log.debug("of debug")
        log.info("of info")
        log.error("of error")
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        return [line.get("reason") or line.get("lowest") or line["event"] for line in lines]

    logs.configure("info", str(file))
    assert written() == ["of info", "of error"]
    file.write_text("debug\n")
    assert written() == ["debug", "of debug", "of info", "of error"]
    file.write_text("verbose")
    wrong = f"'verbose' in {file} is not one of debug, info, warning, error"
    assert written() == [wrong, "of info", "of error"]
    file.write_text("error")
    assert written() == ["error", "of error"]
    file.unlink()
    assert written() == ["info", "of info", "of error"]
