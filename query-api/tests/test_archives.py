import pytest

from rondo_query_api.fetch.archives import Archive, TimeRange, of_policy
from rondo_query_api.fetch.choose import ANY, AS_STORED, Wanted, Window, best_archive

from . import golden

NOW = 1_700_000_000
FINE = Archive(1, "p", "wmean", 10, 2160)  # 6 h
MINUTES = Archive(2, "p", "wmean", 60, 10080)  # 7 d
HOURS = Archive(3, "p", "wmean", 3600, 8760)  # 1 y
MAXIMA = Archive(4, "p", "max", 60, 10080)
ARCHIVES = of_policy([HOURS, MAXIMA, FINE, MINUTES])
HOUR, DAY = 3600, 86400


def asking(cf: str | None) -> Wanted:
    """Archives that consolidateBy selects."""
    return Wanted(cf, cf) if cf else AS_STORED


@pytest.mark.parametrize("text", golden.rows("slots"), ids=str)
def test_slot_of_a_time_is_the_golden_one(text: dict[str, str]) -> None:
    row = {name: int(number) for name, number in text.items()}
    archive = Archive(1, "p", "wmean", row["step_ms"], row["size"])
    slot = archive.clip(row["t_ms"] - 1, row["t_ms"], row["t_ms"])
    assert slot
    assert (slot.final, archive.index(slot.final), slot.slots) == (row["end_ms"], row["i"], 1)


@pytest.mark.parametrize(
    ("span", "max_points", "cf", "expected"),
    [
        (HOUR, None, "wmean", FINE),
        (6 * HOUR, None, "wmean", FINE),
        (6 * HOUR + 1, None, "wmean", MINUTES),
        (8 * DAY, None, "wmean", HOURS),
        (800 * DAY, None, "wmean", HOURS),  # none reaches back: the longest
        (6 * HOUR, 360, "wmean", MINUTES),  # the coarsest with enough points
        (6 * HOUR, 361, "wmean", FINE),
        (6 * HOUR, 6, "wmean", HOURS),
        (6 * HOUR, 5000, "wmean", FINE),  # none has enough: the finest
        (HOUR, None, "max", FINE),  # finest slots have the value of any function
        (6 * HOUR, 360, "max", MAXIMA),
        (6 * HOUR, 6, "max", MAXIMA),
        (6 * HOUR + 1, None, "max", MAXIMA),
        (8 * DAY, None, "max", HOURS),  # no maxima so far back
        (HOUR, None, "min", FINE),
    ],
)
def test_choice(span: int, max_points: int | None, cf: str, expected: Archive) -> None:
    chosen = best_archive(ARCHIVES, Window(NOW - span, NOW, asking(cf)), NOW, max_points)
    assert chosen.id == expected.id


SUMS = Archive(6, "p", "sum", 600, 52_560)  # 1 y


@pytest.mark.parametrize(
    ("archives", "span", "cf", "expected"),
    [
        ([MINUTES, SUMS], 30 * DAY, "wmean", SUMS),  # only the sums reach back
        ([MINUTES, SUMS], DAY, "wmean", MINUTES),
        ([MINUTES, SUMS], 800 * DAY, "wmean", SUMS),  # none reaches back: the longest
        ([SUMS], HOUR, "wmean", SUMS),
        ([MAXIMA], HOUR, "min", MAXIMA),
        ([MAXIMA, SUMS], HOUR, "min", MAXIMA),
    ],
)
def test_another_function_is_better_than_nothing(
    archives: list[Archive], span: int, cf: str, expected: Archive
) -> None:
    assert best_archive(archives, Window(NOW - span, NOW, asking(cf)), NOW) is expected


SHOWN_BY_SUM = of_policy(
    [
        Archive(1, "p", "wmean", 10, 2160, aggregate="sum"),
        Archive(2, "p", "sum", 60, 10_080, aggregate="sum"),
        Archive(3, "p", "wmean", 60, 10_080, aggregate="sum"),
        Archive(4, "p", "max", 600, 52_560, aggregate="sum"),
        Archive(5, "p", "sum", 600, 52_560, aggregate="sum"),
    ]
)


@pytest.mark.parametrize(
    ("span", "cf", "max_points", "expected"),
    [
        (HOUR, None, None, 1),  # the finest slots, as in Whisper
        (6 * HOUR, None, None, 1),
        (6 * HOUR + 1, None, None, 2),
        (8 * DAY, None, None, 5),
        (HOUR, None, 60, 1),  # a coarser slot has a larger sum
        (HOUR, "sum", None, 1),
        (HOUR, "sum", 60, 2),  # consolidated to sums in any case
        (HOUR, "wmean", None, 1),
        (DAY, "wmean", None, 3),
        (8 * DAY, "wmean", None, 5),  # no mean so far back
        (HOUR, "max", None, 1),  # the finest slots
        (HOUR, "max", 6, 4),  # consolidated to maxima in any case
        (DAY, "max", None, 4),
        (HOUR, "last", None, 1),
        (DAY, "last", None, 2),
    ],
)
def test_choice_for_a_policy_that_is_shown_by_its_sums(
    span: int, cf: str | None, max_points: int | None, expected: int
) -> None:
    chosen = best_archive(SHOWN_BY_SUM, Window(NOW - span, NOW, asking(cf)), NOW, max_points)
    assert chosen.id == expected


