"""Series as JSON, CSV and Graphite's raw text."""

import csv
import io
import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from ..limits import request_budget
from ..timeseries import TimeSeries
from .request import RenderRequest

# Values that are written together: bounds the time that other threads wait, and the length of the text.
VALUES_AT_ONCE = 10_000


def as_json(series_list: list[TimeSeries], request: RenderRequest) -> bytes:
    """``[{"target", "tags", "datapoints": [[value, epoch s], …]}, …]``; unknown and infinite values are null."""
    response = b"".join(json_parts(series_list, request))
    return dumps(orjson.loads(response), pretty=True) if request.pretty else response


def json_parts(series_list: list[TimeSeries], request: RenderRequest) -> Iterator[bytes]:
    """Like :func:`as_json`, on one line; only the text is produced lazily."""
    shown = fewer_points(series_list, request.max_points) if request.max_points else series_list
    if request.only_known:
        shown = [series for series in shown if len(series.known)]

    def parts() -> Iterator[bytes]:
        yield b"["
        for n, series in enumerate(shown):
            head = dumps({"target": series.name, "tags": series.tags})[:-1] + b',"datapoints":['
            texts = (_points(piece, request.only_known) for piece in _pieces(series))
            yield from _joined((b"," if n else b"") + head, texts, b"]}")
        yield b"]"

    return parts()


def _pieces(series: TimeSeries) -> Iterator[TimeSeries]:
    """Pieces of at most ``VALUES_AT_ONCE`` values; raises when the request has no time left."""
    for begin in range(0, len(series.values), VALUES_AT_ONCE):
        request_budget.current().seconds_left()
        values = series.values[begin : begin + VALUES_AT_ONCE]
        yield replace(series, start=series.start + begin * series.step, values=values)


def _joined(head: bytes, texts: Iterable[bytes], end: bytes) -> Iterator[bytes]:
    """Texts with commas between them, after ``head`` and before ``end``; a single one together with both."""
    part = head
    for n, text in enumerate(filter(None, texts)):
        if n:
            yield part
            part = b","
        part += text
    yield part + end


def _points(series: TimeSeries, only_known: bool) -> bytes:
    """``[value,time],[value,time]``: texts of the values, interleaved with those of the times and the brackets."""
    times = _times(series.times[: len(series.values)])
    values = series.values[: len(times)]
    if only_known:
        known = np.flatnonzero(~np.isnan(values))
        times, values = [times[n] for n in known], values[known]
    if not len(values):
        return b""
    parts = [b""] * (2 * len(values))
    parts[0::2] = _texts(values)
    parts[1::2] = times
    parts[0] = b"[" + parts[0]
    parts[-1] = parts[-1].removesuffix(b",[")
    return b"".join(parts)


@lru_cache(maxsize=64)
def _times(times: range) -> list[bytes]:
    """``,time],[`` for each time."""
    return [b"," + text + b"],[" for text in _texts(np.array(times, dtype=np.int64))]


def _texts(numbers: NDArray[Any]) -> list[bytes]:
    return orjson.dumps(np.ascontiguousarray(numbers), option=orjson.OPT_SERIALIZE_NUMPY)[1:-1].split(b",")


def fewer_points(series_list: list[TimeSeries], max_points: int) -> list[TimeSeries]:
    """Series with at most ``max_points`` over their whole range, consolidated where they have more.

    Consolidated slots begin at multiples of their length, so that they stay the same when the range moves.
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
    values = series.values[lost:]
    return series.derived(values=values, start=series.start + nudge, aggregate=series.aggregate).consolidated(per_point)


def csv_parts(series_list: list[TimeSeries], request: RenderRequest) -> Iterator[bytes]:
    """``name,local time,value`` on each line, series by series; an unknown value is empty."""
    for piece in chain.from_iterable(map(_pieces, series_list)):
        text = io.StringIO()
        writer = csv.writer(text, dialect="excel")
        for n, value in enumerate(piece.value_list):
            time = datetime.fromtimestamp(piece.start + n * piece.step, request.zone)
            writer.writerow((piece.name, f"{time:%Y-%m-%d %H:%M:%S}", value))
        yield text.getvalue().encode()


def raw_parts(series_list: list[TimeSeries], _: RenderRequest) -> Iterator[bytes]:
    """``name,start,end,step|v1,v2,…`` on each line, series by series; an unknown value is None."""
    for series in series_list:
        head = f"{series.name},{series.start},{series.end},{series.step}|"
        texts = (",".join(map(repr, piece.value_list)).encode() for piece in _pieces(series))
        yield from _joined(head.encode(), texts, b"\n")


def dumps(response: Any, pretty: bool = False) -> bytes:
    """JSON, indented if ``pretty``; integers beyond 64 bits become floats."""
    option = orjson.OPT_INDENT_2 if pretty else None
    try:
        return orjson.dumps(response, option=option)
    except orjson.JSONEncodeError:
        return orjson.dumps(_narrowed(response), option=option)


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
