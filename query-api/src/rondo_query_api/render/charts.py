"""JSON for two chart libraries, Dygraphs and Rickshaw; unknown, NaN and infinite values are null."""

from typing import Any

from ..limits import request_budget
from ..timeseries import TimeSeries
from .formats import dumps
from .request import RenderRequest


def as_dygraph(series_list: list[TimeSeries], request: RenderRequest) -> bytes:
    """``{"labels": ["Time", name, …], "data": [[epoch ms, value, …], …]}``: one row for each time."""
    rows: dict[int, list[Any]] = {}
    for column, series in enumerate(series_list, 1):
        for value, time in zip(series.value_list, series.times, strict=False):
            if time not in rows:
                request_budget.current().take_points(len(series_list))
                rows[time] = [time * 1000] + [None] * len(series_list)
            rows[time][column] = value
    if not series_list:
        return dumps({})
    labels = ["Time", *(series.name for series in series_list)]
    return dumps({"labels": labels, "data": [rows[time] for time in sorted(rows)]}, request.pretty)


def as_rickshaw(series_list: list[TimeSeries], request: RenderRequest) -> bytes:
    """``[{"target", "datapoints": [{"x": epoch s, "y": value}, …]}, …]``."""
    response = [
        {
            "target": series.name,
            "datapoints": [
                {"x": time, "y": value} for value, time in zip(series.value_list, series.times, strict=False)
            ],
        }
        for series in series_list
    ]
    return dumps(response, request.pretty)
