"""Series that a limit refuses, and series whose source assigns a policy."""

from dataclasses import replace

import psycopg
import pytest

from loads import BACKWARD, POLICIES, audit, plan_of
from rondo_verify import sources
from rondo_verify.errors import InputError
from rondo_verify.limits import Limits, murmur2
from stored import tables_of

TWO = Limits(2)  # as many partitions as stored.py has segments in


@pytest.mark.parametrize(
    ("text", "expected"),  # from the tests of Kafka's own Utils
    [
        *(("21", -973932308), ("foobar", -790332482), ("a-little-bit-long-string", -985981536)),
        *(("a-little-bit-longer-string", -1486304829), ("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58897971)),
        ("abc", 479470107),
    ],
)
def test_hashes_as_kafka_does(text: str, expected: int) -> None:
    assert murmur2(text.encode()) == expected & 0xFFFFFFFF


def test_a_series_is_refused_if_its_partition_is_full(connection: psycopg.Connection, database_url: str) -> None:
    plan = plan_of("late")
    tables_of(plan, BACKWARD).write(connection)
    gone = "load.a.m00000.metric00"
    connection.execute("delete from ds where ident ->> 'name' = %s", (gone,))
    of_its_partition = "select count(*) from ds where seg >> 16 = %s"
    (stored,) = connection.execute(of_its_partition, (TWO.partition(gone),)).fetchone() or (0,)

    found = audit(plan, database_url, [replace(BACKWARD[0], max_series=2 * stored + 2)], limits=TWO)
    refused = audit(plan, database_url, [replace(BACKWARD[0], max_series=2 * stored)], limits=TWO)

    assert found.others["missing-series"] == 1
    assert refused.others["missing-series"] == 0
    assert refused.dropped["too-many-series"] == 35
    assert refused.series == 8


def test_a_partition_does_not_have_more_than_its_share(connection: psycopg.Connection, database_url: str) -> None:
    plan = plan_of("steady")
    tables_of(plan, BACKWARD).write(connection)
    found = audit(plan, database_url, [replace(BACKWARD[0], max_series=8)], limits=TWO)
    assert found.others == {"beyond-max-series": 1}


def test_points_before_starts_at_of_a_limited_series_are_refused(
    connection: psycopg.Connection, database_url: str
) -> None:
    plan = plan_of("steady")
    tables = tables_of(plan, BACKWARD)
    tables.write(connection)
    later = connection.execute("select min(starts_at) + interval '25 s' from ds where seg = 0 and pos = 1").fetchone()
    assert later is not None
    connection.execute("update ds set starts_at = %s where seg = 0 and pos = 1", later)
    connection.execute("delete from ds where seg = 0 and pos = 2")
    assert audit(plan, database_url, BACKWARD).others["missing-series"] == 1
    found = audit(plan, database_url, BACKWARD, limits=Limits(2, is_limited=True))
    assert found.dropped["too-many-series"] == 3 + 35
    assert found.others["missing-series"] == 0


def test_a_source_assigns_a_policy(connection: psycopg.Connection, database_url: str) -> None:
    plan = plan_of("steady")
    tables_of(plan, BACKWARD).write(connection)
    assert audit(plan, database_url, [POLICIES[0], *BACKWARD]).others["other-policy"] == 3
    assert audit(plan, database_url, [POLICIES[0], *BACKWARD], BACKWARD[0]).is_clean


def test_the_first_source_that_covers_a_topic_assigns_its_policy() -> None:
    read = sources.parse(
        "sources: [{topic: a.b}, {pattern: 'a[.].*', policy: whisper}, {topic: 'c', policy: backward}]"
    )
    given = {topic: sources.policy_of(topic, read, POLICIES) for topic in ("a.b", "a.c", "axc", "c", "d")}
    assert {topic: policy and policy.name for topic, policy in given.items()} == {
        **{"a.b": None, "a.c": "whisper", "axc": None, "c": "backward", "d": None},
    }
    with pytest.raises(InputError, match="not in --policies"):
        sources.policy_of("c", read, POLICIES[:1])
