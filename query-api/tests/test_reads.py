"""Cost of a request in the database."""

import math
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest

from rondo_query_api.db import Database, statement
from rondo_query_api.events import EventStore
from rondo_query_api.fetch import slots
from rondo_query_api.fetch.archives import Archive
from rondo_query_api.fetch.choose import Wanted, Window
from rondo_query_api.fetch.fetch import Fetch
from rondo_query_api.fetch.series import SeriesKey
from rondo_query_api.find.series import SeriesFinder
from rondo_query_api.render.reader import Reader
from rondo_query_api.settings import Settings

from .archive_rows import Policy
from .conftest import MakePolicy

T = 1_700_006_400
SIZE = 2160


@pytest.fixture(scope="module")
def full(connection: psycopg.Connection, make_policy: MakePolicy) -> Policy:
    """Three segments of one full archive, each slot with a value; series a and b in the first, c in the second."""
    policy = make_policy(width=2).archive(10, SIZE)
    bundle, _ = policy.bundles["wmean", 10]
    connection.execute(
        "insert into ts select %s, seg, n %% %s, to_timestamp(n * 10), array[n, -n]"
        " from generate_series(0, 2) seg, generate_series(%s, %s) n",
        (bundle, SIZE, T // 10 - SIZE + 1, T // 10),
    )
    for name in "abc":
        policy.series(f"{policy.name}.{name}")
    connection.execute("vacuum analyze")
    return policy


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan.get("Plans", []):
        yield from nodes(below)


@pytest.mark.parametrize("slot_count", [1, 30, 700, SIZE])
@pytest.mark.parametrize(("series_count", "segments"), [(1, 1), (2, 1), (3, 2)])
def test_only_rows_of_the_range_are_read(
    session: psycopg.Connection, full: Policy, slot_count: int, series_count: int, segments: int
) -> None:
    bundle, _ = full.bundles["wmean", 10]
    archive = Archive(bundle, full.name, "wmean", 10, SIZE)
    wanted = archive.clip(T - slot_count * 10, T, T)
    assert wanted
    assert wanted.slots == slot_count
    ids = session.execute(
        "select id, jsonb_hash_extended(ident, 0) from ds where policy = %s order by id", (full.name,)
    ).fetchall()
    parameters = slots.parameters([slots.SlotRead(archive, wanted, [SeriesKey(*key) for key in ids[:series_count]])])
    row = session.execute("explain (analyze, format json) " + statement("slots"), parameters).fetchone()
    assert row
    scans = [node for node in nodes(row[0][0]["Plan"]) if node.get("Relation Name") == "ts"]
    read = sum((node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"] for node in scans)
    assert [node["Node Type"] for node in scans] == ["Index Scan"]
    assert read == slot_count * segments


class CountingDatabase(Database):
    """Remembers the statements that it runs."""

    def rows(self, name: str, /, **parameters: object) -> list[tuple[Any, ...]]:
        self.ran = [*getattr(self, "ran", []), name]
        self.parameters = parameters
        return super().rows(name, **parameters)


def test_one_statement_reads_all_series_of_a_pattern(database_url: str, full: Policy) -> None:
    database = CountingDatabase(Settings(database_url=database_url))
    try:
        series = SeriesFinder(database).series(f"{full.name}.*")
        [values] = Fetch(database, T).values([(series, Window(T - 30, T))])
        read = {each.path[-1]: (values[each.key][0], values[each.key][1].tolist()) for each in series}
    finally:
        database.close()
    n = T // 10
    time_info = (T - 20, T + 10, 10)
    assert read == {
        "a": (time_info, [n - 2, n - 1, n]),
        "b": (time_info, [2 - n, 1 - n, -n]),
        "c": (time_info, [n - 2, n - 1, n]),
    }
    assert database.ran == ["leaves", "archives", "slots"]


@pytest.mark.parametrize(
    "positions",
    [
        *([n * 7 % 10 for n in range(count)] for count in range(1, 10)),  # 0, 7, 4, …
        list(range(16)),
        list(range(0, 30, 2)),
        list(range(30)),
    ],
    ids=str,
)
def test_any_number_of_series_of_a_segment(
    database_url: str, connection: psycopg.Connection, make_policy: MakePolicy, positions: list[int]
) -> None:
    """The older row has values at nine of 30 positions, every third one unknown, the newer row has one."""
    policy = make_policy(width=30).archive(10, SIZE)
    bundle, _ = policy.bundles["wmean", 10]
    row = [0.0, 1.0, math.nan, 3.0, 4.0, None, 6.0, 7.0, math.nan]
    for end, values in ((T - 10, row), (T, row[:1])):
        index = end // 10 % SIZE
        connection.execute("insert into ts values (%s, 0, %s, to_timestamp(%s), %s)", (bundle, index, end, values))
    for n in positions:
        policy.series(f"{policy.name}.s{n:02}", at=(0, n + 1))
    database = Database(Settings(database_url=database_url))
    try:
        series = SeriesFinder(database).series(f"{policy.name}.*")
        [read] = Fetch(database, T).values([(series, Window(T - 20, T))])
    finally:
        database.close()
    found = {int(each.path[-2:]): read[each.key][1].tolist() for each in series}
    older, newer = ([math.nan if value is None else value for value in values] for values in (row, row[:1]))
    unknown = [math.nan] * 30
    assert repr(found) == repr({n: [(older + unknown)[n], (newer + unknown)[n]] for n in sorted(positions)})


def test_one_statement_finds_all_names_and_one_reads_them(database_url: str, full: Policy) -> None:
    database = CountingDatabase(Settings(database_url=database_url))
    try:
        reader = Reader(SeriesFinder(database), Fetch(database, T), EventStore(database, 10, 10_000))
        window = Window(T - 30, T)
        reader.prepare([(f"{full.name}.{name}", window) for name in "abc"])
        assert [reader.read(f"{full.name}.{name}", T - 30, T, Wanted("wmean"))[0].values[-1] for name in "ab"] == [
            T // 10,
            -T // 10,
        ]
    finally:
        database.close()
    assert database.ran == ["leaves_named", "archives", "slots"]


def test_a_known_name_is_found_again_when_its_series_has_changed(
    database_url: str, connection: psycopg.Connection, make_policy: MakePolicy
) -> None:
    policy, other = make_policy().archive(10, SIZE), make_policy().archive(10, SIZE)
    name = f"{policy.name}.known"
    database = CountingDatabase(Settings(database_url=database_url))
    finder = SeriesFinder(database)

    def read() -> tuple[list[float], list[str]]:
        """Newest values of the series of that name, and the statements that read them."""
        database.ran = []
        reader = Reader(finder, Fetch(database, T), EventStore(database, 10, 10_000))
        found = [float(series.values[-1]) for series in reader.read(name, T - 30, T, Wanted("wmean"))]
        return found, [statement for statement in database.ran if statement != "archives"]

    try:
        first = policy.series(name).slots(10, {T: 1.0})
        assert read() == ([1.0], ["leaves_named", "slots"])
        assert read() == ([1.0], ["slots"])
        connection.execute("delete from ds where id = %s", (first.id,))
        again = policy.series(name).slots(10, {T: 2.0})
        assert read() == ([2.0], ["slots", "leaves_named", "slots"])
        other.series(f"{other.name}.gone", at=(7, 1)).slots(10, {T: 3.0})
        connection.execute("delete from ds where policy = %s", (other.name,))
        again.moved(other, T - 25, at=(7, 1))
        assert read() == ([3.0], ["slots", "leaves_named", "location_periods", "slots_of_moved"])
        assert read() == ([3.0], ["location_periods", "slots_of_moved"])
        again.moved(other, T - 15, at=(8, 1)).slots(10, {T: 4.0})
        assert read() == (
            [4.0],
            ["location_periods", "slots_of_moved", "leaves_named", "location_periods", "slots_of_moved"],
        )
        connection.execute("delete from ds where id = %s", (again.id,))
        assert read() == ([], ["location_periods", "slots_of_moved", "leaves_named"])
        assert read() == ([], ["leaves_named"])
    finally:
        database.close()


def test_only_the_new_part_of_a_longer_range_is_read(database_url: str, full: Policy) -> None:
    database = CountingDatabase(Settings(database_url=database_url))
    try:
        series = SeriesFinder(database).series(f"{full.name}.a")
        fetch = Fetch(database, T)
        fetch.values([(series, Window(T - 300, T))])
        [fetched] = fetch.values([(series, Window(T - 1000, T))])
        [(_, values, _)] = fetched.values()
        n = T // 10
        assert values.tolist() == list(range(n - 99, n + 1))
        assert database.parameters["final"] == f"{{{datetime.fromtimestamp(T - 300, UTC)}}}"
        fetch.values([(series, Window(T - 500, T))])
    finally:
        database.close()
    assert database.ran == ["leaves_named", "archives", "slots", "slots"]


class MovingDatabase(CountingDatabase):
    """Before it reads slots for the first time, all series of a policy move to another one."""

    move: Callable[[], None] | None = None

    def rows(self, name: str, /, **parameters: object) -> list[tuple[Any, ...]]:
        if name == "slots" and self.move is not None:
            self.move()
            self.move = None
        return super().rows(name, **parameters)


@pytest.mark.parametrize("target", ["{root}.*", "seriesByTag('root={root}')"])
def test_series_that_moved_meanwhile_are_looked_up_again(
    database_url: str, make_policy: MakePolicy, root: str, target: str
) -> None:
    """Sums would lack the series that move while policies change."""
    policy, other = make_policy().archive(10, SIZE), make_policy().archive(10, SIZE)
    series = [
        policy.series({"name": f"{root}.{n}"} | ({"root": root} if "Tag" in target else {})).slots(10, {T: 1.0})
        for n in range(3)
    ]

    def move() -> None:
        for each in series[:2]:
            each.moved(other, T - 5)

    database = MovingDatabase(Settings(database_url=database_url))
    database.move = move
    try:
        reader = Reader(SeriesFinder(database), Fetch(database, T), EventStore(database, 10, 10_000))
        pattern = target.format(root=root)
        wanted = Wanted("wmean")
        if "Tag" in target:
            read = reader.read_tagged([f"root={root}"], pattern, T - 30, T, wanted)
        else:
            read = reader.read(pattern, T - 30, T, wanted)
    finally:
        database.close()
    assert [each.values[-1] for each in read] == [1.0, 1.0, 1.0]
