"""Correct tables are clean for each shape; each kind of damage is found."""

from dataclasses import replace

import psycopg
import pytest

from loads import BACKWARD, POLICIES, audit, plan_of
from rondo_verify import plan as plans
from stored import tables_of


@pytest.mark.parametrize("shape", plans.PARAMETERS)
def test_each_shape_is_clean(connection: psycopg.Connection, database_url: str, shape: str) -> None:
    plan = plan_of(shape)
    tables_of(plan, POLICIES).write(connection)
    found = audit(plan, database_url)
    assert found.is_clean, found.text()
    assert found.counts["equal"] > 300
    assert found.counts["overwritten"] > 50 or shape == "churn"  # the archive of two minutes has wrapped
    assert bool(found.dropped) == (shape in ("late", "duplicate", "disorder", "jumping"))


def test_a_reorder_window_changes_what_is_expected(connection: psycopg.Connection, database_url: str) -> None:
    plan = plan_of("late")
    buffered = [replace(policy, reorder_ms=60_000) for policy in POLICIES]
    tables_of(plan, POLICIES).write(connection)
    found = audit(plan, database_url, buffered)
    assert found.counts["wrong"] > 10
    assert found.dropped["late"] == 0


ONE = """
(rra_bundle_id, seg, i) in (
  select rra_bundle_id, seg, i from ts join rra_bundle on id = rra_bundle_id where cf = 'min' and seg = 0
  order by t offset 2 limit 1
)
"""
DAMAGES = {
    "a value changed": ("update ts set dp[1] = dp[1] + 1e-6 where {one}", {"wrong": 1}),
    "a value lost": ("update ts set dp[2] = 'NaN' where {one}", {"missing": 1}),
    "a value cut off": ("update ts set dp = dp[1:3] where {one}", {"missing": 1}),
    "a row deleted": ("delete from ts where {one}", {"missing": 4}),
    "a row reserved": ("update ts set t = '-infinity' where {one}", {"missing": 4}),
    "a row of an old round": ("update ts set t = t - interval '1 hour' where {one}", {"missing": 4}),
    "a row of a new round": ("update ts set t = t + interval '1 hour' where {one}", {"extra": 4}),
    "an empty row of a new round": (
        "update ts set t = t + interval '1 hour', dp = '{{NaN,NaN,NaN,NaN}}' where {one}",
        {"missing": 4},
    ),
    "a row too many": (
        "insert into ts select rra_bundle_id, seg, (i + 20) % 60, t + interval '20 min', '{{1,2}}' from ts where {one}",
        {"extra": 2},
    ),
    "a row with the index of another": (
        "insert into ts select rra_bundle_id, seg, (i + 20) % 60, t, dp from ts where {one}",
        {"wrong": 1},
    ),
    "two values swapped": ("update ts set dp = array[dp[3], dp[2], dp[1], dp[4]] where {one}", {"wrong": 2}),
    "values of no series": ("update ts set dp = dp || array[5::float8, 6] where {one}", {}),
    "a series unknown": ("delete from ds where seg = 0 and pos = 1", {"missing-series": 1}),
    "a series too many": (
        """update ds set ident = '{{"name": "load.a.m00099.metric00"}}' where seg = 0 and pos = 1""",
        {"missing-series": 1, "unplanned-series": 1},
    ),
    "another policy": (
        "update ds set policy = 'whisper', seg = 77 where seg = 0 and pos = 1",
        {"other-policy": 1},
    ),
    "another aggregate": ("update rra_bundle set aggregate = 'sum' where cf = 'min'", {"other-bundle": 1}),
    "another mode": ("update rra_bundle set whisper = true where cf = 'min'", {"other-bundle": 1}),
    "starts_at too late": (
        "update ds set starts_at = (select t from ts where {one}) where seg = 0 and pos = 1",
        {"missing": 28},
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_found(connection: psycopg.Connection, database_url: str, damage: str) -> None:
    plan = plan_of("steady")
    tables_of(plan, BACKWARD).write(connection)
    sql, expected = DAMAGES[damage]
    assert connection.execute(sql.format(one=ONE)).rowcount > 0
    found = audit(plan, database_url, [*BACKWARD, *POLICIES[:1]])
    differences = {kind: found.counts[kind] for kind in ("wrong", "missing", "extra") if found.counts[kind]}
    differences |= dict(found.others)
    assert {kind: differences.get(kind) for kind in expected} == expected, found.text()
    assert bool(expected) == (not found.is_clean)
    assert {example.kind for example in found.examples} == differences.keys()
