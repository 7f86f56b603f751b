"""How long a response stays fresh."""

from collections.abc import Sequence

import numpy as np

from ..timeseries import TimeSeries

MIN_SECONDS = 1


def seconds_fresh(series_list: Sequence[TimeSeries], now: int, max_seconds: int) -> int:
    """Seconds, 1 to ``max_seconds``, until a series may have a new value; ``now`` is epoch seconds.

    That is when the slot after the last known one ends::

        | known | known |  open |        fresh until the end of the open slot
                                 ^ now

    A slot that has ended but is still unknown may arrive at any moment: 1 second. A range that ends in the past stays
    fresh for ``max_seconds``, since only late points can change it. An empty response is fresh for 1 second, because a
    new series may appear.
    """
    if not series_list:
        return MIN_SECONDS
    return min(max(MIN_SECONDS, min(max_seconds, _due(series, now, max_seconds))) for series in series_list)


def _due(series: TimeSeries, now: int, max_seconds: int) -> int:
    if series.end + series.step < now:
        return max_seconds
    known = np.flatnonzero(~np.isnan(series.values))
    return series.start + (int(known[-1]) + 1) * series.step - now if len(known) else MIN_SECONDS
