"""Aggregates over intervals: summarize, smartSummarize, hitcount."""

from datetime import datetime, timedelta
from math import ceil

import numpy as np

from ..errors import BadRequestError
from ..fetch.archives import WMEAN
from ..intervals import UNIT_NAMES, seconds, unit
from ..limits import request_budget
from ..reductions import Values, reduce_columns
from ..timeseries import TimeSeries, ValueList
from .aggregates import canonical
from .call import Call
from .catalogue import SERIES, Param, function
from .keeping import Keeps, KeepsBy, reduced
from .types import AGGREGATE, BOOLEAN, INTERVAL, STRING, Type

SeriesList = list[TimeSeries]
DAY, HOUR, MINUTE = 86_400, 3600, 60
INTERVAL_STRING = Param("intervalString", INTERVAL, required=True, suggestions=("10min", "1h", "1d"))
FUNCTION = Param("func", AGGREGATE, default="sum")


def _unit_or_flag(value: object) -> str | None:
    """Unit of time to align to; None for true and false, which older versions accepted."""
    if isinstance(value, bool):
        return None
    if not isinstance(value, str):
        raise TypeError
    unit(value)
    return value


ALIGN_TO = Type(STRING.name, _unit_or_flag, "a unit of time", (None, True, False, *UNIT_NAMES.values()))


def bucketed(series: TimeSeries, func: str, interval: int, start: int, end: int) -> tuple[Values, int]:
    """Aggregate of each interval (seconds) from ``start`` until past ``end``, and the end of the last interval."""
    stored = series.values[: len(range(series.start, series.end, series.step))]
    request_budget.current().take_points(len(range(start, end, interval)))
    edges = np.arange(start, end + interval, interval)[: len(range(start, end, interval)) + 1]
    bounds = np.clip(-((series.start - edges) // series.step), 0, len(stored))
    first, last = bounds[:-1], bounds[1:]
    rows = first + np.arange((last - first).max(initial=0))[:, np.newaxis]
    padded = np.append(stored, np.nan)
    matrix = padded[np.where(rows < last, rows, len(stored))]
    values = reduce_columns(canonical(func), matrix, series.x_files_factor, last - first, interval / series.step)
    return values, start + len(values) * interval


@function(
    "summarize",
    "Transform",
    SERIES,
    INTERVAL_STRING,
    FUNCTION,
    Param("alignToFrom", BOOLEAN, default=False),
    keeps=KeepsBy("func", reduced),
)
def summarize(series_list: SeriesList, interval_string: str, func: str, align_to_from: bool) -> SeriesList:
    """Aggregate of each interval; intervals begin at multiples of their length, or with the series."""
    interval = _length("summarize", interval_string)
    suffix = ", true" if align_to_from else ""

    def summarized(series: TimeSeries) -> TimeSeries:
        start = series.start if align_to_from else series.start - series.start % interval
        end = series.end if align_to_from else series.end - series.end % interval + interval
        values, last_end = bucketed(series, func, interval, start, end)
        return series.derived(
            f'summarize({series.name}, "{interval_string}", "{func}"{suffix})',
            values,
            {"summarize": interval_string, "summarizeFunction": func},
            start=start,
            end=last_end if align_to_from else end,
            step=interval,
        )

    return [summarized(series) for series in series_list]


@function(
    "smartSummarize",
    "Transform",
    SERIES,
    INTERVAL_STRING,
    FUNCTION,
    Param("alignTo", ALIGN_TO),
    keeps=KeepsBy("func", reduced),
)
def smart_summarize(
    call: Call, series_list: SeriesList, interval_string: str, func: str, align_to: str | None
) -> SeriesList:
    """Aggregate of each interval from the start of the request on, or of the year, month, … hour that contains it."""
    interval = _length("smartSummarize", interval_string)
    if align_to is not None:
        start = datetime.fromtimestamp(call.context.start, call.context.zone)
        series_list = call.again(start=int(_begin_of(start, align_to).timestamp()))

    def summarized(series: TimeSeries) -> TimeSeries:
        values, end = bucketed(series, func, interval, series.start, series.end)
        name = f'smartSummarize({series.name}, "{interval_string}", "{func}")'
        tags = {"smartSummarize": interval_string, "smartSummarizeFunction": func}
        return series.derived(name, values, tags, end=end, step=interval)

    return [summarized(series) for series in series_list]


def _begin_of(time: datetime, align_to: str) -> datetime:
    """Beginning of the unit that contains the time; a week begins with the day of that number, 1 for Monday."""
    midnight = time.replace(hour=0, minute=0, second=0, microsecond=0)
    first = int(align_to[-1]) if align_to[-1].isdigit() else 1
    begins = {
        "y": midnight.replace(month=1, day=1),
        "mon": midnight.replace(day=1),
        "w": midnight - timedelta(days=(time.isoweekday() - first) % 7),
        "d": midnight,
        "h": time.replace(minute=0, second=0, microsecond=0),
        "min": time.replace(second=0, microsecond=0),
        "s": time.replace(microsecond=0),
    }
    return begins[unit(align_to)]


@function(
    "hitcount",
    "Transform",
    SERIES,
    INTERVAL_STRING,
    Param("alignToInterval", BOOLEAN, default=False),
    keeps=Keeps(frozenset({WMEAN}), finest=True),
)
def hitcount(call: Call, series_list: SeriesList, interval_string: str, align_to_interval: bool) -> SeriesList:
    """Number of hits in each interval, for series whose values are hits per second."""
    interval = _length("hitcount", interval_string)
    if align_to_interval:
        start = datetime.fromtimestamp(call.context.start, call.context.zone)
        for length, align_to in ((DAY, "days"), (HOUR, "hours"), (MINUTE, "minutes")):
            if interval >= length:
                start = _begin_of(start, align_to)
                break
        series_list = [
            series.derived(end=series.start + ((series.end - series.start) // interval + 1) * interval)
            for series in call.again(start=int(start.timestamp()))
        ]
    suffix = ", true" if align_to_interval else ""

    def counted(series: TimeSeries) -> TimeSeries:
        count = ceil((series.end - series.start) / interval)
        begin = series.end - count * interval
        name = f'hitcount({series.name}, "{interval_string}"{suffix})'
        hits = _hits(series, begin, count, interval)
        return series.derived(name, hits, {"hitcount": interval_string}, start=begin, step=interval)

    return [counted(series) for series in series_list]


def _hits(series: TimeSeries, begin: int, count: int, interval: int) -> ValueList:
    """Value times seconds, for the part of each slot that lies in each of ``count`` intervals from ``begin`` on."""
    request_budget.current().take_points(count)
    hits: ValueList = [None] * count
    for n, value in enumerate(series.value_list):
        at = series.start + n * series.step
        slot_end = min(at + series.step, begin + count * interval)
        while value is not None and at < slot_end:
            bucket = (at - begin) // interval
            bucket_end = begin + (bucket + 1) * interval
            part = min(slot_end, bucket_end) - at
            if bucket >= 0:
                hits[bucket] = (hits[bucket] or 0.0) + value * part
            at += part
    return hits


def _length(name: str, interval: str) -> int:
    length = seconds(interval)
    if length <= 0:
        raise BadRequestError(f"{name}: intervalString is {interval!r}, not longer than 0 s")
    return length
