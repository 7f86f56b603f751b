"""Alignment of series with different steps or starts.

Slots pair when they end together::

    10 s   | 10 | 20 | 30 | 40 | 50 | 60 | 70 | …    named by their ends
    60 s   |                          60 |      …    pairs with 10 … 60
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..limits import request_budget
from ..timeseries import TimeSeries


@dataclass(frozen=True)
class Aligned:
    """Series with the same start and step, and the time after the last slot of the longest one; epoch seconds."""

    series: list[TimeSeries]
    start: int
    end: int
    step: int


def align(series_list: Sequence[TimeSeries]) -> Aligned:
    """Consolidate all series, at least one, to their common step, with a common start."""
    step = math.lcm(*(series.step for series in series_list))
    mixed = any(series.step != step for series in series_list)
    # A common slot ends at a multiple of the step; series with equal steps may be off it (a window of odd length).
    start = min(_up(series.start, step) if mixed else series.start for series in series_list)
    every = [
        _renamed(_starting(series, start - step + series.step).consolidated(step // series.step), start)
        for series in series_list
    ]
    end = max(series.end for series in every)
    return Aligned(every, start, start + math.ceil((end - start) / step) * step, step)


def _up(time: int, step: int) -> int:
    return -(-time // step) * step


def _renamed(series: TimeSeries, start: int) -> TimeSeries:
    """Copy whose first slot is named ``start``."""
    return series if series.start == start else replace(series, start=start)


def _starting(series: TimeSeries, start: int) -> TimeSeries:
    """Copy with unknown slots added in front, from ``start`` on."""
    missing = max(0, (series.start - start) // series.step)
    if not missing:
        return series
    request_budget.current().take_points(missing)
    values = np.concatenate((np.full(missing, np.nan), series.values))
    return replace(series, values=values, start=series.start - missing * series.step)
