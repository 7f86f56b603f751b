"""How long an answer stays true."""

from collections.abc import Sequence

import numpy as np

from ..timeseries import TimeSeries

SHORTEST = 1


def seconds_true(series_list: Sequence[TimeSeries], now: int, longest: int) -> int:
    """Seconds until a series of the answer may have a new value, from 1 to ``longest``; ``now`` is epoch seconds.

    That is when the slot after its last known one ends::

        | known | known |  open |        kept until the end of the open slot
                             ^ now

    A slot that has ended and is not there yet may come at any moment: 1 second. What ends before the present is kept
    for the longest time, as nothing comes there but what is late; where nothing is found something new may come.
    """
    if not series_list:
        return SHORTEST
    return min(max(SHORTEST, min(longest, _due(series, now, longest))) for series in series_list)


def _due(series: TimeSeries, now: int, longest: int) -> int:
    if series.end + series.step < now:
        return longest
    known = np.flatnonzero(~np.isnan(series.values))
    return series.start + (int(known[-1]) + 1) * series.step - now if len(known) else SHORTEST
