"""One series of one step from several archives, where the finer ones have expired."""

from collections.abc import Callable

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rondo_query_api.fetch.archives import WMEAN, Archive, TimeRange, live, of_policy
from rondo_query_api.fetch.assemble import assemble
from rondo_query_api.fetch.choose import Choice, Window, choose
from rondo_query_api.fetch.groups import Group
from rondo_query_api.fetch.plan import ReadPlan, plan
from rondo_query_api.fetch.series import SeriesKey
from rondo_query_api.fetch.slots import StoredSlots

NOW = 1_700_000_000
SERIES = SeriesKey(1, 0)


@st.composite
def policies(draw: st.DrawFn) -> list[Archive]:
    """Archives of one function, each coarser than the one before and of any span, and one of another function."""
    whisper = draw(st.booleans())
    steps = [10, 60, 300]
    sizes = [draw(st.integers(1, 40)) for _ in steps]
    own = [Archive(n, "p", WMEAN, step, size, whisper) for n, (step, size) in enumerate(zip(steps, sizes, strict=True))]
    return [Archive(9, "p", "max", 10, 10_000, whisper), *own[: draw(st.integers(1, 3))]]


def reaching_back(archives: list[Archive], name: int, now: int) -> list[Archive]:
    return [each for each in archives if each.cf == WMEAN and name > now - each.span]


def group(archives: list[Archive]) -> Group:
    """One series that has never moved."""
    return Group("p", 0, (), archives, {SERIES: ()})


def planned(
    archive: Archive, archives: list[Archive], start: int, end: int, now: int, cf: str | None = None
) -> ReadPlan | None:
    return plan(Choice(group(archives), Window(start, end), archive, cf), now)


def shown(plan: ReadPlan, stored: Callable[[Archive, int], float], now: int = NOW) -> dict[int, float]:
    """Values by the ends of their slots; ``stored`` is the value of an archive's slot by its end."""
    loaded = {
        (archive.id, archive.moves_ago, 0): {
            SERIES: StoredSlots(slots, np.array([stored(archive, end) for end in ends(slots)], float), -np.inf)
        }
        for archive, slots in plan.reads.items()
    }
    [fetched] = assemble([plan], loaded, now).values()
    return dict(zip(ends(plan.slots), fetched.values.tolist(), strict=True))


def ends(slots: TimeRange) -> range:
    return range(slots.start + slots.step, slots.final + 1, slots.step)


