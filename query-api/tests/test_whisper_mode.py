"""Both ways to name slots: responses name a slot by its end, in Whisper mode by its start."""

from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from .api_server import ApiClient
from .archive_rows import Policy
from .conftest import MakePolicy

T = 1_700_006_400  # a multiple of an hour
MINUTE, HOUR = 60, 3600

SlotEnd = Callable[[int, int], int]


def end_by_heartbeat(time: int, step: int) -> int:
    """End of the slot (end - step, end] of a time."""
    return -(-time // step) * step


def end_by_whisper(time: int, step: int) -> int:
    """End of the slot [end - step, end) of a time."""
    return time // step * step + step


MODES = pytest.mark.parametrize(
    ("whisper", "slot_end"), [(False, end_by_heartbeat), (True, end_by_whisper)], ids=["heartbeat", "whisper"]
)


def known(series: dict[str, Any]) -> list[list[float]]:
    return [point for point in series["datapoints"] if point[0] is not None]


def archives(policy: Policy) -> Policy:
    return policy.archive(10, 360).archive(60, 1440)


@MODES
def test_a_point_at_an_aligned_time_renders_at_that_time(
    api: ApiClient, make_policy: MakePolicy, root: str, whisper: bool, slot_end: SlotEnd
) -> None:
    policy = archives(make_policy(whisper=whisper))
    policy.series(root).slots(10, {slot_end(T, 10): 1.0}).slots(60, {slot_end(T, 60): 2.0})
    assert known(api.render(root, T - MINUTE, T + MINUTE)[0]) == [[1.0, T]]
    assert known(api.render(root, T - MINUTE, T)[0]) == [[1.0, T]]
    assert known(api.render(root, T - 10, T)[0]) == [[1.0, T]]
    assert known(api.render(root, T, T + MINUTE)[0]) == []  # (from, until]
    coarse = {"now": T + 2 * HOUR}  # the fine archive no longer reaches back
    assert known(api.render(root, T - 5 * MINUTE, T + MINUTE, **coarse)[0]) == [[2.0, T]]
    assert known(api.render(root, T - 5 * MINUTE, T, **coarse)[0]) == [[2.0, T]]
    assert known(api.render(root, T, T + 5 * MINUTE, **coarse)[0]) == []


@pytest.mark.parametrize(("whisper", "slot_end", "shown"), [(True, end_by_whisper, 0), (False, end_by_heartbeat, 10)])
def test_a_point_inside_a_slot_renders_at_its_name(
    api: ApiClient, make_policy: MakePolicy, root: str, whisper: bool, slot_end: SlotEnd, shown: int
) -> None:
    archives(make_policy(whisper=whisper)).series(root).slots(10, {slot_end(T + 3, 10): 1.0})
    for until in (T + 10, T + MINUTE):
        [series] = api.render(root, T - MINUTE, until)
        assert known(series) == [[1.0, T + shown]]
        assert series["datapoints"][0][1] == T - 50
        assert series["datapoints"][-1][1] == until


@MODES
def test_both_sides_of_the_boundary_between_archives(
    api: ApiClient, make_policy: MakePolicy, root: str, whisper: bool, slot_end: SlotEnd
) -> None:
    """Two hours of points every 10 s, at T + 10 n the value n; the 10 s archive holds one of them."""
    policy = archives(make_policy(whisper=whisper))
    now = T + 2 * HOUR
    fine = {slot_end(T + 10 * n, 10): float(n) for n in range(361, 721)}
    minutes = range(T, now + 1, MINUTE)
    policy.series(root).slots(10, fine).slots(60, {slot_end(time, 60): (time - T) / 10 for time in minutes})
    [recent] = api.render(root, now - HOUR, now)
    assert recent["datapoints"] == [[(time - T) / 10, time] for time in range(now - HOUR + 10, now + 1, 10)]
    [older] = api.render(root, now - HOUR - 1, now)
    first = (now - HOUR - 1) // MINUTE * MINUTE + MINUTE
    assert older["datapoints"] == [[(time - T) / 10, time] for time in range(first, now + 1, MINUTE)]


@MODES
def test_a_full_round_is_whole_and_the_open_slot_shows(
    api: ApiClient, make_policy: MakePolicy, root: str, whisper: bool, slot_end: SlotEnd
) -> None:
    policy = make_policy(whisper=whisper).archive(10, 6)
    now = T + 3
    ends = [slot_end(now, 10) - 10 * n for n in range(6)]
    policy.series(root).slots(10, {end: float(n) for n, end in enumerate(ends)})
    name = ends[0] - (10 if whisper else 0)
    expected = [[float(n), name - 10 * n] for n in reversed(range(6))]
    assert api.render(root, T - HOUR, now + HOUR, now=now)[0]["datapoints"] == expected


def test_series_of_both_modes_meet_at_the_times_of_their_points(
    api: ApiClient, make_policy: MakePolicy, root: str
) -> None:
    for name, whisper, slot_end in (("a", False, end_by_heartbeat), ("b", True, end_by_whisper)):
        series = make_policy(whisper=whisper).archive(10, 360).series(f"{root}.{name}")
        series.slots(10, {slot_end(T + 10 * n, 10): float(n) for n in range(1, 7)})
    [total] = api.render(f"sumSeries({root}.*)", T, T + MINUTE)
    assert total["datapoints"] == [[2.0 * n, T + 10 * n] for n in range(1, 7)]


def test_sql_names_a_slot_by_its_end_in_both_modes(
    connection: psycopg.Connection, make_policy: MakePolicy, root: str
) -> None:
    make_policy(whisper=True).archive(10, 360).series(root).slots(10, {end_by_whisper(T + 3, 10): 1.0})
    shown = connection.execute(
        "select extract(epoch from t)::bigint, r,"
        " extract(epoch from t)::bigint - case when whisper then tv.step_ms / 1000 else 0 end"
        " from ds join tv on tv.ds_id = ds.id join rra_bundle on rra_bundle.id = rra_bundle_id"
        " where ident @> jsonb_build_object('name', %s::text)",
        (root,),
    ).fetchall()
    assert shown == [(T + 10, 1.0, T)]
