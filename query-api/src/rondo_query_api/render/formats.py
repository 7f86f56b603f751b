"""Series as JSON, CSV and Graphite's raw text."""

import csv
import io
import math
from datetime import datetime
from typing import Any

import orjson

from ..timeseries import TimeSeries
from .request import RenderRequest


def as_json(series_list: list[TimeSeries], request: RenderRequest) -> bytes:
    """``[{"target", "tags", "datapoints": [[value, epoch s], …]}, …]``; unknown, NaN and infinite are null."""
    shown = fewer_points(series_list, request.max_points) if request.max_points else series_list
    answer: list[dict[str, Any]] = []
    for series in shown:
        datapoints = list(zip(series.values, series.times, strict=False))
        if request.only_known:
            datapoints = [point for point in datapoints if point[0] is not None and not math.isnan(point[0])]
        if datapoints or not request.only_known:
            answer.append({"target": series.name, "tags": series.tags, "datapoints": datapoints})
    return dumps(answer, request.pretty)


def fewer_points(series_list: list[TimeSeries], max_points: int) -> list[TimeSeries]:
    """Series of no more than so many points over all their range, consolidated where they have more.

    Consolidated slots begin at multiples of their length, so that they stay the same when the range moves on.
    """
    if not series_list:
        return []
    span = max(series.end for series in series_list) - min(series.start for series in series_list)
    return [_consolidated(series, span, max_points) for series in series_list]


def _consolidated(series: TimeSeries, span: int, max_points: int) -> TimeSeries:
    if max_points == 1:
        return series.consolidated(len(series.values))
    if span / series.step <= max_points:
        return series
    per_point = math.ceil(span / series.step / max_points)
    length = per_point * series.step
    nudge = length + series.start % series.step - series.start % length
    lost = max(0, nudge // series.step - 1)
    return series.derived(values=series.values[lost:], start=series.start + nudge).consolidated(per_point)


def as_csv(series_list: list[TimeSeries], request: RenderRequest) -> str:
    """``name,local time,value`` a line; an unknown value is empty."""
    text = io.StringIO()
    writer = csv.writer(text, dialect="excel")
    for series in series_list:
        for n, value in enumerate(series.values):
            time = datetime.fromtimestamp(series.start + n * series.step, request.zone)
            writer.writerow((series.name, f"{time:%Y-%m-%d %H:%M:%S}", value))
    return text.getvalue()


def as_raw(series_list: list[TimeSeries], request: RenderRequest) -> str:
    """``name,start,end,step|v1,v2,…`` a line; an unknown value is None."""
    return "".join(
        f"{series.name},{series.start},{series.end},{series.step}|{','.join(map(repr, series.values))}\n"
        for series in series_list
    )


def dumps(answer: Any, pretty: bool = False) -> bytes:
    """JSON, on many lines if ``pretty``; whole numbers beyond 64 bits become floats."""
    option = orjson.OPT_INDENT_2 if pretty else None
    try:
        return orjson.dumps(answer, option=option)
    except orjson.JSONEncodeError:
        return orjson.dumps(_narrowed(answer), option=option)


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
