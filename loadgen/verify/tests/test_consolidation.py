"""The model against the golden files, and against an oracle that computes point by point."""

import re
from collections.abc import Sequence
from typing import cast

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests import golden
from tests.consolidation_oracle import Finest, Function, Points, consolidate

from rondo_verify.arrivals import Arrivals
from rondo_verify.order import store
from rondo_verify.policies import FUNCTIONS, Archive, Policy
from rondo_verify.prefixes import OpenSlots, are_prefixes
from rondo_verify.slots import consolidate as slots_of
from rondo_verify.slots import finest, pieces

MINUTE = 60_000
INCREMENTS = golden.rows("increments")
Row = dict[str, str]


def policy_of(step: int, heartbeat: int, finest: Finest = "last", reorder: int = 0) -> Policy:
    of_points = "wmean" if heartbeat else finest
    return Policy("p", re.compile("."), (), step, heartbeat, of_points, reorder, 10**12, 10**6, "wmean", ())


def arrivals_of(series: Sequence[Points]) -> Arrivals:
    flat = [(n, t, v) for n, points in enumerate(series) for t, v in points]
    subject, t, v = zip(*flat, strict=True) if flat else ((), (), ())
    sure = np.ones(len(flat), dtype=np.bool_)
    return Arrivals(np.array(subject, dtype=np.int64), np.array(t, dtype=np.int64), np.array(v, dtype=float), sure)


def modelled(
    series: Sequence[Points], policy: Policy, archive: Archive, all_slots: bool = False
) -> list[dict[int, float]]:
    """Known closed slots of each series by end; with ``all_slots`` also the open ones."""
    stored = store(arrivals_of(series), len(series), policy)
    slots = slots_of(finest(stored.points, len(series), policy), policy, archive)
    final = all_slots | (slots.end_ms[None, :] <= stored.closed_until_ms[:, None])
    shown = np.where(final, slots.value, np.nan)
    return [{int(end): float(v) for end, v in zip(slots.end_ms, row, strict=True) if not np.isnan(v)} for row in shown]


@pytest.mark.parametrize(
    "row",
    golden.rows("consolidation") + golden.rows("whisper") + INCREMENTS,
    ids=lambda row: f"{row['case']}, {row['cf']} {row['archive_step_ms']}",
)
def test_golden(row: Row) -> None:
    points, slots = (
        [(int(t), float(v)) for t, v in (pair.split(":") for pair in row[name].split())] for name in ("points", "slots")
    )
    archive = Archive(row["cf"], int(row["archive_step_ms"]), int(row["size"]), float(row["xff"]), "")
    policy = policy_of(int(row["step_ms"]), int(row["heartbeat_ms"]), "sum" if row in INCREMENTS else "last")
    assert modelled([points], policy, archive) == [pytest.approx(dict(slots), rel=1e-12)]


TIMES = st.integers(0, 40 * MINUTE) | st.integers(0, 240).map(lambda n: n * 10_000)
VALUES = st.floats(-1e6, 1e6).map(lambda v: round(v, 3))
SERIES = st.lists(st.tuples(TIMES, VALUES), min_size=1, max_size=25)
MOSTLY_ORDERED = SERIES.flatmap(lambda points: st.just(sorted(points)) | st.just(points))
FINEST = st.sampled_from(["last", "sum"])
HEARTBEATS = st.sampled_from([0, 0, 20_000, 120_000, 30 * MINUTE])
ARCHIVES = st.builds(
    lambda cf, many, xff: Archive(cf, 10_000 * many, 1000, xff, ""),
    st.sampled_from(FUNCTIONS),
    st.sampled_from([1, 3, 6, 60]),
    st.sampled_from([0.0, 0.1, 0.5, 1.0]),
)


@settings(max_examples=80, deadline=None)
@given(st.lists(MOSTLY_ORDERED, min_size=1, max_size=4), HEARTBEATS, FINEST, ARCHIVES)
def test_as_the_oracle(series: list[Points], heartbeat: int, of_points: Finest, archive: Archive) -> None:
    wanted = [
        consolidate(points, 10_000, heartbeat, cast("Function", archive.cf), archive.step_ms, archive.xff, of_points)
        for points in series
    ]
    found = modelled(series, policy_of(10_000, heartbeat, of_points), archive)
    assert found == [pytest.approx(slots, rel=1e-9, abs=1e-6) for slots in wanted]


