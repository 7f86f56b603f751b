"""Estimates of a response's size, before it is written: names are counted, and each point as its usual text."""

from ..timeseries import TimeSeries
from .request import RenderRequest

# Bytes of a point: of its text where a format is streamed, of its objects where the whole response is buffered.
STREAMED = {"json": 20, "csv": 30, "raw": 20}
BUFFERED = 100


def estimate(series_list: list[TimeSeries], request: RenderRequest) -> int:
    """Bytes of the response."""
    point = BUFFERED if request.is_buffered else STREAMED[request.format]
    repeats_name = request.format == "csv"  # on each line
    return sum(
        len(series.name) * (points if repeats_name else 2) + points * point
        for series, points in ((series, points_of(series, request)) for series in series_list)
    )


def points_of(series: TimeSeries, request: RenderRequest) -> int:
    """Points of the series in the response, at most."""
    fewer = request.max_points if request.format == "json" else None
    return min(len(series.values), fewer or len(series.values))
