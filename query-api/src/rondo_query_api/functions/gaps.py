"""Treatment of unknown values, and functions that make values unknown."""

from collections.abc import Mapping
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from ..fetch.archives import MAX, MIN
from ..reductions import Values
from ..timeseries import TimeSeries, ValueList, ValuesLike
from .buckets import bucketed
from .catalogue import SERIES, Param, function
from .keeping import CHANGED, INSPECTED, Keeps
from .percentiles import percentile
from .types import FLOAT, INTEGER_OR_INFINITE, SERIES_LIST

SeriesList = list[TimeSeries]
LIMIT = Param("limit", INTEGER_OR_INFINITE, default=float("inf"))
BOUND = Param("n", FLOAT, required=True)


def _runs(values: ValueList) -> list[tuple[int, int]]:
    """Runs of unknown values: index of the first, and of the first known one after the run."""
    runs = []
    at = 0
    for unknown, run in groupby(values, lambda value: value is None):
        length = len(list(run))
        if unknown:
            runs.append((at, at + length))
        at += length
    return runs


def _with(series: TimeSeries, name: str, values: ValuesLike, tags: Mapping[str, object] | None = None) -> TimeSeries:
    """Copy with other gaps; its values remain of the same kind."""
    return series.derived(name, values, tags, aggregate=series.aggregate)


@function("keepLastValue", "Transform", SERIES, LIMIT, keeps=INSPECTED)
def keep_last_value(series_list: SeriesList, limit: float) -> SeriesList:
    """Fill unknown values with the last known value, in runs of at most ``limit``."""

    def kept(values: ValueList) -> ValueList:
        filled = list(values)
        for first, end in _runs(values):
            if first > 0 and end - first <= limit:
                filled[first:end] = [values[first - 1]] * (end - first)
        return filled

    return [_with(series, f"keepLastValue({series.name})", kept(series.value_list)) for series in series_list]


@function("interpolate", "Transform", SERIES, LIMIT, keeps=INSPECTED)
def interpolate(series_list: SeriesList, limit: float) -> SeriesList:
    """Fill unknown values by linear interpolation, in runs of at most ``limit``."""

    def interpolated(values: ValueList) -> ValueList:
        filled = list(values)
        for first, end in _runs(values):
            if first > 0 and end < len(values) and end - first <= limit:
                before, after = values[first - 1] or 0.0, values[end] or 0.0
                for n in range(first, end):
                    filled[n] = before + (n - first + 1) * (after - before) / (end - first + 1)
        return filled

    return [_with(series, f"interpolate({series.name})", interpolated(series.value_list)) for series in series_list]


@function(
    "transformNull",
    "Transform",
    SERIES,
    Param("default", FLOAT, default=0),
    Param("referenceSeries", SERIES_LIST),
    keeps=INSPECTED,
)
def transform_null(series_list: SeriesList, default: float, reference: SeriesList | None) -> SeriesList:
    """Replace unknown values by a default; with reference series, only where one of these is known."""
    name = f"transformNull({{}},{default:g}{',referenceSeries' if reference else ''})"
    tags = {"transformNull": default} | ({"referenceSeries": 1} if reference else {})

    def transformed(series: TimeSeries) -> Values:
        replaced = np.isnan(series.values)
        if reference:
            replaced &= np.logical_or.reduce([_known_within(series, each) for each in reference])
        return np.where(replaced, default, series.values)

    return [_with(series, name.replace("{}", series.name), transformed(series), tags) for series in series_list]


def _known_within(series: TimeSeries, reference: TimeSeries) -> NDArray[np.bool_]:
    """Whether the reference is known at a time within each slot of the series; slots may differ in length.

    ::

        60 s   |       ?       |       ?       |       ?       |
        20 s   |  ?  |  ?  |  ?  |  5  |  ?  |  ?  |  ?  |  ?  |  7  |
                     no                yes              yes
    """
    slots = series.start + np.arange(len(series.values)) * series.step
    known = reference.start + np.flatnonzero(~np.isnan(reference.values)) * reference.step
    first = np.searchsorted(known, slots - series.step, side="right")
    return first < np.searchsorted(known, slots + reference.step, side="left")


@function("isNonNull", "Transform", SERIES, keeps=CHANGED)
def is_non_null(series_list: SeriesList) -> SeriesList:
    """1 where a value is known, else 0."""
    return [
        series.derived(
            f"isNonNull({series.name})", [int(value is not None) for value in series.value_list], {"isNonNull": 1}
        )
        for series in series_list
    ]


@function("compressPeriodicGaps", "Transform", SERIES, keeps=INSPECTED)
def compress_periodic_gaps(series_list: SeriesList) -> SeriesList:
    """Series with a value only every n-th slot get a step of n slots, without the gaps."""
    return [_compressed(series.derived(f"compressPeriodicGaps({series.name})")) for series in series_list]


def _compressed(series: TimeSeries) -> TimeSeries:
    """The third value confirms the period between the first two; 0 and the first slot do not count."""
    values = series.value_list
    seen = [n for n, value in enumerate(values) if value and n > 0][:2]
    period = seen[1] - seen[0] if len(seen) > 1 else 0
    third = seen[1] + period if period else 0
    if period <= 1 or third > len(values) - 2 or not values[third]:
        return series
    if values[third - 1] is not None or values[third + 1] is not None:
        return series
    step, start = period * series.step, series.start + seen[0] * series.step
    compressed, _ = bucketed(series, "last", step, start, series.end)
    end = start + step * (len(compressed) - 1)
    return series.derived(values=compressed, start=start, end=end, step=step, aggregate=series.aggregate)


@function("removeAboveValue", "Filter Data", SERIES, BOUND, keeps=Keeps(frozenset({MIN})))
def remove_above_value(series_list: SeriesList, n: float) -> SeriesList:
    """Values above ``n`` become unknown."""
    return [_kept(series, f"removeAboveValue({{}}, {n:g})", most=n) for series in series_list]


@function("removeBelowValue", "Filter Data", SERIES, BOUND, keeps=Keeps(frozenset({MAX})))
def remove_below_value(series_list: SeriesList, n: float) -> SeriesList:
    """Values below ``n`` become unknown."""
    return [_kept(series, f"removeBelowValue({{}}, {n:g})", least=n) for series in series_list]


@function("removeAbovePercentile", "Filter Data", SERIES, BOUND, keeps=CHANGED)
def remove_above_percentile(series_list: SeriesList, n: float) -> SeriesList:
    """Values above the n-th percentile of their series become unknown."""
    return [
        _kept(_with_percentile(series, n), f"removeAbovePercentile({{}}, {n:g})", most=percentile(series.value_list, n))
        for series in series_list
    ]


@function("removeBelowPercentile", "Filter Data", SERIES, BOUND, keeps=CHANGED)
def remove_below_percentile(series_list: SeriesList, n: float) -> SeriesList:
    """Values below the n-th percentile of their series become unknown."""
    return [
        _kept(
            _with_percentile(series, n), f"removeBelowPercentile({{}}, {n:g})", least=percentile(series.value_list, n)
        )
        for series in series_list
    ]


def _with_percentile(series: TimeSeries, n: float) -> TimeSeries:
    return series.derived(tags={"nPercentile": n}) if len(series.known) else series


def _kept(series: TimeSeries, name: str, least: float | None = None, most: float | None = None) -> TimeSeries:
    def outside(value: float) -> bool:
        return (least is not None and value < least) or (most is not None and value > most)

    values = [None if value is None or outside(value) else value for value in series.value_list]
    return _with(series, name.replace("{}", series.name), values)
