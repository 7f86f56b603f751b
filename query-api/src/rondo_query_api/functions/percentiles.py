"""Percentiles of values, and across series."""

import math
from collections.abc import Iterable
from itertools import zip_longest

from ..errors import BadRequestError
from ..timeseries import TimeSeries
from .aggregates import aggregate
from .alignment import align
from .call import Call
from .catalogue import SERIES, Param, function
from .keeping import CHANGED, EACH_TIME, INSPECTED
from .types import BOOLEAN, FLOAT

SeriesList = list[TimeSeries]
PERCENT = Param("n", FLOAT, required=True)


def percentile(values: Iterable[float | None], n: float, interpolate: bool = False) -> float | None:
    """The n-th percentile of the known values, None if there are none.

    It is the value at rank n/100 of their number plus one, rounded up; or interpolated between the adjacent ranks.
    """
    ordered = sorted(value for value in values if value is not None)
    if not ordered:
        return None
    exact = n / 100.0 * (len(ordered) + 1)
    rank = math.floor(exact) if interpolate else math.ceil(exact)
    value = ordered[min(max(rank, 1), len(ordered)) - 1]
    if interpolate and 0 <= rank < len(ordered):
        return value + (exact - rank) * (ordered[rank] - value)
    return value


@function(
    "percentileOfSeries", "Combine", SERIES, PERCENT, Param("interpolate", BOOLEAN, default=False), keeps=EACH_TIME
)
def percentile_of_series(call: Call, series_list: SeriesList, n: float, interpolate: bool) -> SeriesList:
    """The n-th percentile of the series' values at each time."""
    if n <= 0:
        raise BadRequestError(f"percentileOfSeries: n is {n:g}, not greater than 0")
    if not series_list:
        return []
    aligned = align(series_list)
    rows = zip_longest(*(series.value_list for series in aligned.series))
    values = [percentile(row, n, interpolate) for row in rows]
    name = f"percentileOfSeries({series_list[0].path},{n:g})"
    return [call.computed(name, aligned.start, aligned.end, aligned.step, values, series_list[0].path_nodes)]


@function("nPercentile", "Calculate", SERIES, PERCENT, keeps=CHANGED)
def n_percentile(series_list: SeriesList, n: float) -> SeriesList:
    """The n-th percentile of each series as a line; a series without known values is omitted."""
    if not n:
        raise BadRequestError("nPercentile: n is 0, not greater than 0")
    return [
        series.derived(
            f"nPercentile({series.name}, {n:g})",
            [percentile(series.value_list, n)] * ((series.end - series.start) // series.step),
            {"nPercentile": n},
        )
        for series in series_list
        if len(series.known)
    ]


@function("averageOutsidePercentile", "Filter Series", SERIES, PERCENT, keeps=INSPECTED)
def average_outside_percentile(series_list: SeriesList, n: float) -> SeriesList:
    """Series whose average is outside of the percentiles 100 - n and n of all averages."""
    n = max(n, 100 - n)
    averages = [aggregate("average", series.values) for series in series_list]
    low, high = percentile(averages, 100 - n), percentile(averages, n)
    return [
        series
        for series, average in zip(series_list, averages, strict=True)
        if average is not None and low is not None and high is not None and not low < average < high
    ]


@function("removeBetweenPercentile", "Filter Series", SERIES, PERCENT, keeps=INSPECTED)
def remove_between_percentile(series_list: SeriesList, n: float) -> SeriesList:
    """Series with a value outside of the percentiles 100 - n and n of all series at that time."""
    n = max(n, 100 - n)
    columns = list(zip(*(series.value_list for series in series_list), strict=False))
    bands = [(percentile(column, 100 - n), percentile(column, n)) for column in columns]

    def leaves(series: TimeSeries) -> bool:
        return any(
            value is not None and low is not None and high is not None and not low < value < high
            for value, (low, high) in zip(series.value_list, bands, strict=False)
        )

    return [series for series in series_list if leaves(series)]
