"""Slots that are not final: of the last points, of a killed generator, of continued runs."""

from dataclasses import replace

import psycopg
import pytest

from loads import BACKWARD, START, audit, plan_of
from rondo_verify.arrivals import arrivals, planned, with_uncertainty
from rondo_verify.idents import Idents
from rondo_verify.plan import Plan
from stored import Tables, tables_of


def points_of(plan: Plan, n: int) -> tuple[str, list[tuple[int, float]]]:
    """Ident and points of the n-th series."""
    subjects = planned([plan])
    points = arrivals([plan], subjects)
    mine = points.subject == n
    ident = Idents(plan).text(int(subjects.series[n]), int(subjects.generation[n]))
    return ident, list(zip(points.t_ms[mine].tolist(), points.value[mine].tolist(), strict=True))


@pytest.mark.parametrize("silence", [False, True])
def test_slots_that_silence_closes_may_be_missing(
    connection: psycopg.Connection, database_url: str, silence: bool
) -> None:
    plan = plan_of("steady")
    tables_of(plan, BACKWARD, silence=silence).write(connection)
    found = audit(plan, database_url, BACKWARD)
    assert found.is_clean, found.text()
    assert found.counts["open"] > 9


def test_an_open_slot_may_have_an_earlier_value(connection: psycopg.Connection, database_url: str) -> None:
    plan = plan_of("steady", ticks=32)
    tables = Tables()
    for n in range(plan.series):
        ident, points = points_of(plan, n)
        tables.add(ident, BACKWARD[0], points, silence=False)
    tables.write(connection)
    earlier = Tables()  # as emitted some points before the end
    for n in range(plan.series):
        ident, points = points_of(plan, n)
        earlier.add(ident, BACKWARD[0], points[:-2])
    added = 0
    for (policy, archive, seg, i), (end, values) in earlier.rows.items():
        if archive.step_ms > policy.step_ms and (policy, archive, seg, i) not in tables.rows:
            tables.rows[policy, archive, seg, i] = (end, values)
            added += 1
    assert added
    tables.write(connection)
    assert audit(plan, database_url, BACKWARD).is_clean
    for name in ("wmean", "min", "max", "sum", "last"):
        connection.execute(
            "update ts set dp = array(select v + 0.01 from unnest(dp) v) from rra_bundle"
            " where id = rra_bundle_id and cf = %s and step_ms > 10000",
            (name,),
        )
    found = audit(plan, database_url, BACKWARD)
    assert found.counts["equal"] > 0
    assert (
        all(
            counts["wrong"] >= plan.series
            for archive, counts in found.archives.items()
            if not archive.endswith("mean:10s")
        )
        or found.counts["wrong"] > 5 * plan.series
    )


@pytest.mark.parametrize("came", [150, 170, 200, 313])
def test_any_last_point_of_a_killed_generator_may_have_arrived(
    connection: psycopg.Connection, database_url: str, came: int
) -> None:
    whole = plan_of("steady")
    plan = replace(whole, sent=150, sure=150, acked=150, finished=False)
    tables_of(whole, BACKWARD, left=came).write(connection)
    found = audit(with_uncertainty(plan), database_url, BACKWARD)
    assert found.is_clean, found.text()
    assert found.counts["equal"] > 150


def test_points_acknowledged_before_the_kill_must_have_arrived(
    connection: psycopg.Connection, database_url: str
) -> None:
    whole = plan_of("steady")
    plan = replace(whole, sent=150, sure=150, acked=150, finished=False)
    tables_of(whole, BACKWARD, left=120).write(connection)
    assert audit(plan, database_url, BACKWARD).counts["missing"] > 10


def test_points_in_flight_at_the_kill_are_uncertain() -> None:
    plan = replace(plan_of("gaps", ticks=100), finished=False, sent=800)
    points = arrivals([plan], planned([plan]))
    left = int(arrivals([replace(plan, sure=800)], planned([plan])).sure.sum())
    assert points.sure.sum() > left
    assert with_uncertainty(replace(plan, acked=left)).sure == 800
    assert with_uncertainty(replace(plan, acked=left - 3)).sure == 800 - 3 * 64


def test_runs_continue_the_same_series(connection: psycopg.Connection, database_url: str) -> None:
    first = plan_of("late", ticks=30)
    second = replace(plan_of("steady", ticks=20), start_ms=START + 330_000)
    tables = Tables()
    for n in range(first.series):
        ident, points = points_of(first, n)
        tables.add(ident, BACKWARD[0], points + points_of(second, n)[1])
    tables.write(connection)
    together = audit([first, second], database_url, BACKWARD)
    assert together.is_clean, together.text()
    alone = audit(second, database_url, BACKWARD)
    assert alone.is_clean, alone.text()
    assert together.counts["equal"] > alone.counts["equal"] > 100
    assert not audit(first, database_url, BACKWARD).is_clean  # later points are unplanned


def test_a_run_continues_after_a_killed_generator(connection: psycopg.Connection, database_url: str) -> None:
    whole = plan_of("steady", ticks=30)
    killed = replace(whole, finished=False, sent=150, sure=150)
    second = replace(plan_of("steady", ticks=20), start_ms=START + 330_000)
    tables = Tables()
    for n in range(whole.series):
        ident, points = points_of(whole, n)
        tables.add(ident, BACKWARD[0], points[:20] + points_of(second, n)[1])
    tables.write(connection)
    found = audit([killed, second], database_url, BACKWARD)
    assert found.is_clean, found.text()
    assert not audit([whole, second], database_url, BACKWARD).is_clean
    for after_ms in (START + 60_000, START + 400_000):
        change = "update ts set dp = array(select v + 0.01 from unnest(dp) v) where t > to_timestamp(%s)"
        connection.execute(change, (after_ms / 1000,))
        assert audit([killed, second], database_url, BACKWARD).counts["wrong"] > 50
