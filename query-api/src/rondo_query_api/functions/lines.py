"""Series that are computed without stored ones: lines, times, waves."""

import math
import random
from collections.abc import Iterator

from ..errors import BadRequestError
from ..limits import request_budget
from ..times import epoch_of
from ..timeseries import TimeSeries, ValueList
from .aggregates import aggregate
from .call import Call
from .catalogue import SERIES, Param, function
from .keeping import UNCHANGED, KeepsBy, reduced
from .types import AGGREGATE, BOOLEAN, DATE, FLOAT, INTEGER, INTEGER_OR_FLOAT, STRING

SeriesList = list[TimeSeries]
NAME = Param("name", STRING, required=True)
STEP = Param("step", INTEGER, default=60)
LABEL, COLOR = Param("label", STRING), Param("color", STRING)


@function("constantLine", "Special", Param("value", FLOAT, required=True), keeps=UNCHANGED)
def constant_line(call: Call, value: float) -> SeriesList:
    """A constant, at the beginning, the middle and the end of the range."""
    return [_line(call, value)]


def _line(call: Call, value: float | None) -> TimeSeries:
    start, end = call.context.start, call.context.end
    line = call.computed(str(value), start, end, max(1, (end - start) // 2), [value] * 3)
    return line.derived(path=f"constantLine({value})")


@function("threshold", "Graph", Param("value", FLOAT, required=True), LABEL, COLOR, keeps=UNCHANGED)
def threshold(call: Call, value: float, label: str | None, color: str | None) -> SeriesList:
    """A constant line with a label and a color."""
    line = _line(call, value)
    return [line.renamed(label or line.name, color=color)]


@function(
    "aggregateLine",
    "Calculate",
    SERIES,
    Param("func", AGGREGATE, default="average"),
    Param("keepStep", BOOLEAN, default=False),
    keeps=KeepsBy("func", reduced),
)
def aggregate_line(call: Call, series_list: SeriesList, func: str, keep_step: bool) -> SeriesList:
    """Aggregate of each series as a horizontal line, of three points or of as many as the series has."""

    def line(series: TimeSeries) -> TimeSeries:
        value = aggregate(func, series.values)
        name = f"aggregateLine({series.name}, {'None' if value is None else f'{value:g}'})"
        if keep_step:
            return series.derived(name, [value] * len(series.values))
        return _line(call, value).derived(name)

    return [line(series) for series in series_list]


@function("verticalLine", "Graph", Param("ts", DATE, required=True), LABEL, COLOR, keeps=UNCHANGED)
def vertical_line(call: Call, ts: str, label: str | None, color: str | None) -> SeriesList:
    """A vertical line at a time within the range."""
    time = epoch_of("verticalLine: ts", ts, call.context.zone, call.context.now)
    if not call.context.start <= time <= call.context.end:
        raise BadRequestError(f"verticalLine: ts is {ts!r}, outside of the request's range")
    line = call.computed(label or f"verticalLine({ts})", time, time, 1, [1.0, 1.0])
    return [line.derived(options={"drawAsInfinite": True}, color=color)]


@function("identity", "Calculate", NAME, keeps=UNCHANGED)
def identity(call: Call, name: str) -> SeriesList:
    """Time in epoch seconds, every minute."""
    start, end = call.context.start, call.context.end
    line = call.computed(name, start, end, 60, list(_times(call, 60)))
    return [line.derived(path=f'identity("{name}")')]


@function("timeFunction", "Transform", NAME, STEP, aliases=["time"], keeps=UNCHANGED)
def time_function(call: Call, name: str, step: int) -> SeriesList:
    """Time in epoch seconds, every step."""
    return [_by_time(call, name, step, [float(time) for time in _times(call, step)])]


@function(
    "sinFunction",
    "Transform",
    NAME,
    Param("amplitude", INTEGER_OR_FLOAT, default=1),
    STEP,
    aliases=["sin"],
    keeps=UNCHANGED,
)
def sin_function(call: Call, name: str, amplitude: float, step: int) -> SeriesList:
    """Sine of the time in epoch seconds, times an amplitude."""
    return [_by_time(call, name, step, [math.sin(time) * amplitude for time in _times(call, step)])]


@function("randomWalkFunction", "Special", NAME, STEP, aliases=["randomWalk"], keeps=UNCHANGED)
def random_walk(call: Call, name: str, step: int) -> SeriesList:
    """Random walk that begins at 0, with steps of up to 0.5 up or down."""
    values: ValueList = []
    at = 0.0
    for _ in _times(call, step):
        values.append(at)
        at += random.random() - 0.5  # noqa: S311 - not used for security
    return [_by_time(call, name, step, values)]


def _times(call: Call, step: int) -> Iterator[int]:
    if step < 1:
        raise BadRequestError(f"step is {step}, not at least 1 second")
    times = range(call.context.start, call.context.end, step)
    request_budget.current().take_points(len(times))
    return request_budget.timely(times)


def _by_time(call: Call, name: str, step: int, values: ValueList) -> TimeSeries:
    return call.computed(name, call.context.start, call.context.end, step, values)
