"""Responses for policies whose archives were changed while points flowed."""

from itertools import product
from random import Random

from rondo_query_api.fetch.archives import Archive, live

from .api_server import ApiClient
from .conftest import MakePolicy

T = 1_700_006_400  # a multiple of an hour
CHANGED = T - 240
MINUTE, HOUR = 60, 3600


def ends(start: int, final: int, step: int) -> range:
    """Ends of the slots after ``start`` up to ``final``."""
    return range(start + step, final + 1, step)


def test_a_resized_archive_continues_where_the_former_one_ended(
    api: ApiClient, make_policy: MakePolicy, root: str
) -> None:
    policy = make_policy().archive(10, 360, written=(T - HOUR, CHANGED))
    series = policy.series(root).slots(10, dict.fromkeys(ends(T - HOUR, CHANGED, 10), 1.0))
    policy.archive(10, 720, written=(CHANGED + 10, T)).archive(60, 1440, written=(T - HOUR, T))
    series.slots(10, dict.fromkeys(ends(CHANGED, T, 10), 2.0)).slots(60, dict.fromkeys(ends(T - HOUR, T, 60), 3.0))

    assert api.render(root, T - 600, T, now=T)[0]["datapoints"] == [
        [1.0 if end <= CHANGED else 2.0, end] for end in ends(T - 600, T, 10)
    ]
    assert [value for value, _ in api.render(root, T - 2 * HOUR, T - HOUR, now=T)[0]["datapoints"]] == [None] * 360
    assert api.render(root, T - 30 * MINUTE, T, now=T + HOUR)[0]["datapoints"] == [
        [3.0 if end <= CHANGED else 2.0, end] for end in ends(T - 30 * MINUTE, T, 10)
    ]  # the former archive has expired


