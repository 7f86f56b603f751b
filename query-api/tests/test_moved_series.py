"""Responses for series that have moved to other locations: one graph over all of them."""

import psycopg
import pytest

from .api_server import ApiClient
from .archive_rows import NAN, StoredSeries
from .conftest import MakePolicy

T = 1_700_006_400  # a multiple of an hour
MOVED = T - 240
MINUTE, HOUR, DAY = 60, 3600, 86_400


def ends(start: int, final: int, step: int) -> range:
    """Ends of the slots after ``start`` up to ``final``."""
    return range(start + step, final + 1, step)


def rendered(api: ApiClient, target: str, start: int, end: int, now: int = T, **more: str | int) -> dict[int, float]:
    """Known values of the only series of an answer, by time."""
    [series] = api.render(target, start, end, now=now, **more)
    return {end: value for value, end in series["datapoints"] if value is not None}


def viewed(connection: psycopg.Connection, series: StoredSeries, step: int, start: int, end: int) -> dict[int, float]:
    """Known values of the view tv, by time."""
    rows = connection.execute(
        "select extract(epoch from t)::bigint, r from tv where ds_id = %s and step_ms = %s"
        " and t > to_timestamp(%s) and t <= to_timestamp(%s) and r is not null",
        (series.id, step * 1000, start, end),
    ).fetchall()
    assert len(dict(rows)) == len(rows), "a slot has more than one value"
    return dict(rows)


@pytest.mark.parametrize("within", [0, 3, 9])
@pytest.mark.parametrize("later_value", [4.0, NAN])
def test_a_renamed_policy_is_one_graph(
    api: ApiClient,
    connection: psycopg.Connection,
    make_policy: MakePolicy,
    root: str,
    within: int,
    later_value: float,
) -> None:
    """In the slot that contains the move the newer location wins where it has a value."""
    former = make_policy().archive(10, 360, written=(T - HOUR, MOVED + 10))
    renamed = make_policy().archive(10, 360, written=(MOVED + 10, T))
    slot = MOVED + 10  # ends after the move
    series = former.series(root).slots(10, dict.fromkeys(ends(T - HOUR, slot, 10), 1.0))
    series = series.moved(renamed, MOVED + within)
    series.slots(10, {slot: later_value, **dict.fromkeys(ends(slot, T, 10), 2.0)})

    expected = {end: 1.0 if end <= MOVED else 2.0 for end in ends(T - 600, T, 10)}
    expected[slot] = 4.0 if later_value == 4.0 else 1.0
    if within == 0 and later_value != 4.0:
        del expected[slot]  # begins at the move
    assert rendered(api, root, T - 600, T) == expected
    assert viewed(connection, series, 10, T - 600, T) == expected
    assert rendered(api, f"{root}*", T - 600, MOVED) == dict.fromkeys(ends(T - 600, MOVED, 10), 1.0)