@given(policies(), st.integers(0, 599), st.integers(1, 20_000), st.integers(0, 2000))
def test_each_slot_is_of_the_finest_archive_that_still_has_it(
    archives: list[Archive], offset: int, length: int, ago: int
) -> None:
    now, fine = NOW + offset, archives[1]
    plan = planned(fine, archives, now - ago - length, now - ago, now)
    if plan is None:
        assert ago >= max(each.span for each in archives[1:])
        return
    for end, value in shown(plan, lambda _, end: end, now).items():
        finest = next(iter(reaching_back(archives[1:], end - plan.slots.lead, now)), None)
        if finest is not None:
            assert value == -(-end // finest.step) * finest.step


@given(st.lists(st.floats(-1e6, 1e6), min_size=12, max_size=12))
def test_a_sum_is_shared_by_finer_slots(values: list[float]) -> None:
    fine, coarse = Archive(1, "p", "sum", 10, 1), Archive(2, "p", "sum", 60, 100)
    plan = planned(fine, [fine, coarse], NOW - NOW % 60 - 720, NOW - NOW % 60, NOW - NOW % 60)
    assert plan
    begin = plan.slots.start // 60 + 1
    spread = shown(plan, lambda archive, end: values[end // 60 - begin] if archive is coarse else np.nan)
    assert np.allclose(np.array(list(spread.values()))[:66].reshape(11, 6).sum(1), values[:11])


CHANGED = NOW - NOW % 3600 - 1800
"""When a policy was changed, half an hour before the last full hour."""


def archive(id_: int, step: int, span: int, first: int | None = None, latest: int | None = None) -> Archive:
    return Archive(id_, "p", WMEAN, step, span // step, first=first, latest=latest)


def of_archive(archive: Archive, end: int) -> float:
    """Value of each slot: the id of its archive."""
    written = (archive.first or 0) <= end <= (archive.latest or NOW)
    return archive.id if written else np.nan


def test_a_resized_archive_continues_the_former_one() -> None:
    former = archive(1, 10, 3600, latest=CHANGED)
    resized = archive(2, 10, 7200, first=CHANGED + 10, latest=NOW)
    minutes = archive(3, 60, 86_400, latest=NOW)
    archives = [former, resized, minutes]
    assert choose(group(archives), Window(NOW - 180, NOW), NOW).archive is resized
    plan = planned(resized, archives, CHANGED - 300, NOW, NOW)
    assert plan
    assert shown(plan, of_archive) == {end: 1 if end <= CHANGED else 2 for end in range(CHANGED - 290, NOW + 1, 10)}


def test_an_archive_that_came_back_shows_what_another_had_meanwhile() -> None:
    back = archive(1, 10, 7200, latest=NOW)
    meanwhile = archive(2, 10, 3600, first=CHANGED + 10, latest=CHANGED + 60)
    plan = planned(back, [back, meanwhile], CHANGED - 30, CHANGED + 90, NOW)
    assert plan

    def stored(archive: Archive, end: int) -> float:
        is_away = archive is back and CHANGED < end <= CHANGED + 60
        return np.nan if is_away else of_archive(archive, end)

    assert list(shown(plan, stored).values()) == [1, 1, 1, 2, 2, 2, 2, 2, 2, 1, 1, 1]


def test_finer_slots_of_a_former_step_are_consolidated() -> None:
    former = archive(1, 10, 3600, latest=CHANGED)
    now_coarser = archive(2, 30, 7200, first=CHANGED + 30, latest=NOW)
    plan = planned(now_coarser, [former, now_coarser], CHANGED - 90, CHANGED + 60, NOW)
    assert plan
    values = dict(zip(range(CHANGED - 80, CHANGED + 1, 10), [1, 2, 6, 4, np.nan, 8, 5, np.nan, np.nan], strict=True))
    answered = list(shown(plan, lambda each, end: values.get(end, np.nan) if each is former else 7).values())
    assert answered[:2] == [3, 6]
    assert np.isnan(answered[2])  # a third of the slot is below xff
    assert answered[3:] == [7, 7]


def test_a_new_finer_archive_begins_where_a_coarser_one_ends() -> None:
    minutes = archive(1, 60, 86_400, latest=NOW)
    added = archive(2, 10, 7200, first=CHANGED + 10, latest=NOW)
    plan = planned(added, [minutes, added], CHANGED - 60, CHANGED + 60, NOW)
    assert plan
    assert list(shown(plan, of_archive).values()) == [1] * 6 + [2] * 6


def test_a_coarser_slot_does_not_stand_for_unknown_slots_before_both_began() -> None:
    began = CHANGED + 14
    fine = archive(1, 2, 3600, first=began, latest=NOW)
    minutes = archive(2, 60, 86_400, first=CHANGED + 60, latest=NOW)
    plan = planned(fine, [fine, minutes], CHANGED, CHANGED + 20, NOW)
    assert plan
    answered = shown(plan, lambda each, end: 2.0 if each is minutes else of_archive(each, end))
    assert [end for end, value in answered.items() if value == 1] == [began, began + 2, began + 4, began + 6]
    assert 2 not in answered.values()


def test_a_slot_that_began_before_finer_ones_is_not_consolidated_from_them() -> None:
    fine = archive(1, 10, 3600, first=CHANGED + 40, latest=NOW)
    minutes = archive(2, 60, 86_400, first=CHANGED + 120, latest=NOW)  # less than xff of its first slot was known
    plan = planned(minutes, [fine, minutes], CHANGED, CHANGED + 180, NOW)
    assert plan
    answered = list(shown(plan, of_archive).values())
    assert np.isnan(answered[0])
    assert answered[1:] == [2, 2]


def test_a_retired_archive_is_chosen_only_if_no_other_reaches_back() -> None:
    retired = archive(1, 60, 86_400, latest=CHANGED)
    only = archive(2, 10, 3600, first=CHANGED + 10, latest=NOW)
    assert live([retired, only]) == [only]
    plan = planned(retired, [retired, only], NOW - 7200, NOW, NOW)
    assert plan
    answered = shown(plan, of_archive)
    assert [answered[CHANGED], answered[CHANGED + 60]] == [1, 2]


def test_all_archives_of_a_policy_without_points_are_live() -> None:
    both = [archive(1, 10, 3600, latest=CHANGED), archive(2, 3600, 86_400, latest=CHANGED + 1800)]
    assert live(both) == both


def test_finest_slots_are_added_where_a_policy_is_shown_by_its_sums() -> None:
    archives = of_policy(
        [
            Archive(1, "p", WMEAN, 10, 360, first=CHANGED + 10, latest=NOW, aggregate="sum"),
            Archive(2, "p", "sum", 30, 720, first=CHANGED + 60, latest=NOW, aggregate="sum"),
            Archive(3, "p", WMEAN, 30, 720, first=CHANGED + 30, latest=NOW, aggregate="sum"),
        ]
    )
    fine, sums, _ = archives
    plan = planned(sums, archives, CHANGED, CHANGED + 90, NOW)
    assert plan
    assert plan.cf == "sum"
    assert list(shown(plan, of_archive).values()) == [3, 2, 2]  # of three ones; then those of the archive
    plan = planned(fine, archives, CHANGED, CHANGED + 90, NOW, WMEAN)
    assert plan
    assert plan.cf == WMEAN


@given(
    st.integers(0, 3600),
    st.integers(0, 7200),
    st.sampled_from([60, 300, 3600]),
    st.integers(60, 7000),
    st.booleans(),
)
def test_live_archives_answer_where_a_former_one_has_no_value(
    ended_ago: int, others_after: int, step: int, length: int, chooses_former: bool
) -> None:
    """Other series of the policy were ahead of this one when it lost its archive of 10 s."""
    now = NOW - NOW % 3600 + 7200
    border = (now - ended_ago) // 10 * 10  # the last former slot of this series
    former = archive(1, 10, 7200, first=now - 86_400, latest=min(border + others_after, now - 100) // 10 * 10)
    lives = archive(2, step, 864_000, first=now - 86_400, latest=now)
    chosen = former if chooses_former else lives
    plan = planned(chosen, [former, lives], now - length, now, now)
    assert plan

    def stored(archive: Archive, end: int) -> float:
        return archive.id if archive is lives or end <= border else np.nan

    for end, value in shown(plan, stored, now).items():
        whole = border // step * step + step  # end of the first living slot that the former archive has nothing of
        assert not np.isnan(value) or border < end <= whole, f"{end - border} s after the border"


def test_a_silent_series_is_not_shown_by_the_slot_of_an_hour_that_it_fell_silent_in() -> None:
    now = NOW - NOW % 3600 + 7200
    silent = now - 6000
    fine = archive(1, 10, 86_400, first=now - 86_400, latest=silent)
    hours = archive(2, 3600, 864_000, first=now - 86_400, latest=now - 3600)
    for start in (silent - 600, silent + 600):
        plan = planned(fine, [fine, hours], start, now, now)
        assert plan
        answered = shown(plan, lambda each, end: 2.0 if each is hours else 1.0 if end <= silent else np.nan, now)
        assert [end for end, value in answered.items() if value == 2.0 and end <= now - 3600] == []


def test_a_resized_archive_answers_while_the_former_one_seems_to_live() -> None:
    """Other series were ahead of this one when the archive was resized."""
    former, resized = archive(1, 10, 3600, latest=NOW - 60), archive(2, 10, 7200, first=CHANGED + 10, latest=NOW - 60)
    plan = planned(former, [former, resized], CHANGED - 60, CHANGED + 60, NOW)
    assert plan
    answered = shown(plan, lambda each, end: each.id if (end <= CHANGED) == (each is former) else np.nan)
    assert list(answered.values()) == [1] * 6 + [2] * 6


def test_a_coarser_archive_answers_where_a_finer_one_began_later_for_a_series_than_for_others() -> None:
    minutes = archive(1, 60, 86_400, first=CHANGED - 7200, latest=NOW)
    added = archive(2, 10, 7200, first=CHANGED - 600, latest=NOW)
    plan = planned(added, [minutes, added], CHANGED - 120, CHANGED + 120, NOW)
    assert plan
    answered = shown(plan, lambda each, end: each.id if each is minutes or end > CHANGED else np.nan)
    assert list(answered.values()) == [1] * 12 + [2] * 12


def test_archives_that_are_written_now_are_read_alone() -> None:
    fine, minutes = archive(1, 10, 7200, latest=NOW), archive(2, 60, 86_400, latest=NOW)
    plan = planned(fine, [fine, minutes], NOW - 3600, NOW, NOW)
    assert plan
    assert [archive for piece in plan.pieces for archive in piece.archives] == [fine]


def test_archives_that_were_created_together_are_read_alone() -> None:
    """Less than xff of the first minute was known."""
    fine = archive(1, 10, 86_400, first=CHANGED - 10, latest=NOW)
    minutes = archive(2, 60, 864_000, first=CHANGED + 60, latest=NOW)
    plan = planned(minutes, [fine, minutes], CHANGED, NOW, NOW)
    assert plan
    assert [archive for piece in plan.pieces for archive in piece.archives] == [minutes]
