"""Database roles of the query API: membership in rondo_reader is sufficient."""

from collections.abc import Iterator

import psycopg
import pytest

from . import in_process, postgres
from .api_server import ApiClient
from .archive_rows import Policy
from .in_process import client

ROLES = postgres.REPOSITORY / "schemas" / "sql" / "roles.sql"
T = 1_700_006_400


@pytest.fixture(scope="module")
def owner(server_url: str) -> Iterator[psycopg.Connection]:
    with postgres.fresh_database(server_url) as url, psycopg.connect(url, autocommit=True) as connection:
        connection.execute(ROLES.read_bytes())
        connection.execute("create role test_api login password 'test' in role rondo_reader")
        connection.execute("create role test_event_api login password 'test' in role rondo_reader, rondo_event_writer")
        connection.execute("create role test_stranger login password 'test'")
        policy = Policy(connection, "p").archive(10, 2160)
        policy.series("a.b").slots(10, {T: 1.0})
        policy.series({"name": "a", "k": "v"}).slots(10, {T: 2.0})
        yield connection
        connection.execute("drop role test_api, test_event_api, test_stranger")


def url_of(owner: psycopg.Connection, user: str) -> str:
    return postgres.url_of(owner, user, "test")


@pytest.fixture(scope="module")
def reader(owner: psycopg.Connection) -> ApiClient:
    return in_process.api(url_of(owner, "test_api"))


def test_reader_answers_all(reader: ApiClient) -> None:
    assert reader.get("/health").status == 200
    assert [node["id"] for node in reader.get("/metrics/find", query="a.*").json] == ["a.b"]
    assert reader.get("/metrics/index.json").json == ["a.b"]
    assert [group["key"] for group in reader.get("/series/cardinality", by="tag").json["groups"]] == ["k"]
    assert [series["name"] for series in reader.get("/series/find").json["series"]] == ["a;k=v", "a.b"]
    [series] = reader.render("a.b", T - 10, T)
    assert [1.0, T] in series["datapoints"]
    [series] = reader.render("a;k=v", T - 10, T)
    assert [2.0, T] in series["datapoints"]


def test_reader_may_not_store_events(reader: ApiClient) -> None:
    response = reader.post_json("/events", {"what": "x"})
    message = (
        "the database's user may not store events: make it a member of rondo_event_writer (schemas/sql/roles.sql)\n"
    )
    assert (response.status, response.text) == (403, message)
    assert reader.get("/events/get_data").json == []


def test_event_writer_may_store_events_and_nothing_else(owner: psycopg.Connection) -> None:
    url = url_of(owner, "test_event_api")
    writer = client(url)
    assert writer.post("/events", json={"what": "x", "when": T}).status_code == 200
    assert [event["what"] for event in writer.get("/events/get_data").get_json()] == ["x"]
    owner.execute("delete from event")
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in ("update event set what = ''", "delete from ds", "truncate event"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)


def test_a_user_without_rights_gets_advice(owner: psycopg.Connection) -> None:
    api = in_process.api(url_of(owner, "test_stranger"))
    message = "the database's user may not read the tables: make it a member of rondo_reader (schemas/sql/roles.sql)"
    health = api.get("/health")
    assert (health.status, health.json["reason"]) == (503, message)
    response = api.get("/metrics/find", query="*")
    assert (response.status, response.text) == (503, f"{message}\n")
