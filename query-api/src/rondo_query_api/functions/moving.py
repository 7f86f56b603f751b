"""Moving windows; each window ends with the point at which its result is shown."""

import math
from dataclasses import replace
from itertools import islice

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ..intervals import seconds
from ..limits import request_budget
from ..reductions import Values, reduce_columns
from ..timeseries import TimeSeries, ValueList
from .aggregates import aggregate, canonical, is_enough
from .call import Call
from .catalogue import SERIES, Param, function
from .keeping import CHANGED
from .types import AGGREGATE, FLOAT, INTEGER, POINTS_OR_INTERVAL

SeriesList = list[TimeSeries]
WINDOW = Param(
    "windowSize",
    POINTS_OR_INTERVAL,
    required=True,
    suggestions=(5, 7, 10, "1min", "5min", "10min", "30min", "1hour"),
)
X_FILES_FACTOR = Param("xFilesFactor", FLOAT)
# Aggregates that ignore unknown values within a window, unlike elsewhere.
OF_KNOWN = {"avg_zero": "average", "multiply": "product"}
CELLS_AT_ONCE = 1_000_000  # values of all windows in one call of NumPy


def _preview(series_list: SeriesList, window: int | str) -> int:
    """Seconds before the range that the first window needs."""
    return abs(seconds(window)) if isinstance(window, str) else max(series.step for series in series_list) * window


def _points(series: TimeSeries, window: int | str, preview: int) -> int:
    return preview // series.step if isinstance(window, str) else window


def _previewed(call: Call, window: int | str, preview: int) -> SeriesList:
    """Read the series again with one window of their own step before the range; ``start`` is that of the range.

    ::

        60 s, 2 points   |     ?     |     ?     | range
        30 s, 2 points               |  ?  |  ?  | range
    """
    return [
        replace(
            series,
            start=series.start + preview,
            values=series.values[max(0, preview // series.step - _points(series, window, preview)) :],
        )
        for series in call.again(start=call.context.start - preview)
    ]


def _shown(window: int | str) -> str:
    return f'"{window}"' if isinstance(window, str) else str(window)


@function(
    "movingWindow",
    "Calculate",
    SERIES,
    WINDOW,
    Param("func", AGGREGATE, default="average"),
    X_FILES_FACTOR,
    keeps=CHANGED,
)
def moving_window(
    call: Call, series_list: SeriesList, window: int | str, func: str, x_files_factor: float | None
) -> SeriesList:
    """Aggregate of the known values of each window, which is a number of points or an interval."""
    if not series_list:
        return []
    preview = _preview(series_list, window)
    tag = "moving" + func.capitalize()

    def moved(series: TimeSeries) -> TimeSeries:
        min_known_share = series.x_files_factor if x_files_factor is None else x_files_factor
        values = _in_parts(series.values, _points(series, window, preview), func, min_known_share)
        name = f"{tag}({series.name},{_shown(window)})"
        return series.derived(name, values, {tag: window})

    return [moved(series) for series in _previewed(call, window, preview)]


def _in_parts(values: Values, points: int, func: str, min_known_share: float) -> Values:
    """Like :func:`_windows`, in parts that fit into memory; the request's time is checked before each part."""
    at_once = max(1, CELLS_AT_ONCE // max(1, points))
    parts: list[Values] = []
    for begin in range(0, max(1, len(values) - points), at_once):
        request_budget.current().seconds_left()
        parts.append(_windows(values[begin : begin + at_once + points], points, func, min_known_share))
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _windows(values: Values, points: int, func: str, min_known_share: float) -> Values:
    """Aggregate of the known values of each ``points`` consecutive values, from the second value on."""
    if len(values) <= points or not points:
        return np.full(max(0, len(values) - points), np.nan)
    name = OF_KNOWN.get(canonical(func), canonical(func))
    # A column for each window, without a copy. NumPy's sliding_window_view takes five times as long to describe it.
    windows = as_strided(values[1:], (points, len(values) - points), values.strides * 2, writeable=False)
    return reduce_columns(name, windows, min_known_share)


def _moving(name: str, func: str, description: str) -> None:
    def implementation(
        call: Call, series_list: SeriesList, window: int | str, x_files_factor: float | None
    ) -> SeriesList:
        return moving_window(call, series_list, window, func, x_files_factor)

    implementation.__doc__ = description
    function(name, "Calculate", SERIES, WINDOW, X_FILES_FACTOR, keeps=CHANGED)(implementation)


_moving("movingAverage", "average", "Mean of each window, a number of points or a length of time.")
_moving("movingMedian", "median", "Median of each window, a number of points or a length of time.")
_moving("movingSum", "sum", "Sum of each window, a number of points or a length of time.")
_moving("movingMin", "min", "Least value of each window, a number of points or a length of time.")
_moving("movingMax", "max", "Greatest value of each window, a number of points or a length of time.")


@function("exponentialMovingAverage", "Calculate", SERIES, WINDOW, keeps=CHANGED)
def exponential_moving_average(call: Call, series_list: SeriesList, window: int | str) -> SeriesList:
    """Exponential moving average, starting with the mean of one window before the range."""
    if not series_list:
        return []
    preview = _preview(series_list, window)
    weight = 2.0 / ((preview if isinstance(window, str) else window) + 1)

    def averaged(series: TimeSeries) -> TimeSeries:
        points = _points(series, window, preview)
        average = aggregate("average", series.values[:points]) or 0.0
        values: ValueList = [round(average, 6)]
        for value in islice(series.value_list, points, None):
            if value is not None:
                average = weight * value + (1 - weight) * average
            values.append(None if value is None else round(average, 6))
        name = f"exponentialMovingAverage({series.name},{_shown(window)})"
        return series.derived(name, values, {"exponentialMovingAverage": window})

    return [averaged(series) for series in _previewed(call, window, preview)]


@function(
    "stdev",
    "Calculate",
    SERIES,
    Param("points", INTEGER, required=True),
    Param("windowTolerance", FLOAT, default=0.1),
    keeps=CHANGED,
)
def stdev(series_list: SeriesList, points: int, window_tolerance: float) -> SeriesList:
    """Standard deviation of the last points, if at least this share of them is known."""

    def deviations(values: ValueList) -> ValueList:
        """Running sums, as in Graphite: nearly equal numbers lose digits."""
        count, total, squares = 0, 0.0, 0.0
        found: ValueList = []
        for n, value in enumerate(values):
            dropped = values[n - points] if n >= points else None
            if dropped is not None:
                count, total, squares = count - 1, total - dropped, squares - dropped**2
            if value is not None:
                count, total, squares = count + 1, total + value, squares + value**2
            spread = count * squares - total**2
            enough = is_enough(count, points, window_tolerance) and spread >= 0
            found.append(math.sqrt(spread) / count if enough else None)
        return found

    return [
        series.derived(f"stdev({series.name},{points})", deviations(series.value_list), {"stdev": points})
        for series in series_list
    ]
