"""Rows that ./rondo policies prune removes are in no response."""

import os
import re
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from random import Random

import psycopg
import pytest

from . import postgres
from .in_process import client

ROLES = postgres.REPOSITORY / "schemas" / "sql" / "roles.sql"
MINUTE, HOUR, DAY = 60, 3600, 86_400
STEPS = {10: (30 * MINUTE, HOUR, 3 * HOUR), 60: (HOUR, 3 * HOUR, DAY), 300: (2 * HOUR, 2 * DAY)}
OLDER_THAN = "10m"


@cache
def now() -> int:
    """Time when the first test of this file runs, not when it is collected, of a slot of an hour."""
    return int(time.time()) // HOUR * HOUR


@pytest.fixture
def owner(server_url: str) -> Iterator[psycopg.Connection]:
    with postgres.fresh_database(server_url) as url, psycopg.connect(url, autocommit=True) as connection:
        connection.execute(ROLES.read_bytes())
        connection.execute("create role test_prune login password 'test' in role rondo_pruner")
        yield connection
        connection.execute("drop role test_prune")


def url_of(owner: psycopg.Connection, user: str) -> str:
    return postgres.url_of(owner, user, "test")


def prune(owner: psycopg.Connection, *options: str) -> str:
    """Run the command as a member of rondo_pruner; return what it did: "5 rows (0.1 MB), 1 archive, …"."""
    url = url_of(owner, "test_prune")
    command = [str(postgres.REPOSITORY / "rondo"), "policies", "prune", "--postgres", url, "--older-than", OLDER_THAN]
    run = subprocess.run(
        [*command, *options], env=os.environ | {"RONDO_NO_BUILD": "1"}, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    [done] = re.findall("^(?:would remove|removed) (.*)$", run.stdout, re.MULTILINE)
    return str(done)


Shape = tuple[str, int, int]  # cf, step s, size


@dataclass
class History:
    """Policies whose archives change at random, and series that move between them, from eight hours ago to now."""

    connection: psycopg.Connection
    random: Random
    bundles: dict[tuple[str, Shape], int] = field(default_factory=dict)

    def times(self, changes: int) -> list[tuple[int, int]]:
        """Consecutive spans of time, from eight hours ago to now."""
        begin = now() - 8 * HOUR
        return list(pairwise([begin, *sorted(self.random.sample(range(begin + 60, now() - 60), changes)), now()]))

    def shapes(self) -> set[Shape]:
        """Archives of a policy: at least one of means."""
        made = {
            (cf, step, self.random.choice(spans) // step)
            for step, spans in STEPS.items()
            for cf in ("wmean", "max")
            if self.random.random() < (0.7 if cf == "wmean" else 0.3)
        }
        return made or {("wmean", 10, 360)}

    def make(self) -> None:
        """Store series that live in four policies, of which one ends early."""
        policies = [f"p{n}" for n in range(4)]
        archives = {
            policy: [(span, self.shapes()) for span in self.times(self.random.randint(0, 3))] for policy in policies
        }
        rows: list[tuple[int, int, int, int, int, float]] = []
        for n in range(12):
            lived = [
                (span, self.random.choice(policies if span[1] < now() else policies[:3]))
                for span in self.times(self.random.choice([0, 0, 1, 2, 3]))
            ]
            for period, ((since, until), policy) in enumerate(lived):
                at = (n % 3 + 10 * period, n // 3 + 1)
                self.place(n, period, policy, at, since)
                for (begin, end), shapes in archives[policy]:
                    for shape in shapes:
                        rows += self.slots(policy, shape, at, max(begin, since), min(end, until))
        self.store(rows)

    def place(self, n: int, period: int, policy: str, at: tuple[int, int], since: int) -> None:
        if period:
            self.connection.execute(
                "update ds set policy = %s, seg = %s, pos = %s, starts_at = to_timestamp(%s)"
                " where ident ->> 'name' = %s",
                (policy, *at, since, f"s.{n}"),
            )
        else:
            self.connection.execute(
                "insert into ds (ident, policy, seg, pos, starts_at)"
                " values (jsonb_build_object('name', %s::text), %s, %s, %s, to_timestamp(%s))",
                (f"s.{n}", policy, *at, since),
            )

    def slots(
        self, policy: str, shape: Shape, at: tuple[int, int], begin: int, end: int
    ) -> Iterator[tuple[int, int, int, int, int, float]]:
        """Slots that end after ``begin`` up to ``end``, some of them unknown."""
        _, step, size = shape
        bundle = self.bundle(policy, shape)
        for slot in range(begin // step * step + step, end + 1, step):
            if self.random.random() < 0.95:
                yield slot, bundle, at[0], slot // step % size, at[1], round(self.random.random(), 3)

    def bundle(self, policy: str, shape: Shape) -> int:
        if (policy, shape) not in self.bundles:
            cf, step, size = shape
            row = self.connection.execute(
                "insert into rra_bundle (policy, cf, step_ms, size, width, xff)"
                " values (%s, %s, %s, %s, 116, 0.5) returning id",
                (policy, cf, step * 1000, size),
            ).fetchone()
            assert row
            self.bundles[policy, shape] = row[0]
        return self.bundles[policy, shape]

    def store(self, rows: list[tuple[int, int, int, int, int, float]]) -> None:
        """Store the slots in the order of time; as the sink, with the newest of each ring and some rows ahead."""
        ring: dict[tuple[int, int, int], tuple[int, list[float]]] = {}
        spans: dict[int, tuple[int, int]] = {}
        for end, bundle, seg, i, pos, value in sorted(rows):
            t, dp = ring.get((bundle, seg, i), (end, [float("nan")] * 4))
            dp = dp if t == end else [float("nan")] * 4
            dp[pos - 1] = value
            ring[bundle, seg, i] = (end, dp)
            spans[bundle] = (min(end, spans.get(bundle, (end, 0))[0]), end)
        with self.connection.transaction(), self.connection.cursor() as cursor:
            with cursor.copy("copy ts (rra_bundle_id, seg, i, t, dp) from stdin") as copy:
                for (bundle, seg, i), (end, dp) in ring.items():
                    copy.write_row((bundle, seg, i, time.strftime("%Y-%m-%d %H:%M:%S+00", time.gmtime(end)), dp))
            cursor.execute(
                "insert into ts select distinct rra_bundle_id, seg, 100000, '-infinity'::timestamptz, '{NaN}'::float8[]"
                " from ts"
            )
            cursor.executemany(
                "update rra_bundle set first = to_timestamp(%s), latest = to_timestamp(%s) where id = %s",
                [(*span, bundle) for bundle, span in spans.items()],
            )


def answers(owner: psycopg.Connection, random: Random) -> list[object]:
    """Responses to 60 random requests at NOW or up to an hour later."""
    api = client(postgres.url_of(owner, owner.info.user, owner.info.password))  # has cached nothing
    given: list[object] = []
    for _ in range(60):
        target = random.choice([f"s.{random.randrange(12)}", "s.*", "sumSeries(s.*)"])
        function = random.choice(["", "max", "average"])
        at = now() + random.randrange(HOUR)
        start = at - random.choice([random.randrange(HOUR), random.randrange(DAY), random.randrange(4 * DAY)]) - 1
        until = random.choice([at, random.randint(start + 1, at)])
        more = random.choice(["", f"&maxDataPoints={random.randint(1, 500)}"])
        target = f"consolidateBy({target},'{function}')" if function else target
        question = f"/render?format=json&target={target}&from={start}&until={until}&now={at}{more}"
        given.append((question, api.get(question).get_json()))
    return given


def viewed(owner: psycopg.Connection) -> list[tuple[object, ...]]:
    """Slots that tv shows, within the span of their archive."""
    return owner.execute(
        "select ds_id, rra_bundle_id, tv.t, r from tv join rra_bundle as b on b.id = rra_bundle_id"
        " where tv.t > to_timestamp(%s) - size * b.step_ms * interval '1 ms' order by 1, 2, 3, 4",
        (now(),),
    ).fetchall()


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 6))])
def test_answers_are_the_same_afterwards(owner: psycopg.Connection, seed: int) -> None:
    questions = Random(seed)  # noqa: S311
    History(owner, questions).make()
    state = questions.getstate()
    before, shown = answers(owner, questions), viewed(owner)
    stored = owner.execute("select count(*), sum(i) from ts").fetchall()

    announced = prune(owner, "--dry-run")
    assert owner.execute("select count(*), sum(i) from ts").fetchall() == stored
    assert prune(owner) == announced
    assert owner.execute("select count(*) from ts").fetchone() == (stored[0][0] - int(announced.split()[0]),)
    assert prune(owner) == "0 rows (0.0 MB), 0 archives, 0 location periods"

    questions.setstate(state)
    after = answers(owner, questions)
    for one, other in zip(before, after, strict=True):
        assert one == other
    assert viewed(owner) == shown
