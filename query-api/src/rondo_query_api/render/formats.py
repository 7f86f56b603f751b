"""Series as JSON, CSV and Graphite's raw text."""

import csv
import io
from collections.abc import Iterable
from datetime import datetime
from typing import Any

import orjson

from ..graphite import TimeSeries, prune_datapoints
from ..graphite.store import tags_of
from .request import RenderRequest

Datapoint = tuple[float | None, int]


def as_json(series_list: list[TimeSeries], request: RenderRequest) -> bytes:
    """``[{"target", "tags", "datapoints": [[value, epoch s], …]}, …]``; unknown, NaN and infinite are null."""
    if request.max_points is not None and series_list:
        start = min(series.start for series in series_list)
        end = max(series.end for series in series_list)
        points = [prune_datapoints(series, request.max_points, start, end)["datapoints"] for series in series_list]
    else:
        points = [_datapoints(series) for series in series_list]
    answer = [
        {"target": series.name, "tags": tags_of(series), "datapoints": list(datapoints)}
        for series, datapoints in zip(series_list, points, strict=True)
    ]
    if request.only_known:
        answer = [{**each, "datapoints": [point for point in each["datapoints"] if _known(point)]} for each in answer]
        answer = [each for each in answer if each["datapoints"]]
    return dumps(answer)


def as_csv(series_list: list[TimeSeries], request: RenderRequest) -> str:
    """``name,local time,value`` a line; an unknown value is empty."""
    text = io.StringIO()
    writer = csv.writer(text, dialect="excel")
    for series in series_list:
        for value, time in _datapoints(series):
            writer.writerow((series.name, f"{datetime.fromtimestamp(time, request.zone):%Y-%m-%d %H:%M:%S}", value))
    return text.getvalue()


def as_raw(series_list: list[TimeSeries]) -> str:
    """``name,start,end,step|v1,v2,…`` a line; an unknown value is None."""
    return "".join(
        f"{series.name},{series.start},{series.end},{series.step}|{','.join(map(repr, series))}\n"
        for series in series_list
    )


def dumps(answer: Any) -> bytes:
    """JSON; whole numbers beyond 64 bits become floats."""
    try:
        return orjson.dumps(answer)
    except orjson.JSONEncodeError:
        return orjson.dumps(_narrowed(answer))


def _datapoints(series: TimeSeries) -> Iterable[Datapoint]:
    return ((value, series.start + n * series.step) for n, value in enumerate(series))


def _known(point: Datapoint) -> bool:
    return point[0] is not None


def _narrowed(value: Any) -> Any:
    match value:
        case dict():
            return {key: _narrowed(each) for key, each in value.items()}
        case list() | tuple():
            return [_narrowed(each) for each in value]
        case int() if not -(2**63) <= value < 2**64:
            return _as_float(value)
        case _:
            return value


def _as_float(number: int) -> float:
    try:
        return float(number)
    except OverflowError:
        return float("inf")