def test_a_position_that_another_series_has_taken_shows_each_its_own(
    api: ApiClient, connection: psycopg.Connection, make_policy: MakePolicy, root: str
) -> None:
    policy = make_policy().archive(10, 360).archive(60, 1440)
    other = make_policy().archive(10, 360).archive(60, 1440)
    first = policy.series(f"{root}.first", at=(0, 1))
    first.slots(10, dict.fromkeys(ends(T - 600, MOVED, 10), 1.0)).slots(
        60, dict.fromkeys(ends(T - 600, MOVED, 60), 1.0)
    )
    moved = first.moved(other, MOVED + 3)
    moved.slots(10, dict.fromkeys(ends(MOVED + 10, T, 10), 2.0)).slots(60, dict.fromkeys(ends(MOVED + 60, T, 60), 2.0))
    second = policy.series(f"{root}.second", at=(0, 1), starts_at=MOVED + 6)
    second.slots(10, dict.fromkeys(ends(MOVED, T, 10), 9.0)).slots(60, dict.fromkeys(ends(MOVED, T, 60), 9.0))

    fine = {end: 1.0 if end <= MOVED else 2.0 for end in ends(T - 600, T, 10) if end != MOVED + 10}
    coarse = {end: 1.0 if end <= MOVED else 2.0 for end in ends(T - 600, T, 60) if end != MOVED + 60}
    for series, step, expected in ((first, 10, fine), (first, 60, coarse)):
        assert rendered(api, f"{root}.first", T - 600, T, maxDataPoints=600 // step) == expected
        assert viewed(connection, series, step, T - 600, T) == expected
    assert rendered(api, f"{root}.second", T - 600, T) == dict.fromkeys(ends(MOVED, T, 10), 9.0)
    assert viewed(connection, second, 10, T - 600, T) == dict.fromkeys(ends(MOVED, T, 10), 9.0)


def test_a_series_that_came_back_shows_all_its_periods(
    api: ApiClient, connection: psycopg.Connection, make_policy: MakePolicy, root: str
) -> None:
    policy = make_policy().archive(10, 360)
    series = policy.series(root, at=(0, 1)).slots(10, dict.fromkeys(ends(T - 600, T - 400, 10), 1.0))
    away = series.moved(policy, T - 400, at=(7, 2)).slots(10, dict.fromkeys(ends(T - 400, T - 200, 10), 2.0))
    policy.series(f"{root}.between", at=(0, 1), starts_at=T - 395).slots(10, {T - 300: 9.0})
    connection.execute("delete from ds where ident @> %s::jsonb", (f'{{"name": "{root}.between"}}',))
    back = away.moved(policy, T - 200, at=(0, 1)).slots(10, dict.fromkeys(ends(T - 200, T, 10), 3.0))

    expected = {end: 1.0 if end <= T - 400 else 2.0 if end <= T - 200 else 3.0 for end in ends(T - 600, T, 10)}
    assert rendered(api, root, T - 600, T) == expected
    assert viewed(connection, back, 10, T - 600, T) == expected


def test_finer_slots_before_a_move_are_consolidated(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    former = make_policy().archive(10, 360)
    longer = make_policy().archive(60, 1440)
    series = former.series(root).slots(10, {end: float(end % 60) for end in ends(T - HOUR, MOVED + 30, 10)})
    series.moved(longer, MOVED + 35).slots(60, dict.fromkeys(ends(MOVED + 60, T, 60), 7.0))

    assert rendered(api, root, T - 600, T) == {
        end: 25.0 if end <= MOVED else 20.0 if end == MOVED + 60 else 7.0 for end in ends(T - 600, T, 60)
    }  # of the slot of the move half is known: 10, 20 and 30


def test_coarser_slots_before_a_move_stand_for_finer_ones(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    former = make_policy().archive(60, 1440)
    finer = make_policy().archive(10, 360)
    series = former.series(root).slots(60, dict.fromkeys(ends(T - HOUR, MOVED, 60), 7.0))
    series.moved(finer, MOVED + 15).slots(10, dict.fromkeys(ends(MOVED + 20, T, 10), 2.0))

    assert rendered(api, root, T - 600, T) == {
        end: 7.0 if end <= MOVED else 2.0 for end in ends(T - 600, T, 10) if not MOVED < end <= MOVED + 20
    }


def test_a_former_coarser_slot_stands_for_none_after_the_move(
    api: ApiClient, make_policy: MakePolicy, root: str
) -> None:
    """The move emits the open slot of the former location, which ends after the move."""
    former = make_policy().archive(10, 360).archive(HOUR, 24)
    longer = make_policy().archive(10, 720).archive(HOUR, 24)
    series = former.series(root).slots(10, dict.fromkeys(ends(T - 600, MOVED, 10), 1.0)).slots(HOUR, {T: 5.0})
    series.moved(longer, MOVED).slots(10, dict.fromkeys(ends(MOVED, T - 120, 10), 2.0))

    expected = {end: 1.0 if end <= MOVED else 2.0 for end in ends(T - 600, T - 120, 10)}
    assert rendered(api, root, T - 600, T) == expected
    assert rendered(api, root, T - 120, T) == {}


def test_a_step_that_only_a_former_policy_reaches_back_with_is_used(
    api: ApiClient, make_policy: MakePolicy, root: str
) -> None:
    former = make_policy().archive(10, 360).archive(60, 1440)
    short = make_policy().archive(10, 360)
    series = former.series(root).slots(60, dict.fromkeys(ends(T - 3 * HOUR, MOVED, 60), 1.0))
    series.moved(short, MOVED).slots(10, dict.fromkeys(ends(MOVED, T, 10), 2.0))

    assert rendered(api, root, T - 2 * HOUR, T) == {
        end: 1.0 if end <= MOVED else 2.0 for end in ends(T - 2 * HOUR, T, 60)
    }


def test_a_replay_after_a_move_makes_the_later_location_begin_earlier(
    api: ApiClient, connection: psycopg.Connection, make_policy: MakePolicy, root: str
) -> None:
    former, renamed = make_policy().archive(10, 360), make_policy().archive(10, 360)
    series = former.series(root).slots(10, dict.fromkeys(ends(T - 600, MOVED, 10), 1.0))
    series = series.moved(renamed, MOVED).slots(10, dict.fromkeys(ends(MOVED, T, 10), 2.0))
    series.slots(10, dict.fromkeys(ends(MOVED - 100, MOVED, 10), 3.0))
    connection.execute("update ds set starts_at = to_timestamp(%s) where id = %s", (MOVED - 100, series.id))

    assert rendered(api, root, T - 600, T) == {
        end: 1.0 if end <= MOVED - 100 else 3.0 if end <= MOVED else 2.0 for end in ends(T - 600, T, 10)
    }


def test_series_with_different_histories_are_summed(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    former, renamed = make_policy().archive(10, 360), make_policy().archive(10, 360)
    for n in range(9):
        moved_at = MOVED + n * 7
        series = former.series(f"{root}.s{n}").slots(10, dict.fromkeys(ends(T - 600, moved_at // 10 * 10, 10), 1.0))
        series = series.moved(renamed, moved_at)
        series.slots(10, dict.fromkeys(ends(moved_at // 10 * 10, T, 10), 1.0))
    renamed.series(f"{root}.new", starts_at=MOVED).slots(10, dict.fromkeys(ends(MOVED, T, 10), 1.0))
    expected = {end: 9.0 if end <= MOVED else 10.0 for end in ends(T - 600, T, 10)}
    assert rendered(api, f"sumSeries({root}.*)", T - 600, T) == expected
    assert rendered(api, f"summarize(sumSeries({root}.*),'1min','max',true)", T - 600, MOVED)[T - 600 + 10] == 9.0


def backfilled(connection: psycopg.Connection, series: StoredSeries, before: int, start: int) -> None:
    """Insert a period before the one with this number, at the current location, as a backfill does."""
    connection.execute("update ds set period = period + 1 where id = %s", (series.id,))
    connection.execute(
        "update location_period set number = -1 - number where ds_id = %s and number >= %s", (series.id, before)
    )
    connection.execute("update location_period set number = -number where ds_id = %s and number < 0", (series.id,))
    connection.execute(
        "insert into location_period (ds_id, number, policy, seg, pos, starts_at, ends_at, fill, backfilled)"
        " select id, %(before)s, ds.policy, ds.seg, ds.pos, to_timestamp(%(start)s), next.starts_at, 'none', true"
        " from ds join location_period as next on next.ds_id = id and next.number = %(before)s + 1 where id = %(id)s",
        {"before": before, "start": start, "id": series.id},
    )
    connection.execute(
        "update location_period set covered_from = to_timestamp(%s) where ds_id = %s and number < %s",
        (start, series.id, before),
    )


def test_slots_that_were_written_over_former_periods_are_shown(
    api: ApiClient, connection: psycopg.Connection, make_policy: MakePolicy, root: str
) -> None:
    """Where the backfill has no value, the former period fills in; it may begin before all others."""
    former, now = make_policy().archive(10, 360), make_policy().archive(10, 360)
    series = former.series(root, starts_at=T - 500).slots(10, dict.fromkeys(ends(T - 500, MOVED, 10), 1.0))
    series = series.moved(now, MOVED).slots(10, dict.fromkeys(ends(MOVED, T, 10), 2.0))
    written = dict.fromkeys([*ends(T - 600, T - 520, 10), *ends(T - 400, T - 300, 10)], 9.0)
    series.slots(10, written)
    backfilled(connection, series, 1, T - 600)

    expected = {end: 1.0 if end <= MOVED else 2.0 for end in ends(T - 500, T, 10)} | written
    assert rendered(api, root, T - 600, T) == expected
    assert viewed(connection, series, 10, T - 600, T) == expected


def test_slots_that_were_filled_before_the_first_period_are_shown(
    api: ApiClient, connection: psycopg.Connection, make_policy: MakePolicy, root: str
) -> None:
    former, now = make_policy().archive(10, 360), make_policy().archive(10, 360)
    series = former.series(root, starts_at=T - 497).slots(10, dict.fromkeys(ends(T - 490, MOVED, 10), 1.0))
    series = series.moved(now, MOVED).slots(10, dict.fromkeys(ends(MOVED, T, 10), 2.0))
    series.slots(10, dict.fromkeys(ends(T - 600, T - 490, 10), 9.0))
    backfilled(connection, series, 0, T - 600)

    expected = {end: 9.0 if end <= T - 490 else 1.0 if end <= MOVED else 2.0 for end in ends(T - 600, T, 10)}
    assert rendered(api, root, T - 600, T) == expected
    assert viewed(connection, series, 10, T - 600, T) == expected


def test_slots_that_were_copied_outlive_the_former_archives(
    api: ApiClient, connection: psycopg.Connection, make_policy: MakePolicy, root: str
) -> None:
    former = make_policy().archive(10, 30)
    longer = make_policy().archive(10, 360, written=(T - 590, T)).archive(60, 60, cf="max", written=(T - 540, T))
    series = former.series(root).slots(10, {end: float(end % 60) for end in ends(T - 300, MOVED + 10, 10)})
    series = series.moved(longer, MOVED + 3)
    series.slots(10, dict.fromkeys(ends(MOVED + 10, T, 10), 2.0))
    copied = {end: float(end % 60) for end in ends(T - 600, MOVED, 10)}
    del copied[MOVED - 20]  # not copied yet
    series.slots(10, copied).slots(60, dict.fromkeys(ends(T - 600, MOVED, 60), 50.0), cf="max")
    connection.execute("update ds set period = 2 where id = %s", (series.id,))
    connection.execute("update location_period set number = 2 where ds_id = %s and number = 1", (series.id,))
    connection.execute(
        "insert into location_period (ds_id, number, policy, seg, pos, starts_at, ends_at, fill)"
        " select ds_id, 1, policy, seg, pos, to_timestamp(%s), starts_at, 'done'"
        " from location_period where ds_id = %s and number = 2",
        (T - 600, series.id),
    )

    expected = {end: float(end % 60) if end <= MOVED + 10 else 2.0 for end in ends(T - 600, T, 10)}
    assert rendered(api, root, T - 600, T) == expected
    maxima = rendered(api, f"consolidateBy({root},'max')", T - 600, MOVED, maxDataPoints=6)
    assert maxima == dict.fromkeys(ends(T - 600, MOVED, 60), 50.0)


def test_each_function_has_its_history(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    former = make_policy().archive(10, 360).archive(10, 360, cf="max")
    renamed = make_policy().archive(10, 360).archive(10, 360, cf="max")
    series = former.series(root)
    for at, start, final in ((series, T - 600, MOVED), (series.moved(renamed, MOVED), MOVED, T)):
        at.slots(10, dict.fromkeys(ends(start, final, 10), 1.0))
        at.slots(10, dict.fromkeys(ends(start, final, 10), 5.0), cf="max")
    assert rendered(api, f"consolidateBy({root},'max')", T - 600, T) == dict.fromkeys(ends(T - 600, T, 10), 5.0)
    thinned = rendered(api, root, T - 600, T, maxDataPoints=10)
    assert (len(thinned), set(thinned.values())) == (10, {1.0})


def test_a_known_name_shows_a_move_at_once(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    policy = make_policy().archive(10, 360)
    series = policy.series(root, at=(0, 1)).slots(10, {T - 20: 1.0, T - 10: 1.0})
    assert rendered(api, root, T - 30, T) == {T - 20: 1.0, T - 10: 1.0}
    series.moved(policy, T - 10, at=(0, 2)).slots(10, {T: 2.0})
    assert rendered(api, root, T - 30, T) == {T - 20: 1.0, T - 10: 1.0, T: 2.0}


def test_a_former_location_without_slots_within_their_span_is_not_read(
    api: ApiClient, make_policy: MakePolicy, root: str
) -> None:
    former, short = make_policy().archive(60, 1440), make_policy().archive(10, 360)
    series = former.series(root).slots(60, {T - DAY: 1.0}).moved(short, T - DAY)
    series.slots(10, dict.fromkeys(ends(MOVED, T, 10), 2.0))

    [answer] = api.render(root, T - 2 * HOUR, T, now=T)
    assert [end for _, end in answer["datapoints"]] == list(ends(T - HOUR, T, 10))
    [answer] = api.render(root, T - 2 * HOUR, T - 60, now=T - 60)  # when it still had one
    assert [end for _, end in answer["datapoints"]] == list(ends(T - 2 * HOUR, T - 60, 60))