def test_a_changed_step_is_one_graph(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    policy = make_policy().archive(10, 360, written=(T - HOUR, CHANGED))
    series = policy.series(root).slots(10, {end: float(end % 60) for end in ends(T - HOUR, CHANGED, 10)})
    policy.archive(60, 1440, written=(CHANGED + 60, T))
    series.slots(60, dict.fromkeys(ends(CHANGED, T, 60), 7.0))

    assert api.render(root, T - 600, T, now=T)[0]["datapoints"] == [
        [25.0 if end <= CHANGED else 7.0, end] for end in ends(T - 600, T, 60)
    ]


def test_a_resized_archive_is_read_from_its_third_slot_on(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    policy = make_policy().archive(10, 360, written=(T - HOUR, T - 30))
    series = policy.series(root).slots(10, dict.fromkeys(ends(T - HOUR, T - 30, 10), 1.0))
    policy.archive(10, 720, written=(T - 20, T))
    series.slots(10, dict.fromkeys(ends(T - 30, T, 10), 2.0))

    assert [value for value, _ in api.render(root, T - 60, T, now=T)[0]["datapoints"]] == [1, 1, 1, 2, 2, 2]


def test_values_before_a_series_began_are_not_taken_from_a_longer_slot(
    api: ApiClient, make_policy: MakePolicy, root: str
) -> None:
    policy = make_policy().archive(60, 1440, written=(T - HOUR, T)).archive(10, 360, written=(CHANGED + 10, T))
    series = policy.series(root, starts_at=CHANGED - 30)
    series.slots(60, {CHANGED: 3.0}).slots(10, dict.fromkeys(ends(CHANGED, T, 10), 2.0))

    assert api.render(root, CHANGED - 60, CHANGED + 20, now=T)[0]["datapoints"] == [
        [None if end <= CHANGED - 30 else 3.0 if end <= CHANGED else 2.0, end]
        for end in ends(CHANGED - 60, CHANGED + 20, 10)
    ]


def test_a_series_that_began_after_the_window_has_no_values_beyond_it(
    api: ApiClient, make_policy: MakePolicy, root: str
) -> None:
    policy = make_policy().archive(60, 1440, written=(T - HOUR, T)).archive(10, 360, written=(CHANGED + 10, T))
    policy.series(root, starts_at=T - 30).slots(10, {T: 2.0})

    assert api.render(root, CHANGED - 60, CHANGED + 20, now=T)[0]["datapoints"] == [
        [None, end] for end in ends(CHANGED - 60, CHANGED + 20, 10)
    ]


def test_a_retired_archive_without_slots_within_its_span_gives_no_step(
    api: ApiClient, make_policy: MakePolicy, root: str
) -> None:
    policy = make_policy().archive(60, 1440, written=(T - 72 * HOUR, T - 24 * HOUR))
    policy.archive(10, 360, written=(CHANGED, T))
    series = policy.series(root).slots(10, dict.fromkeys(ends(CHANGED, T, 10), 2.0))
    series.slots(60, {T - 24 * HOUR: 1.0})

    [answer] = api.render(root, T - 2 * HOUR, T, now=T)
    assert [end for _, end in answer["datapoints"]] == list(ends(T - HOUR, T, 10))
    [answer] = api.render(root, T - 2 * HOUR, T - 60, now=T - 60)  # when it still had one
    assert [end for _, end in answer["datapoints"]] == list(ends(T - 2 * HOUR, T - 60, 60))


def test_slots_before_the_span_of_a_retired_archive_are_unknown(
    api: ApiClient, make_policy: MakePolicy, root: str
) -> None:
    policy = make_policy().archive(10, 360, written=(T - 2 * HOUR, CHANGED))
    series = policy.series(root).slots(10, {end: float(end > T - HOUR + 30) for end in ends(T - HOUR, CHANGED, 10)})
    policy.archive(60, 1440, written=(CHANGED + 60, T))
    series.slots(60, dict.fromkeys(ends(CHANGED, T, 60), 7.0))

    answer = api.render(root, T - HOUR, T, now=T + 30)[0]["datapoints"]
    assert answer[:2] == [[1.0, T - HOUR + 60], [1.0, T - HOUR + 120]]


def test_live_archives_are_shown_after_a_removed_finer_one_while_a_backlog_is_read(
    api: ApiClient, make_policy: MakePolicy, root: str
) -> None:
    """The backlog ends soon after the change: by the archives' newest slots alone, nothing was removed."""
    policy = (
        make_policy().archive(10, 720, written=(T - HOUR, CHANGED)).archive(60, 1440, written=(T - HOUR, CHANGED + 60))
    )
    series = policy.series(root).slots(10, dict.fromkeys(ends(T - HOUR, CHANGED, 10), 1.0))
    series.slots(60, dict.fromkeys(ends(T - HOUR, CHANGED + 120, 60), 2.0))

    assert api.render(root, CHANGED - 60, CHANGED + 180, now=T)[0]["datapoints"] == [
        [1.0 if end <= CHANGED else 2.0 if end <= CHANGED + 120 else None, end]
        for end in ends(CHANGED - 60, CHANGED + 180, 10)
    ]


def test_series_whose_clocks_are_ahead_do_not_hide_an_archive(
    api: ApiClient, make_policy: MakePolicy, root: str
) -> None:
    policy = make_policy().archive(1, 600, written=(T - 600, T)).archive(60, 1440, written=(T - HOUR, T + 8 * MINUTE))
    series = policy.series(root).slots(1, dict.fromkeys(ends(T - 600, T, 1), 1.0))
    series.slots(60, dict.fromkeys(ends(T - HOUR, T, 60), 2.0))

    assert api.render(root, T - 60, T, now=T)[0]["datapoints"] == [[1.0, end] for end in ends(T - 60, T, 1)]


def test_the_database_finds_the_same_archives_live(make_policy: MakePolicy, root: str) -> None:
    """Where no clock is ahead, and series live under the policy."""
    random = Random(7)  # noqa: S311
    for n in range(30):
        policy = make_policy()
        policy.series(f"{root}{n}")
        for cf, step, size in random.sample(list(product(("wmean", "max"), (10, MINUTE, HOUR), (100, 200))), 5):
            latest = (T - random.choice((0, 1, 2, 3)) * random.choice((step, MINUTE))) // step * step
            policy.archive(step, size, cf, written=random.choice(((T - 9 * HOUR, latest), (None, None))))
        rows = policy.connection.execute(
            "select id, policy, cf, step_ms / 1000, size, whisper, xff, extract(epoch from first)::bigint,"
            " extract(epoch from latest)::bigint, id in (select id from live_archive)"
            " from rra_bundle where policy = %s",
            (policy.name,),
        ).fetchall()
        living = {each.id for each in live([Archive(*row[:-1]) for row in rows])}
        assert living == {id_ for id_, *_, is_live in rows if is_live}, rows
