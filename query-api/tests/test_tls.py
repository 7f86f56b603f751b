"""A PostgreSQL that accepts only TLS and a SCRAM password."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from rondo_query_api import __version__

from .api_server import serve
from .waiting import wait_until

pytestmark = [
    pytest.mark.skipif("RONDO_TEST_DATABASE_URL" in os.environ, reason="needs a separate PostgreSQL"),
    pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificates, and is not here"),
]
RULES = ("hostssl all test_tls all scram-sha-256", "hostnossl all test_tls all reject")


def certificate(directory: Path, name: str) -> Path:
    """Self-signed certificate for localhost; its key is beside it."""
    made = directory / f"{name}.crt"
    command = (
        f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={name} -addext subjectAltName=DNS:localhost"
        f" -keyout {directory / name}.key -out {made}"
    )
    subprocess.run(command.split(), check=True, capture_output=True)
    return made


def put_file(connection: psycopg.Connection, name: str, lines: list[str], command: str = "cat") -> None:
    """Write a file in the server's data folder, readable only by its user."""
    quoted = ",".join("'" + line.replace("'", "''") + "'" for line in lines)
    connection.execute(f"copy (select unnest(array[{quoted}])) to program 'umask 077; {command} > {name}'".encode())


def switch_tls(connection: psycopg.Connection, state: str) -> None:
    connection.execute(f"alter system set ssl = {state}".encode())
    connection.execute("select pg_reload_conf()")
    wait_until(lambda: connection.execute("show ssl").fetchone(), f"ssl is {state}", lambda ssl: ssl == (state,))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tls")


@pytest.fixture(scope="module")
def tls_url(server_url: str, database_url: str, folder: Path) -> Iterator[str]:
    """URL without parameters, which the server's certificate is for."""
    own = certificate(folder, "server")
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("create role test_tls login password 'a secret'")
        connection.execute("grant select on ds, location_period, rra_bundle, ts, branch, tag_value to test_tls")
        put_file(connection, "server.crt", own.read_text().splitlines())
        put_file(connection, "server.key", own.with_suffix(".key").read_text().splitlines())
        put_file(connection, "new.conf", list(RULES), "cp pg_hba.conf old.conf; cat - old.conf")
        put_file(connection, "swap.log", ["-"], "mv new.conf pg_hba.conf; cat")
        switch_tls(connection, "on")
        at = urlsplit(database_url)
        yield f"postgresql://test_tls:a%20secret@localhost:{at.port}{at.path}"
        put_file(connection, "swap.log", ["-"], "mv old.conf pg_hba.conf; cat")
        switch_tls(connection, "off")
        connection.execute("drop owned by test_tls; drop role test_tls")


def test_verified_server_and_password(tls_url: str, folder: Path, api_directory: Path) -> None:
    url = f"{tls_url}?sslmode=verify-full&sslrootcert={folder / 'server.crt'}"
    with serve(api_directory, url) as api:
        assert api.get("/health").json == {"ok": True, "reason": None, "version": __version__}


@pytest.mark.long
@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ("sslmode=verify-full&sslrootcert={folder}/another.crt", "certificate verify failed"),
        ("sslmode=verify-full&sslrootcert={folder}/none.crt", "does not exist"),
        ("sslmode=disable", "no encryption"),
    ],
)
def test_a_refusal_gives_the_reason(
    tls_url: str, folder: Path, api_directory: Path, parameters: str, reason: str
) -> None:
    certificate(folder, "another")
    url = f"{tls_url}?{parameters.format(folder=folder)}"
    with serve(api_directory, url, RONDO_API_CONNECT_TIMEOUT_MS="500") as api:
        health = api.get("/health")
        assert (health.status, health.json["reason"]) == (
            503,
            "the database does not answer (RONDO_API_DATABASE_URL)",
        )
        assert reason in api.log.read_text()
        assert "a secret" not in api.log.read_text()
