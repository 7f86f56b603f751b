"""/prometheus/postgres: statistics of PostgreSQL, and progress of fills and replays."""

import re
from collections.abc import Mapping

import psycopg
from prometheus_client.parser import text_string_to_metric_families

from . import postgres
from .api_server import NO_DATABASE
from .archive_rows import Policy
from .in_process import client

T = 1_700_006_400
PATH = "/prometheus/postgres"


def samples(url: str) -> Mapping[tuple[str, ...], float]:
    """Values by name and labels, in the order of their names."""
    response = client(url).get(PATH)
    assert (response.status_code, response.mimetype) == (200, "text/plain")
    families = text_string_to_metric_families(response.get_data(as_text=True))
    return {
        (re.sub("^rondo_(postgres_)?", "", each.name), *each.labels.values()): each.value
        for family in families
        for each in family.samples
    }


def test_tables_and_archives(server_url: str) -> None:
    with postgres.fresh_database(server_url) as url, psycopg.connect(url, autocommit=True) as connection:
        series = Policy(connection, "app").archive(10, 360).archive(60, 10).series("a")
        series.slots(10, {T + 10 * n: 1.0 for n in range(30)}).slots(60, {T + 60 * n: 1.0 for n in range(10)})
        connection.execute("update ts set dp = dp")
        connection.execute("delete from ts where t = (select max(t) from ts)")
        connection.execute("select pg_stat_force_next_flush()")
        connection.execute("vacuum (analyze) ds")
        connection.execute("analyze ts")
        found = samples(url)
    assert found["up",] == 1
    assert found["updates_total", "ts"] == 40
    assert 0 < found["hot_updates_total", "ts"] <= 40
    assert found["dead_rows", "ts"] > 0
    assert found["rows", "ds"] == 1
    assert found["connections",] >= 1
    assert found["max_connections",] > found["connections",]
    assert found["wal_bytes_total",] > 1e6
    assert found["database_bytes",] > found["table_bytes", "ts"] > 0
    fine = found["archive_bytes", "wmean", "app", "360", "10000"]
    coarse = found["archive_bytes", "wmean", "app", "10", "60000"]
    assert fine > coarse > 0
    assert round(fine + coarse) == found["table_bytes", "ts"]


def test_fills(server_url: str) -> None:
    with postgres.fresh_database(server_url) as url, psycopg.connect(url, autocommit=True) as connection:
        Policy(connection, "app").archive(60, 525600, "max", (T, T)).archive(3600, 48, "max", (T, T)).series("a")
        connection.execute(
            "insert into archive_fill (rra_bundle_id, until, started, progressed, finished) values"
            " (1, now(), now() - interval '2 h', now() - interval '20 min', null), (2, now(), now(), now(), now())"
        )
        connection.execute(
            "insert into segment_fill (rra_bundle_id, seg, finished) values (1, 0, true), (1, 1, false), (1, 2, false)"
        )
        found = samples(url)
    assert found["fill_open_segments", "app max:1m:1y"] == 2
    assert 7200 <= found["fill_age_seconds", "app max:1m:1y"] < 7300
    assert 1200 <= found["fill_progress_age_seconds", "app max:1m:1y"] < 1300
    assert len([each for each in found if each[0].startswith("fill_")]) == 3


def test_the_fill_of_a_retired_archive_is_omitted(server_url: str) -> None:
    with postgres.fresh_database(server_url) as url, psycopg.connect(url, autocommit=True) as connection:
        former, removed = (T, T + 60), (T, T)
        Policy(connection, "app").archive(10, 360, "max", (T, T + 600)).archive(10, 720, "max", former).series("a")
        Policy(connection, "app").archive(60, 60, "max", removed).archive(60, 60, "min", (T, T + 600))
        Policy(connection, "gone").archive(10, 360, "max", (T, T + 600))
        connection.execute("insert into archive_fill (rra_bundle_id, until) select id, first from rra_bundle")
        found = samples(url)
    archives = [archive for name, *archive in found if name == "fill_open_segments"]
    assert archives == [["app max:10s:1h"], ["app min:1m:1h"]]


def test_replays(server_url: str) -> None:
    with postgres.fresh_database(server_url) as url, psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "insert into replay_job values ('a', 'reading', 100, 40, now(), now() - interval '20 min'),"
            " ('b', 'paused', 7, 7, now(), now())"
        )
        found = samples(url)
    assert (found["replay_state", "a", "reading"], found["replay_remaining_records", "a"]) == (1, 60)
    assert 1200 <= found["replay_progress_age_seconds", "a"] < 1300
    assert (found["replay_state", "b", "paused"], found["replay_remaining_records", "b"]) == (1, 0)
    assert found["replay_progress_age_seconds", "b"] < 100


def test_no_database() -> None:
    (up, value), (error, one) = samples(NO_DATABASE).items()
    assert (up, value, error[0], one) == (("up",), 0, "error", 1)
    assert "Connection refused" in error[1]
