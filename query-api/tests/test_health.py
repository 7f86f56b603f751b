import json
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from rondo_query_api import __version__

from . import in_process, postgres
from .api_server import NO_DATABASE, ApiClient, serve
from .in_process import client
from .waiting import wait_until


def test_healthy(api: ApiClient) -> None:
    response = api.get("/health")
    assert (response.status, response.json) == (200, {"ok": True, "reason": None, "version": __version__})


def test_live_needs_no_database(database_url: str) -> None:
    for url, ready in ((database_url, 200), (NO_DATABASE, 503)):
        api = client(url)
        assert [api.get(f"/health/{path}").status_code for path in ("live", "ready")] == [200, ready]
        assert api.get("/health").status_code == ready
        assert api.get("/health/live").get_json() == {"ok": True, "version": __version__}


def test_version_is_the_one_of_graphite(api: ApiClient) -> None:
    for response in (api.get("/version"), api.post("/version/", {})):
        assert (response.status, response.text, response.headers.get_content_type()) == (200, "1.1.10\n", "text/plain")


def test_no_database() -> None:
    api = in_process.api(NO_DATABASE)
    assert (api.get("/health").status, api.get("/health").json["ok"]) == (503, False)
    response = api.get("/metrics/find", query="*")
    assert (response.status, response.text) == (503, "the database does not answer (RONDO_API_DATABASE_URL)\n")
    assert api.get("/render", target="a", format="json").status == 503


def test_no_migrations(server_url: str) -> None:
    with postgres.fresh_database(server_url, migrated=False) as url:
        api = in_process.api(url)
        health = api.get("/health")
        assert (health.status, "migrations" in health.json["reason"]) == (503, True)
        response = api.get("/metrics/find", query="*")
        assert (response.status, response.text) == (
            503,
            "the database lacks tables or columns: run the migrations of schemas/sql\n",
        )


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1", "WIN1252"])
def test_another_encoding_than_utf8(server_url: str, encoding: str) -> None:
    properties = f"encoding '{encoding}' locale_provider libc locale 'C'"
    with postgres.fresh_database(server_url, migrated=False, properties=properties) as url:
        api = in_process.api(url)
        health = api.get("/health")
        create = "create database rondo encoding 'UTF8' locale 'C' template template0;"
        reason = f"the database is {encoding}, not UTF8: create another one: {create} (RONDO_API_DATABASE_URL)"
        assert (health.status, health.json["reason"]) == (503, reason)
        for path, query in (("/metrics/find", {"query": "*"}), ("/render", {"target": "a"}), ("/events", {})):
            response = api.get(path, **query)
            assert (response.status, response.text) == (503, f"{reason}\n")


def test_tables_of_an_older_version(server_url: str) -> None:
    with postgres.fresh_database(server_url) as url:
        api = in_process.api(url)
        with psycopg.connect(url) as connection:
            connection.execute("alter table rra_bundle drop column aggregate")
            connection.execute(
                "insert into ds (ident, policy, seg, pos, starts_at) values ('{\"name\": \"a\"}', 'p', 0, 1, now())"
            )
        health = api.get("/health")
        assert (health.status, "migrations" in health.json["reason"]) == (503, True)
        response = api.get("/render", target="a", format="json")
        assert (response.status, response.text) == (
            503,
            "the database lacks tables or columns: run the migrations of schemas/sql\n",
        )


def test_slow_statements_end(server_url: str) -> None:
    with (
        postgres.fresh_database(server_url) as url,
        psycopg.connect(url) as locking,
    ):
        api = in_process.api(url, statement_timeout_ms=200)
        locking.execute("lock table ds in access exclusive mode")
        response = api.get("/metrics/find", query="*")
        assert response.status == 503
        assert response.text == "a database statement took longer than 200 ms (RONDO_API_STATEMENT_TIMEOUT_MS)\n"
        locking.rollback()
        wait_until(
            lambda: api.get("/metrics/find", query="*").status,
            "it is answered when the lock is gone",
            lambda status: status == 200,
        )


def test_lost_connections_are_replaced_unseen(server_url: str) -> None:
    with postgres.fresh_database(server_url) as url:
        api = in_process.api(url)
        assert api.get("/health").status == 200
        with psycopg.connect(server_url, autocommit=True) as admin:
            ended = admin.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'rondo-query-api'"
                " and datname = %s",
                (urlsplit(url).path[1:],),
            ).fetchall()
        assert ended
        assert [api.get("/health").status for _ in range(5)] == [200] * 5


def test_wrong_settings_stop_the_start(api_directory: Path) -> None:
    message = "RONDO_API_WORKER is not a setting; the nearest one is RONDO_API_WORKERS"
    with pytest.raises(AssertionError, match=message), serve(api_directory, NO_DATABASE, RONDO_API_WORKER="2"):
        pass


def test_requests_are_logged_with_their_id(api: ApiClient) -> None:
    response = api.get("/health")
    given = response.headers["X-Request-Id"]
    lines = [json.loads(line) for line in api.log.read_text().splitlines() if line.startswith("{")]
    [line] = [line for line in lines if line.get("request_id") == given]
    assert (line["event"], line["method"], line["path"], line["status"]) == ("request", "GET", "/health", 200)