def reordered(points: Points, window: int, slot: int) -> tuple[Points, Points]:
    """Released points in order, and buffered ones, computed point by point."""
    buffered: Points = []
    gone: Points = []
    released, newest = -(10**9), -(10**9)
    for t, v in points:
        is_late = t // slot < released // slot if slot else t <= released
        if is_late or (not slot and any(t == other for other, _ in buffered)):
            continue
        newest = max(newest, t)
        buffered.append((t, v))
        buffered.sort(key=lambda point: point[0])
        while buffered and buffered[0][0] <= newest - window:
            gone.append(buffered.pop(0))
            released = max(released, gone[-1][0])
    return gone, buffered


NEAR = st.lists(st.tuples(st.integers(0, 20).map(lambda n: n * 5_000), VALUES), min_size=1, max_size=25)


@settings(max_examples=80, deadline=None)
@example(
    [(5_000, 1.0), (35_000, 2.0), (0, 3.0), (70_000, 4.0)], 120_000, "last", 30_000, Archive("sum", 10_000, 9, 0.1, "")
)
@given(NEAR | SERIES, HEARTBEATS, FINEST, st.sampled_from([1, 30_000, 5 * MINUTE]), ARCHIVES)
def test_as_the_oracle_after_a_reorder_window(
    points: Points, heartbeat: int, of_points: Finest, window: int, archive: Archive
) -> None:
    gone, buffered = reordered(points, window, 0 if heartbeat else 10_000)
    rule = (10_000, heartbeat, cast("Function", archive.cf), archive.step_ms, archive.xff, of_points)
    policy = policy_of(10_000, heartbeat, of_points, window)
    final = consolidate(gone, *rule) if gone else {}
    assert modelled([points], policy, archive) == [pytest.approx(final, rel=1e-9, abs=1e-6)]
    silent = consolidate([*gone, *buffered], *rule)
    in_the_end = modelled([points], policy, archive, all_slots=True)[0]
    assert {end: in_the_end.get(end) for end in silent} == pytest.approx(silent, rel=1e-9, abs=1e-6)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(TIMES, VALUES), min_size=1, max_size=12), HEARTBEATS, FINEST, ARCHIVES)
def test_an_open_slot_may_have_its_value_after_any_point(
    points: Points, heartbeat: int, of_points: Finest, archive: Archive
) -> None:
    """The value of the newest slot after a point is its final value in a series without the later points."""
    policy = policy_of(10_000, heartbeat, of_points)
    stored = store(arrivals_of([points]), 1, policy)
    fine, parts = finest(stored.points, 1, policy), pieces(stored.points, policy)
    for n in range(1, len(points) + 1):
        for end, value in modelled([points[:n]], policy, archive, all_slots=True)[0].items():
            asked = OpenSlots(np.zeros(1, dtype=np.int64), np.array([end // archive.step_ms - 1]), np.array([value]))
            assert are_prefixes(asked, parts, fine, policy, archive).all() or value == pytest.approx(0, abs=1e-3)
            other = OpenSlots(asked.subject, asked.slot, np.array([abs(value) + 1e7]))
            assert not are_prefixes(other, parts, fine, policy, archive).any() or archive.cf == "sum"


@pytest.mark.parametrize(
    ("cf", "held"), [("wmean", [5, 4, 6]), ("min", [5, 3]), ("max", [5, 10]), ("sum", [5, 8, 18]), ("last", [5, 3, 10])]
)
def test_no_other_value_is_possible(cf: str, held: list[float]) -> None:
    points: Points = [(0, 0.0), (10_000, 5.0), (20_000, 3.0), (30_000, 10.0)]
    policy, archive = policy_of(10_000, 120_000), Archive(cf, MINUTE, 60, 0.0, "")
    stored = store(arrivals_of([points]), 1, policy)
    fine, parts = finest(stored.points, 1, policy), pieces(stored.points, policy)

    def was_held(value: float) -> bool:
        asked = OpenSlots(np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64), np.array([float(value)]))
        return bool(are_prefixes(asked, parts, fine, policy, archive)[0])

    assert [value for value in range(20) if was_held(value)] == sorted(held)


def test_a_rounding_error_of_the_product_does_not_miss_xff() -> None:
    assert 0.07 * 100_000 > 7000
    assert Archive("wmean", 100_000, 10, 0.07, "").least_known_ms == 7000
    assert Archive("wmean", 10_000, 10, 0.33335, "").least_known_ms == 3334
    assert Archive("wmean", 10_000, 10, 0.0, "").least_known_ms == 1
