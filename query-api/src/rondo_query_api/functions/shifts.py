"""Values of other time ranges."""

from collections.abc import Iterator
from datetime import datetime

from ..intervals import seconds
from ..times import epoch_of
from ..timeseries import TimeSeries
from .call import Call
from .catalogue import SERIES, Param, function
from .keeping import CHANGED, INSPECTED
from .types import BOOLEAN, DATE, INTEGER, INTERVAL

SeriesList = list[TimeSeries]
HOUR = 3600
SUGGESTIONS = ("1h", "6h", "12h", "1d", "2d", "7d", "14d", "30d")


def _backward(interval: str) -> str:
    """Interval with a sign, by default minus."""
    return f"-{interval}" if interval[:1].isdigit() else interval


@function(
    "timeShift",
    "Transform",
    SERIES,
    Param("timeShift", INTERVAL, required=True, suggestions=SUGGESTIONS),
    Param("resetEnd", BOOLEAN, default=True),
    Param("alignDst", BOOLEAN, default=False, shown="alignDST=False"),
    keeps=CHANGED,
)
def time_shift(call: Call, series_list: SeriesList, shift: str, reset_end: bool, align_dst: bool) -> SeriesList:
    """Values of another time, shown at the present; ``alignDst`` keeps the hour of the day."""
    if not series_list:
        return []
    shift = _backward(shift)
    start, end = call.context.start + seconds(shift), call.context.end + seconds(shift)
    if align_dst:
        saved = _daylight_difference(call, start, end)
        start, end = start + saved, end + saved
    return [
        series.renamed(
            f'timeShift({series.name}, "{shift}")',
            {"timeShift": shift},
            start=present.start,
            end=present.end if reset_end else series.end - series.start + present.start,
        )
        for series, present in _with_present(call.again(start, end), series_list)
    ]


def _with_present(shifted: SeriesList, series_list: SeriesList) -> Iterator[tuple[TimeSeries, TimeSeries]]:
    """Pair each shifted series with the one whose times it gets: the first with its step, else the first of all."""
    by_step = {series.step: series for series in reversed(series_list)}
    for series in shifted:
        yield series, by_step.get(series.step, series_list[0])


def _daylight_difference(call: Call, start: int, end: int) -> int:
    """Seconds of daylight saving between the request's range and the shifted one, where neither crosses a change."""
    own, other = (
        {bool(datetime.fromtimestamp(time, call.context.zone).dst()) for time in times}
        for times in ((call.context.start, call.context.end), (start, end))
    )
    if (own, other) == ({True}, {False}):
        return HOUR
    return -HOUR if (own, other) == ({False}, {True}) else 0


@function(
    "timeStack",
    "Transform",
    SERIES,
    Param("timeShiftUnit", INTERVAL, default="1d", suggestions=SUGGESTIONS),
    Param("timeShiftStart", INTEGER, default=0),
    Param("timeShiftEnd", INTEGER, default=7),
    keeps=CHANGED,
)
def time_stack(call: Call, series_list: SeriesList, shift: str, first: int, end: int) -> SeriesList:
    """Values of several other times, at multiples of an interval, shown at the present."""
    if not series_list:
        return []
    shift = _backward(shift)
    stack: SeriesList = []
    for n in range(first, end):
        moved = seconds(shift) * n
        stack += [
            series.derived(
                f"timeShift({series.name}, {shift}, {n})",
                tags={"timeShiftUnit": shift, "timeShift": n},
                start=present.start,
                end=present.end,
            )
            for series, present in _with_present(
                call.again(call.context.start + moved, call.context.end + moved), series_list
            )
        ]
    return stack


@function(
    "timeSlice",
    "Transform",
    SERIES,
    Param("startSliceAt", DATE, required=True),
    Param("endSliceAt", DATE, default="now"),
    keeps=INSPECTED,
)
def time_slice(call: Call, series_list: SeriesList, start_at: str, end_at: str) -> SeriesList:
    """Values of a part of the range; the others become unknown."""
    context = call.context
    start = epoch_of("timeSlice: startSliceAt", start_at, context.zone, context.now)
    end = epoch_of("timeSlice: endSliceAt", end_at, context.zone, context.now)

    def sliced(series: TimeSeries) -> TimeSeries:
        values = [
            value if start <= context.start + n * series.step <= end else None
            for n, value in enumerate(series.value_list)
        ]
        name = f"timeSlice({series.name}, {start}, {end})"
        return series.renamed(
            name, {"timeSliceStart": start, "timeSliceEnd": end}, values=values, aggregate=series.aggregate
        )

    return [sliced(series) for series in series_list]