def test_extremes_are_read_from_coarser_archives_if_these_have_enough_points() -> None:
    archives = of_policy(
        [Archive(1, "p", "wmean", 10, 2160, aggregate="max"), Archive(2, "p", "max", 60, 10_080, aggregate="max")]
    )
    assert best_archive(archives, Window(NOW - HOUR, NOW), NOW, max_points=60) is archives[1]
    assert best_archive(archives, Window(NOW - HOUR, NOW), NOW, max_points=61) is archives[0]


@pytest.mark.parametrize(("thinned_by", "expected"), [(ANY, MINUTES), ("wmean", MINUTES), ("max", FINE), (None, FINE)])
def test_coarser_slots_stand_only_for_values_that_are_thinned_by_their_function(
    thinned_by: str | None, expected: Archive
) -> None:
    chosen = best_archive(ARCHIVES, Window(NOW - 6 * HOUR, NOW, Wanted(None, thinned_by)), NOW, 360)
    assert chosen.id == expected.id


def test_finest_slots_stand_for_no_function_that_another_archive_of_their_step_has() -> None:
    archives = of_policy([Archive(1, "p", "wmean", 60, 1440), Archive(2, "p", "max", 60, 1440)])
    for cf, expected in (("wmean", 1), ("max", 2), ("min", 1)):
        chosen = best_archive(archives, Window(NOW - HOUR, NOW, asking(cf)), NOW)
        assert (chosen.id, chosen.function(cf)) == (expected, cf)


def test_the_newest_slot_decides_the_aggregate() -> None:
    archives = of_policy(
        [
            Archive(1, "p", "wmean", 10, 2160, latest=NOW, aggregate="sum"),
            Archive(2, "p", "wmean", 3600, 8760, latest=NOW + 1000, aggregate="wmean"),  # retired, its slot is open
            Archive(3, "p", "sum", 3600, 8760, latest=NOW + 1000, aggregate="sum"),
        ]
    )
    assert {each.aggregate for each in archives} == {"sum"}
    assert best_archive(archives, Window(NOW - DAY, NOW), NOW) is archives[2]


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (NOW - 100, NOW, TimeRange(NOW - 100, NOW, 10)),
        (NOW - 101, NOW - 1, TimeRange(NOW - 110, NOW - 10, 10)),
        (NOW - 10, NOW - 9, TimeRange(NOW - 10, NOW, 10)),  # at least one slot
        (0, NOW, TimeRange(NOW - 21600, NOW, 10)),  # no more than it holds
        (NOW, NOW + DAY, TimeRange(NOW, NOW + 10, 10)),  # one that is still open
        (NOW - 10 * DAY, NOW - 9 * DAY, None),
        (NOW + DAY, NOW + 2 * DAY, None),
    ],
)
def test_clip(start: int, end: int, expected: TimeRange | None) -> None:
    assert FINE.clip(start, end, NOW) == expected


WHISPER = Archive(5, "p", "wmean", 10, 2160, whisper=True)


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (NOW - 100, NOW, TimeRange(NOW - 90, NOW + 10, 10, 10)),
        (NOW - 101, NOW - 1, TimeRange(NOW - 100, NOW, 10, 10)),
        (0, NOW, TimeRange(NOW - 21590, NOW + 10, 10, 10)),  # as many slots as it has
        (0, NOW + DAY, TimeRange(NOW - 21590, NOW + 10, 10, 10)),  # the slot of now is the last
        (NOW - 10 * DAY, NOW - 9 * DAY, None),
        (NOW + 1, NOW + DAY, None),
    ],
)
def test_clip_in_whisper_mode_uses_the_starts_of_slots(start: int, end: int, expected: TimeRange | None) -> None:
    assert WHISPER.clip(start, end, NOW) == expected


@pytest.mark.parametrize("archive", [FINE, WHISPER], ids=["heartbeat", "whisper"])
def test_both_modes_name_a_slot_by_the_same_times(archive: Archive) -> None:
    asked = [(NOW - 100, NOW), (NOW - 103, NOW - 7), (NOW - 10, NOW - 9), (NOW - 21600, NOW)]
    answered = [slots.graphite for start, end in asked if (slots := archive.clip(start, end, NOW))]
    assert answered == [
        (NOW - 90, NOW + 10, 10),
        (NOW - 100, NOW, 10),
        (NOW, NOW + 10, 10),
        (NOW - 21590, NOW + 10, 10),
    ]


def test_the_open_slot_takes_the_place_of_the_oldest() -> None:
    slots = FINE.clip(0, NOW + HOUR, NOW)
    assert slots == TimeRange(NOW - 21590, NOW + 10, 10)
    assert sum(high - low + 1 for low, high in FINE.index_ranges(slots)) == FINE.size


def test_graphite_names_the_first_slot_and_the_time_after_the_last() -> None:
    assert TimeRange(100, 130, 10).graphite == (110, 140, 10)


def test_indexes_wrap() -> None:
    archive = Archive(1, "p", "wmean", 10, 5)  # slots 50, 60, 70 … lie at 0, 1, 2 …
    assert archive.index_ranges(TimeRange(40, 70, 10)) == [(0, 2)]
    assert archive.index_ranges(TimeRange(20, 60, 10)) == [(3, 4), (0, 1)]
    assert archive.index_ranges(TimeRange(40, 90, 10)) == [(0, 4)]
    assert archive.index_ranges(TimeRange(30, 80, 10)) == [(4, 4), (0, 3)]
