"""Why PostgreSQL refuses: in /status, /prometheus/postgres and the log, and not in what anybody may read."""

from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from prometheus_client.parser import text_string_to_metric_families

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
    """Condition that a statement makes; {} stands for the role."""

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
            alter("revoke select on ds from rondo_reader"),
            "[42501] ERROR: permission denied for table ds",
            "rondo_reader",
        ),
        (alter(FULL), '[53100] ERROR: could not extend file "base/1/2": No space left on device', "SQLSTATE 53100"),
    ],
)
def test_the_reason_is_for_operators(
    owner: psycopg.Connection, condition: Callable[[psycopg.Connection], str], reason: str, shown: str
) -> None:
    api = client(condition(owner), connect_timeout_ms=500)
    [problem] = api.get("/status?format=json").get_json()["problems"]
    assert reason in problem["text"]
    assert shown in problem["text"]
    assert (problem["state"], problem["docs"]) == ("critical", RUNBOOK)
    assert "hush-hush" not in problem["text"]
    [up, error] = text_string_to_metric_families(api.get("/prometheus/postgres").get_data(as_text=True))
    assert up.samples[0].value == 0
    assert reason in error.samples[0].labels["error"]


def test_the_reason_goes_with_its_end(owner: psycopg.Connection) -> None:
    api = client(alter("alter role {} connection limit 0")(owner), connect_timeout_ms=500)
    response = api.get("/metrics/find?query=*")
    assert (response.status_code, response.text) == (503, "the database does not answer (RONDO_API_DATABASE_URL)\n")
    owner.execute(f"alter role {owner.info.dbname} connection limit -1")
    wait_until(lambda: api.get("/metrics/find?query=*").status_code, "it is answered", lambda status: status == 200)
    assert "rondo_postgres_error{" not in api.get("/prometheus/postgres").get_data(as_text=True)


def test_requests_are_logged_with_the_reason(owner: psycopg.Connection, api_directory: Path) -> None:
    url = alter("alter role {} connection limit 0")(owner)
    with serve(api_directory, url, RONDO_API_CONNECT_TIMEOUT_MS="500") as api:
        assert api.get("/metrics/find", query="*").status == 503
        health = api.get("/health")
        assert (health.status, health.json["reason"]) == (503, "the database does not answer (RONDO_API_DATABASE_URL)")
        [line] = [line for line in api.log.read_text().splitlines() if '"/metrics/find"' in line]
        assert "too many connections for role" in line
