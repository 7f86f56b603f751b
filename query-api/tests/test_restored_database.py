"""The database is replaced under a running API: a restore, or a replica that lags, gives ids to other series."""

import json
from collections.abc import Iterator
from urllib.parse import urlencode

import psycopg
import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from rondo_query_api.kafka.deletions import Deletions

from . import postgres
from .archive_rows import Policy
from .examples import examples
from .in_process import client

T = 1_700_006_400
TOKEN = {"Authorization": "Bearer w"}
# The value of each series is its number.
PATHS = [*(f"s.{n}" for n in range(4)), *(f"t;n={n}" for n in range(4, 6))]
TABLES = "ds, ts, rra_bundle"
# Policies in the order in which they were made; for each series in the order of the ids its path, its policy, how often
# it has moved.
STATES = st.tuples(
    st.permutations(["one", "two"]),
    st.permutations(PATHS)
    .flatmap(lambda paths: st.integers(1, len(paths)).map(lambda most: paths[:most]))
    .flatmap(
        lambda paths: st.tuples(
            *(st.tuples(st.just(path), st.sampled_from(["one", "two"]), st.integers(0, 1)) for path in paths)
        )
    ),
)
State = tuple[list[str], tuple[tuple[str, str, int], ...]]


@pytest.fixture(scope="module")
def connection(server_url: str) -> Iterator[psycopg.Connection]:
    with (
        postgres.fresh_database(server_url) as url,
        psycopg.connect(url, autocommit=True, prepare_threshold=None) as connection,
    ):
        yield connection


@pytest.fixture(scope="module")
def url(connection: psycopg.Connection) -> str:
    info = connection.info
    return postgres.url_of(connection, info.user, info.password)


@pytest.fixture(scope="module")
def running(url: str) -> FlaskClient:
    return client(url, write_tokens="w", kafka_bootstrap_servers="k:9092")


def restore(connection: psycopg.Connection, state: State) -> None:
    """Replace all tables, as a dump or a base backup of that state would; ids count from 1 again."""
    order, stored = state
    connection.execute(f"truncate {TABLES} restart identity cascade")
    policies = {name: Policy(connection, name, width=3).archive(10, 360) for name in order}
    other = {"one": policies["two"], "two": policies["one"]}
    for path, policy, moves in stored:
        name, *tags = path.split(";")
        series = policies[policy].series({"name": name} | dict(tag.split("=") for tag in tags))
        value = float(PATHS.index(path))
        series.slots(10, {T - 60: value})
        if moves:
            series.moved(other[policy], T - 40).slots(10, {T - 20: value})


def shown(api: FlaskClient, *targets: str) -> dict[str, set[float]]:
    """Values of each series of the response."""
    query = urlencode({"target": targets, "from": T - 80, "until": T - 10, "format": "json", "now": T}, doseq=True)
    response = api.get(f"/render?{query}")
    assert response.status_code == 200, response.text
    return {
        each["target"]: {value for value, _ in each["datapoints"] if value is not None} for each in response.get_json()
    }


@given(before=STATES, after=STATES)
@settings(max_examples=examples(40))
def test_each_name_shows_its_own_values(
    connection: psycopg.Connection, running: FlaskClient, before: State, after: State
) -> None:
    for state in (before, after):
        restore(connection, state)
        expected = {path: {float(PATHS.index(path))} for path, _, _ in state[1]}
        untagged = {path: values for path, values in expected.items() if ";" not in path}
        assert shown(running, *PATHS) == expected  # by name; the tagged ones are looked up each time
        assert shown(running, "s.*") == untagged
        assert shown(running, "seriesByTag('name=~.')") == expected


@given(before=STATES, after=STATES)
@settings(max_examples=examples(20))
def test_only_the_selection_is_deleted(
    connection: psycopg.Connection, running: FlaskClient, before: State, after: State
) -> None:
    restore(connection, before)
    found = running.get("/series/names").get_json()["series"]
    assert found == [
        {"id": each["id"], "name": each["name"]} for each in running.get("/series/find").get_json()["series"]
    ]
    selected = {"id": [each["id"] for each in found[:2]]}
    restore(connection, after)
    requested: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Deletions, "request", lambda self, by, idents: requested.extend(idents))
        deleted = running.post("/series/delete", data=selected, headers=TOKEN)
    assert deleted.get_json() == {"series": len(requested)}
    assert set(requested) <= {each["name"] for each in found[:2]}, json.dumps(after)
    assert running.post("/series/remaining", data=selected).get_json() == {"series": len(requested)}


def test_an_event_of_a_lost_id_is_not_deleted(connection: psycopg.Connection, url: str) -> None:
    """A page, or a script, remembers the id of an event that the backup does not have."""
    api = client(url, write_tokens="w")

    def stored(what: str) -> int:
        return int(api.post("/events", json={"what": what, "tags": "restored"}, headers=TOKEN).get_json()["id"])

    lost = [stored("lost") for _ in range(3)]
    connection.execute("truncate event restart identity")
    kept = [stored("kept") for _ in range(3)]
    assert [api.delete(f"/events/{id_}", headers=TOKEN).status_code for id_ in lost] == [404, 404, 404]
    assert [api.get(f"/events/{id_}").get_json()["what"] for id_ in kept] == ["kept"] * 3
