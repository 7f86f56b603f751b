"""Reasons of PostgreSQL's refusals: in /status, /prometheus/postgres and the log, but in no public response."""

import shutil
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

import psycopg
import pytest
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families
from psycopg_pool import ConnectionPool

from rondo_query_api import db

from .api_server import serve
from .in_process import client
from .postgres import REPOSITORY, fresh_database, url_of
from .waiting import wait_until

RUNBOOK = "docs/runbooks/RondoPostgresDown.md"
FULL = """
create function full_disk() returns boolean language plpgsql as $$ begin
  raise exception 'could not extend file "base/1/2": No space left on device' using errcode = '53100';
end $$;
alter table replay_job rename to former;
insert into former values ('a', 'reading', 100, 40, now(), now());
create view replay_job as select * from former where full_disk();
grant select on replay_job to rondo_reader
"""


@pytest.fixture
def owner(server_url: str) -> Iterator[psycopg.Connection]:
    """Owner of a database with a role that may read it, named as the database."""
    with fresh_database(server_url) as url, psycopg.connect(url, autocommit=True) as connection:
        connection.execute((REPOSITORY / "schemas/sql/roles.sql").read_bytes())
        name = connection.info.dbname
        connection.execute(f"create role {name} login password 'hush-hush' in role rondo_reader")
        try:
            yield connection
        finally:
            connection.execute(f"drop owned by {name}; drop role {name}")


def alter(sql: str) -> Callable[[psycopg.Connection], str]:
    """Fault that a statement causes; {} stands for the role."""

    def make(owner: psycopg.Connection) -> str:
        owner.execute(sql.replace("{}", owner.info.dbname))
        return url_of(owner, owner.info.dbname, "hush-hush")

    return make


def wrong_password(owner: psycopg.Connection) -> str:
    owner.execute(f"set password_encryption = 'scram-sha-256'; alter role {owner.info.dbname} password 'other'")
    return url_of(owner, owner.info.dbname, "hush-hush")


def no_server(owner: psycopg.Connection) -> str:
    return f"postgresql://{owner.info.dbname}:hush-hush@127.0.0.1:1/rondo"


@pytest.mark.parametrize(
    ("condition", "reason", "shown"),
    [
        (alter("alter role {} connection limit 0"), "too many connections for role", "does not answer"),
        (alter("alter role {} valid until 'yesterday'"), "password authentication failed for user", "does not answer"),
        (wrong_password, "password authentication failed for user", "does not answer"),
        (alter("alter role {} nologin"), "is not permitted to log in", "does not answer"),
        (no_server, "Connection refused", "does not answer"),
        (
            alter("revoke select on rra_bundle from rondo_reader"),
            "[42501] ERROR: permission denied for table rra_bundle",
            "rondo_reader",
        ),
        (alter(FULL), '[53100] ERROR: could not extend file "base/1/2": No space left on device', "SQLSTATE 53100"),
    ],
)
def test_the_reason_is_for_operators(
    owner: psycopg.Connection, condition: Callable[[psycopg.Connection], str], reason: str, shown: str
) -> None:
    api = client(condition(owner), connect_timeout_ms=500)
    problem = awaited(api, reason)
    assert shown in problem["text"]
    assert (problem["state"], problem["docs"]) == ("critical", RUNBOOK)
    assert "hush-hush" not in problem["text"]
    wait_until(lambda: errors(api), reason, lambda found: len(found) == 1 and reason in found[0])


@pytest.fixture(autouse=True)
def pools_end(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close pools that try to connect forever: their random pauses would disturb Hypothesis in later tests."""
    opened: list[ConnectionPool[Any]] = []

    class Recorded(ConnectionPool[Any]):
        def __init__(self, *arguments: Any, **parameters: Any) -> None:
            super().__init__(*arguments, **parameters)
            opened.append(self)

    monkeypatch.setattr(db, "ConnectionPool", Recorded)
    yield
    for pool in opened:
        pool.close()


def awaited(api: FlaskClient, reason: str) -> dict[str, str]:
    """Wait for the problem of /status with this reason: an early request may precede any answer."""

    def found() -> list[dict[str, str]]:
        problems = api.get("/status?format=json").get_json()["problems"]
        return [each for each in problems if reason in each["text"]]

    [problem] = wait_until(found, reason)
    return problem


def errors(api: FlaskClient) -> list[str]:
    """Labels of the metric while PostgreSQL does not answer."""
    text = api.get("/prometheus/postgres").get_data(as_text=True)
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    assert ("rondo_postgres_up", 0) in [(sample.name, sample.value) for sample in samples]
    return [sample.labels["error"] for sample in samples if sample.name == "rondo_postgres_error"]


def test_the_reason_disappears_with_its_cause(owner: psycopg.Connection) -> None:
    api = client(alter("alter role {} connection limit 0")(owner), connect_timeout_ms=500)
    response = api.get("/metrics/find?query=*")
    assert (response.status_code, response.text) == (503, "the database does not answer (RONDO_API_DATABASE_URL)\n")
    owner.execute(f"alter role {owner.info.dbname} connection limit -1")
    wait_until(lambda: api.get("/metrics/find?query=*").status_code, "it is answered", lambda status: status == 200)
    wait_until(
        lambda: api.get("/prometheus/postgres").get_data(as_text=True),
        "the metric has gone",
        lambda text: "rondo_postgres_up 1.0" in text and "rondo_postgres_error{" not in text,
    )


@pytest.mark.skipif(
    not (shutil.which("keytool") and shutil.which("openssl")),
    reason="keytool and openssl make the certificate, and are not here",
)
def test_the_certificate_of_a_broker_has_expired(database_url: str, tmp_path: Path) -> None:
    store, certificate = tmp_path / "store", tmp_path / "certificate"
    for command in (
        "keytool -genkeypair -alias a -keyalg EC -startdate -10d -validity 1 -dname CN=localhost -storetype PKCS12"
        f" -storepass changeit -keystore {store}",
        f"openssl pkcs12 -in {store} -nodes -passin pass:changeit -out {certificate}",
    ):
        subprocess.run(command.split(), check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with (
        socket.create_server(("127.0.0.1", 0)) as listening,
        context.wrap_socket(listening, server_side=True) as server,
    ):
        Thread(target=shake_hands, args=(server,), daemon=True).start()
        settings = tmp_path / "kafka.properties"
        settings.write_text(f"security.protocol=SSL\nssl.ca.location={certificate}\n")
        address = f"127.0.0.1:{server.getsockname()[1]}"
        api = client(database_url, kafka_bootstrap_servers=address, kafka_config=str(settings))
        problem = awaited(api, "certificate verify failed")
    assert problem["docs"] == "docs/runbooks/RondoBrokerDown.md"


def shake_hands(server: ssl.SSLSocket) -> None:
    while server.fileno() >= 0:
        with suppress(OSError):  # the client hangs up, or the test has ended
            server.accept()[0].close()


def test_requests_are_logged_with_the_reason(owner: psycopg.Connection, api_directory: Path) -> None:
    url = alter("alter role {} connection limit 0")(owner)
    with serve(api_directory, url, RONDO_API_CONNECT_TIMEOUT_MS="500") as api:
        api.get("/metrics/find", query="*")
        wait_until(api.log.read_text, "the pool has its answer", lambda text: "psycopg.pool" in text)
        assert api.get("/metrics/find", query="*").status == 503
        health = api.get("/health")
        assert (health.status, health.json["reason"]) == (503, "the database does not answer (RONDO_API_DATABASE_URL)")
        lines = [line for line in api.log.read_text().splitlines() if '"/metrics/find"' in line]
        assert "too many connections for role" in lines[-1]
