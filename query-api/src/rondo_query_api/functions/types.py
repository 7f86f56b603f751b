"""Types of parameters: their names in Graphite, and the values that they accept."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..intervals import seconds
from ..timeseries import TimeSeries
from .aggregates import AGGREGATES, ALIASES


@dataclass(frozen=True)
class Type:
    """``check`` converts an argument, or raises ValueError or TypeError; ``wanted`` describes valid arguments."""

    name: str
    check: Callable[[Any], Any]
    wanted: str
    options: Sequence[Any] = ()


def _text(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise TypeError
    return str(value)


def _boolean(value: Any) -> bool:
    texts = {"true": True, "false": False}
    if isinstance(value, str) and value.lower() in texts:
        return texts[value.lower()]
    if value in (0, 1):
        return bool(value)
    raise ValueError


def _number(value: Any) -> float:
    if isinstance(value, int | float | str):
        return float(value)
    raise TypeError


def _integer(value: Any) -> int:
    if isinstance(value, int | str):
        return int(value)
    raise TypeError


def _integer_or_float(value: Any) -> int | float:
    return value if isinstance(value, float) else _integer(value)


def _integer_or_infinite(value: Any) -> int | float:
    return value if value == float("inf") else _integer(value)


def _interval(value: Any) -> str:
    seconds(value)
    return str(value)


def _points_or_interval(value: Any) -> int | str:
    if isinstance(value, str):
        return _interval(value)
    if isinstance(value, int | float) and value >= 1:
        return int(value)
    raise ValueError


def _node_or_tag(value: Any) -> int | str:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError
    return value


def _series_list(value: Any) -> list[TimeSeries]:
    if isinstance(value, list) and all(isinstance(each, TimeSeries) for each in value):
        return value
    raise TypeError


def _series_lists(value: Any) -> list[list[TimeSeries]]:
    if isinstance(value, list):
        return [_series_list(each) for each in value]
    raise TypeError


def _aggregate(value: Any) -> str:
    if value in AGGREGATES or value in ALIASES:
        return str(value)
    raise ValueError


AGGREGATE_NAMES = (*AGGREGATES, *ALIASES)

INTERVAL_WORDS = "an interval such as 10min or 1h"

ANY = Type("any", lambda value: value, "anything")
AGGREGATE = Type("aggFunc", _aggregate, "an aggregate", AGGREGATE_NAMES)
AGGREGATE_SERIES = Type("aggFunc", _text, "an aggregate", AGGREGATE_NAMES)
AGGREGATE_OR_SERIES = Type("aggOrSeriesFunc", _text, "an aggregate or a function")
BOOLEAN = Type("boolean", _boolean, "true or false")
DATE = Type("date", _text, "a time")
FLOAT = Type("float", _number, "a number")
INTEGER = Type("integer", _integer, "a whole number")
INTEGER_OR_FLOAT = Type("integer", _integer_or_float, "a number")
INTERVAL = Type("interval", _interval, INTERVAL_WORDS)
INTEGER_OR_INFINITE = Type("intOrInf", _integer_or_infinite, "a whole number or inf")
POINTS_OR_INTERVAL = Type("intOrInterval", _points_or_interval, f"a number of points or {INTERVAL_WORDS}")
NODE = Type("node", _integer, "the number of a node")
NODE_OR_TAG = Type("nodeOrTag", _node_or_tag, "the number of a node or a tag")
SERIES_LIST = Type("seriesList", _series_list, "a list of series")
SERIES_LISTS = Type("seriesLists", _series_lists, "a list of lists of series")
STRING = Type("string", _text, "text")
TAG = Type("tag", _text, "a tag")
