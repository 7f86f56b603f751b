"""The server of ``./rondo postgres``, which most tests use."""

import os
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest

pytestmark = pytest.mark.skipif("RONDO_TEST_DATABASE_URL" in os.environ, reason="the tests use another server")


def test_each_user_of_the_machine_needs_the_password(server_url: str) -> None:
    address = urlsplit(server_url)
    [passfile] = [Path(file) for file in parse_qs(address.query)["passfile"]]
    assert passfile.stat().st_mode & 0o777 == 0o600
    assert passfile.parent.stat().st_mode & 0o007 == 0
    bare = address._replace(query="").geturl()
    with pytest.raises(psycopg.OperationalError, match="no password supplied"):
        psycopg.connect(bare, passfile=os.devnull)
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(address._replace(query="password=guessed").geturl())
    with psycopg.connect(server_url) as connection:
        assert connection.execute("select auth_method from pg_hba_file_rules").fetchall() == [("scram-sha-256",)]
