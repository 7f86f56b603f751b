"""Differences between values, and sums of them."""

from collections.abc import Mapping

import numpy as np

from ..errors import BadRequestError
from ..intervals import seconds
from ..reductions import Values, round_values
from ..timeseries import TimeSeries, ValueList, ValuesLike
from .call import Call
from .catalogue import SERIES, Param, function
from .keeping import CHANGED
from .types import FLOAT, INTEGER, STRING

SeriesList = list[TimeSeries]
BOUNDS = (Param("maxValue", FLOAT), Param("minValue", FLOAT))


def _named(series: TimeSeries, name: str, values: ValuesLike, tags: Mapping[str, object]) -> TimeSeries:
    return series.derived(name.replace("{}", series.name), values, tags)


@function("derivative", "Transform", SERIES, keeps=CHANGED)
def derivative(series_list: SeriesList) -> SeriesList:
    """Difference of each value from the previous one."""
    return [
        _named(series, "derivative({})", series.values - _before(series.values), {"derivative": 1})
        for series in series_list
    ]


def _before(values: Values) -> Values:
    return np.concatenate(([np.nan], values[:-1]))[: len(values)]


@function("nonNegativeDerivative", "Transform", SERIES, *BOUNDS, keeps=CHANGED)
def non_negative_derivative(series_list: SeriesList, max_value: float | None, min_value: float | None) -> SeriesList:
    """Increase of a counter since the previous value; unknown where it decreases, unless it wraps or restarts.

    It wraps from ``maxValue`` to ``minValue`` or 0; without ``maxValue`` it restarts at ``minValue``. Values outside
    these bounds are unknown.
    """
    return [
        _named(
            series,
            "nonNegativeDerivative({})",
            _growth(series.values, max_value, min_value),
            {"nonNegativeDerivative": 1},
        )
        for series in series_list
    ]


@function("perSecond", "Transform", SERIES, *BOUNDS, keeps=CHANGED)
def per_second(series_list: SeriesList, max_value: float | None, min_value: float | None) -> SeriesList:
    """Increase of a counter per second, rounded to six decimals; it wraps as in nonNegativeDerivative."""
    return [
        _named(
            series,
            "perSecond({})",
            round_values(_growth(series.values, max_value, min_value) / series.step, 6),
            {"perSecond": 1},
        )
        for series in series_list
    ]


def _growth(values: Values, most: float | None, least: float | None) -> Values:
    too_much = np.inf if most is None else most
    too_little = -np.inf if least is None else least
    inside = np.where((values > too_much) | (values < too_little), np.nan, values)
    before = _before(inside)
    wrapped = np.full(len(values), np.nan)
    if most is not None:
        wrapped = most + 1 + inside - before - (least or 0)
    elif least is not None:
        wrapped = inside - least + 0 * before
    return np.where(inside < before, wrapped, inside - before)


@function("integral", "Transform", SERIES, keeps=CHANGED)
def integral(series_list: SeriesList) -> SeriesList:
    """Cumulative sum of the values."""
    return [
        _named(series, "integral({})", np.nancumsum(series.values) + 0 * series.values, {"integral": 1})
        for series in series_list
    ]


@function("integralByInterval", "Transform", SERIES, Param("intervalUnit", STRING, required=True), keeps=CHANGED)
def integral_by_interval(call: Call, series_list: SeriesList, interval_unit: str) -> SeriesList:
    """Cumulative sum of the values, restarted with each interval from the request's start on."""
    interval = _positive_seconds(interval_unit)

    def sums(series: TimeSeries) -> ValueList:
        total = 0.0
        totals: ValueList = []
        for n, value in enumerate(series.value_list):
            since = series.start + n * series.step - call.context.start
            if since // interval != (since - series.step) // interval:
                total = 0.0
            total += value or 0.0
            totals.append(total)
        return totals

    name = f"integralByInterval({{}},'{interval_unit}')"
    return [_named(series, name, sums(series), {"integralByInterval": interval_unit}) for series in series_list]


def _positive_seconds(interval: str) -> int:
    try:
        length = abs(seconds(interval))
    except ValueError as e:
        raise BadRequestError(f"integralByInterval: intervalUnit: {e}") from e
    if not length:
        raise BadRequestError(f"integralByInterval: intervalUnit is {interval!r}, not longer than 0 s")
    return length


@function("delay", "Transform", SERIES, Param("steps", INTEGER, required=True), keeps=CHANGED)
def delay(series_list: SeriesList, steps: int) -> SeriesList:
    """Values shifted by this many steps, to earlier ones if negative; values outside of the range are lost."""

    def moved(values: ValueList) -> ValueList:
        unknown: ValueList = [None] * min(abs(steps), len(values))
        return unknown + values[: len(values) - len(unknown)] if steps >= 0 else values[-steps:] + unknown

    return [
        series.derived(
            f"delay({series.name},{steps})",
            moved(series.value_list),
            {"delay": steps},
            aggregate=series.aggregate,
        )
        for series in series_list
    ]
