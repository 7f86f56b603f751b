"""How long an answer stays true."""

from collections.abc import Sequence

from ..timeseries import TimeSeries, Values

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
    last = _last_known(series.values)
    return SHORTEST if last is None else series.start + (last + 1) * series.step - now


def _last_known(values: Values) -> int | None:
    return next((n for n in range(len(values) - 1, -1, -1) if values[n] is not None), None)
