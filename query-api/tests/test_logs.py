"""Lines of the log are bounded, and contain no control characters."""

import json
import socket
from pathlib import Path
from urllib.parse import quote, urlsplit

from .api_server import serve

HOSTILE = '\x1b[2J\r\n{"event": "forged"}\x7f\x9b31m\u2028\u202e\x00'


def test_control_characters_never_reach_a_log(database_url: str, api_directory: Path) -> None:
    with serve(api_directory, database_url) as api:
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
            with socket.create_connection((address.hostname or "", address.port or 0), timeout=10) as connection:
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
