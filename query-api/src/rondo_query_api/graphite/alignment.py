"""Series of different steps or starts, side by side.

The base crashes on different steps (its least common multiple is a float) and pairs the n-th values of series whatever
their times are. Here slots pair when they end together::

    10 s   | 10 | 20 | 30 | 40 | 50 | 60 | 70 | …    named by their ends
    60 s   |                          60 |      …    pairs with 10 … 60
"""

import math
from collections.abc import Sequence

from graphite_render import functions
from graphite_render.render.datalib import TimeSeries

Aligned = tuple[list[TimeSeries], int, int, int]


def align(series_lists: Sequence[Sequence[TimeSeries]]) -> Aligned:
    """All series, set to consolidate to their common step from one start on; then that start, the end and the step.

    Times are epoch seconds. Doing it again changes nothing.
    """
    every = [series for series_list in series_lists for series in series_list]
    step = math.lcm(*(series.step for series in every))
    mixed = any(series.step != step for series in every)
    # A common slot ends at a multiple of the step; series of one step may be off it (a window of odd length).
    start = min(_up(series.start, step) if mixed else series.start for series in every)
    for series in every:
        _start_with(series, start - step + series.step)
        series.consolidate(step // series.step)
    end = max(series.end for series in every)
    return every, start, start + math.ceil((end - start) / step) * step, step


def mend() -> None:
    """Make the base's functions use this."""
    functions.lcm = math.lcm
    functions.normalize = align


def _up(time: int, step: int) -> int:
    return -(-time // step) * step


def _start_with(series: TimeSeries, start: int) -> None:
    """Prepend the unknown slots that are missing since ``start``."""
    missing = max(0, (series.start - start) // series.step)
    series[:0] = [None] * missing
    series.start -= missing * series.step
