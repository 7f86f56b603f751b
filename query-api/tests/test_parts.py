"""Parallel reads of parts of a statement."""

import math
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rondo_query_api.db import Database
from rondo_query_api.events import EventStore
from rondo_query_api.fetch.archives import TimeRange
from rondo_query_api.fetch.choose import AS_STORED, Window
from rondo_query_api.fetch.fetch import Fetch
from rondo_query_api.fetch.series import Series
from rondo_query_api.find.series import SeriesFinder
from rondo_query_api.render.reader import Reader
from rondo_query_api.settings import Settings

from .archive_rows import Policy
from .conftest import MakePolicy
from .waiting import wait_until

T = 1_700_006_400
SIZE = 12_000
MISSING = (0, 1, 3999, 4000, 11_999)  # the first, those at which parts meet, the last


@given(st.integers(0, 5000), st.integers(1, 9))
def test_parts_follow_each_other_and_are_as_long(slots: int, parts: int) -> None:
    whole = TimeRange(T, T + slots * 10, 10)
    each = [whole.part(n, parts) for n in range(parts)]
    assert [part.start for part in each] == [T, *(part.final for part in each[:-1])]
    assert each[-1].final == whole.final
    assert {part.slots for part in each} <= {slots // parts, -(-slots // parts)}


@pytest.fixture(scope="module")
def policy(connection: psycopg.Connection, make_policy: MakePolicy) -> Policy:
    """Two series side by side in an archive that lacks a few slots; the second is valid from within it on."""
    policy = make_policy(width=2).archive(10, SIZE)
    bundle, _ = policy.bundles["wmean", 10]
    connection.execute(
        "insert into ts select %s, 0, n %% %s, to_timestamp(n * 10), array[n, -n]"
        " from generate_series(%s, %s) n where n - %s <> all(%s)",
        (bundle, SIZE, T // 10 - SIZE + 1, T // 10, T // 10 - SIZE + 1, list(MISSING)),
    )
    policy.series(f"{policy.name}.a")
    policy.series(f"{policy.name}.b", starts_at=T - 1000 * 10)
    connection.execute("vacuum analyze")
    return policy


class PartsDatabase(Database):
    """Remembers how many parts it was given."""

    parts = 0

    def rows_of_parts(self, name: str, parameters: Callable[[int], Sequence[Mapping[str, object]]]) -> list[Any]:
        def counted(parts: int) -> Sequence[Mapping[str, object]]:
            self.parts = parts
            return parameters(parts)

        return super().rows_of_parts(name, counted)

    def idle(self) -> int:
        return self._open().get_stats()["pool_available"]


@pytest.fixture
def database(database_url: str) -> Iterator[PartsDatabase]:
    database = PartsDatabase(Settings(database_url=database_url, request_connections=3))
    database.rows("migrated")
    yield database
    database.close()


def await_idle(database: PartsDatabase, connections: int) -> None:
    wait_until(database.idle, f"{connections} connections are idle", lambda idle: idle >= connections)


def read(database: Database, policy: Policy) -> dict[str, list[float]]:
    series = SeriesFinder(database).series(f"{policy.name}.*")
    return all_values(Fetch(database, T), series)


def all_values(fetch: Fetch, series: Sequence[Series]) -> dict[str, list[float]]:
    [values] = fetch.values([(series, Window(T - SIZE * 10, T))])
    return {each.path[-1]: values[each.key].values.tolist() for each in series}


def stored() -> dict[str, list[float]]:
    first = T // 10 - SIZE + 1
    a = [math.nan if n in MISSING else float(first + n) for n in range(SIZE)]
    return {"a": a, "b": [math.nan if n < SIZE - 1000 else -value for n, value in enumerate(a)]}


def equal(one: dict[str, list[float]], other: dict[str, list[float]]) -> bool:
    return repr(one) == repr(other)  # NaN, too


def test_parts_are_the_whole(database: PartsDatabase, policy: Policy) -> None:
    await_idle(database, 3)
    assert equal(read(database, policy), stored())
    assert database.parts == 3


def test_busy_connections_are_not_awaited(database: PartsDatabase, policy: Policy) -> None:
    await_idle(database, 3)
    with database._check_out(3) as connections, ThreadPoolExecutor(1) as other:
        assert len(connections) == 3
        assert equal(other.submit(read, database, policy).result(), stored())  # on the fourth, which is opened for it
    assert database.parts == 1


def test_lost_connections_are_replaced_unseen(
    database: PartsDatabase, policy: Policy, connection: psycopg.Connection
) -> None:
    series = SeriesFinder(database).series(f"{policy.name}.*")
    fetch = Fetch(database, T)
    fetch.values([(series, Window(T - 10, T))])
    await_idle(database, 3)
    connection.execute(
        "select pg_terminate_backend(pid, 10000) from pg_stat_activity"
        " where application_name = 'rondo-query-api' and datname = current_database()"
    )
    assert equal(all_values(fetch, series), stored())


class MovingDatabase(PartsDatabase):
    """Runs parts one after the other; after the first, a series moves."""

    move: Callable[[], None] | None = None

    def _run(self, connection: psycopg.Connection[Any], name: str, parameters: Mapping[str, object]) -> list[Any]:
        with self._alone:
            rows = super()._run(connection, name, parameters)
            if name == "slots" and self.move is not None:
                self.move()
                self.move = None
            return rows

    _alone = threading.Lock()


def test_a_series_that_moves_between_parts_is_read_again(
    database_url: str, connection: psycopg.Connection, make_policy: MakePolicy
) -> None:
    """Each part has its own snapshot: in some of them the series is where it was."""
    policy, other = make_policy().archive(10, SIZE), make_policy().archive(10, SIZE)
    bundle, _ = policy.bundles["wmean", 10]
    connection.execute(
        "insert into ts select %s, 0, n %% %s, to_timestamp(n * 10), array[n, n] from generate_series(%s, %s) n",
        (bundle, SIZE, T // 10 - SIZE + 1, T // 10),
    )
    moving, _ = policy.series(f"{policy.name}.a"), policy.series(f"{policy.name}.b")

    def move() -> None:
        moving.moved(other, T - 5)

    database = MovingDatabase(Settings(database_url=database_url, request_connections=3))
    try:
        database.rows("migrated")
        await_idle(database, 3)
        database.move = move
        reader = Reader(SeriesFinder(database), Fetch(database, T), EventStore(database, 10, 10_000))
        shown = reader.read(f"{policy.name}.*", T - SIZE * 10, T, AS_STORED)
    finally:
        database.close()
    expected = [float(n) for n in range(T // 10 - SIZE + 1, T // 10 + 1)]
    assert [each.values.tolist() for each in shown] == [expected, expected]
