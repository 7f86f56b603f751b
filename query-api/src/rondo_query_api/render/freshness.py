"""How long a response stays fresh."""

from collections.abc import Sequence

from ..timeseries import TimeSeries

MIN_SECONDS = 1
# Slots that ended this long ago are complete, unless points are late. A sum is known as soon as one of its series is.
SETTLED_S = 300


def seconds_fresh(series_list: Sequence[TimeSeries], now: int, max_seconds: int) -> int:
    """Seconds that a response may be cached: 1 where newer slots may change, else ``max_seconds``.

    ``now`` is epoch seconds. An empty response is fresh for 1 second, because a new series may appear.
    """
    newest = max((series.end + series.step for series in series_list), default=now)
    return max_seconds if newest + SETTLED_S < now else MIN_SECONDS
