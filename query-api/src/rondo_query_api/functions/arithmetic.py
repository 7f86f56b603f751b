"""Each value by itself: scaled, shifted, powers, logarithms."""

import math
from collections.abc import Callable, Mapping

from ..errors import BadRequestError
from ..timeseries import TimeSeries
from .catalogue import SERIES, Param, function
from .types import FLOAT, INTEGER, INTEGER_OR_FLOAT

SeriesList = list[TimeSeries]
Change = Callable[[float], float | None]
FACTOR = Param("factor", FLOAT, required=True)


def _each(series_list: SeriesList, name: str, change: Change, tags: Mapping[str, object]) -> SeriesList:
    """Change each known value; the name holds the series' own as ``{}``."""
    return [_one(series, name, change, tags) for series in series_list]


def _one(series: TimeSeries, name: str, change: Change, tags: Mapping[str, object]) -> TimeSeries:
    def changed(value: float | None) -> float | None:
        if value is None:
            return None
        try:
            return change(value)
        except (ValueError, OverflowError, ZeroDivisionError):  # it has no result
            return None

    return series.derived(name.replace("{}", series.name), [changed(value) for value in series.values], tags)


@function("absolute", "Transform", SERIES)
def absolute(series_list: SeriesList) -> SeriesList:
    """Each value without its sign."""
    return _each(series_list, "absolute({})", abs, {"absolute": 1})


@function("add", "Transform", SERIES, Param("constant", FLOAT, required=True))
def add(series_list: SeriesList, constant: float) -> SeriesList:
    """Each value plus a constant."""
    return _each(series_list, f"add({{}},{int(constant)})", lambda value: value + constant, {"add": constant})


@function("offset", "Transform", SERIES, FACTOR)
def offset(series_list: SeriesList, factor: float) -> SeriesList:
    """Each value plus a constant."""
    return _each(series_list, f"offset({{}},{factor:g})", lambda value: value + factor, {"offset": factor})


@function("offsetToZero", "Transform", SERIES)
def offset_to_zero(series_list: SeriesList) -> SeriesList:
    """Each value minus the least of its series."""

    def offset(series: TimeSeries) -> TimeSeries:
        least = min(series.known(), default=None)
        return _one(series, "offsetToZero({})", lambda value: value - (least or 0), {"offsetToZero": least})

    return [offset(series) for series in series_list]


@function("scale", "Transform", SERIES, FACTOR)
def scale(series_list: SeriesList, factor: float) -> SeriesList:
    """Each value times a factor."""
    return _each(series_list, f"scale({{}},{factor:g})", lambda value: value * factor, {"scale": factor})


@function("scaleToSeconds", "Transform", SERIES, Param("seconds", FLOAT, required=True))
def scale_to_seconds(series_list: SeriesList, seconds: float) -> SeriesList:
    """Values per step as values per so many seconds, rounded to six decimals."""
    name = f"scaleToSeconds({{}},{int(seconds)})"

    def scaled(series: TimeSeries) -> TimeSeries:
        factor = seconds / series.step
        return _one(series, name, lambda value: round(value * factor, 6), {"scaleToSeconds": seconds})

    return [scaled(series) for series in series_list]


@function("round", "Transform", SERIES, Param("precision", INTEGER, default=0, shown="precision=None", absent=None))
def round_function(series_list: SeriesList, precision: int | None) -> SeriesList:
    """Each value rounded to so many decimals; by default to a whole number."""
    name = "round({})" if precision is None else f"round({{}},{precision:g})"
    return _each(series_list, name, lambda value: round(value, precision or 0), {"round": precision or 0})


@function("pow", "Transform", SERIES, FACTOR)
def power(series_list: SeriesList, factor: float) -> SeriesList:
    """Each value raised to a power."""
    return _each(series_list, f"pow({{}},{factor:g})", lambda value: math.pow(value, factor), {"pow": factor})


@function("squareRoot", "Transform", SERIES)
def square_root(series_list: SeriesList) -> SeriesList:
    """Square root of each value; of a negative one it is unknown."""
    return _each(series_list, "squareRoot({})", lambda value: math.pow(value, 0.5), {"squareRoot": 1})


@function("invert", "Transform", SERIES)
def invert(series_list: SeriesList) -> SeriesList:
    """One divided by each value; by 0 it is unknown."""
    return _each(series_list, "invert({})", lambda value: math.pow(value, -1), {"invert": 1})


@function("exp", "Transform", SERIES)
def exp(series_list: SeriesList) -> SeriesList:
    """E to the power of each value."""
    return _each(series_list, "exp({})", math.exp, {"exp": "e"})


@function("log", "Transform", SERIES, Param("base", INTEGER_OR_FLOAT, default=10))
def logarithm(series_list: SeriesList, base: float) -> SeriesList:
    """Logarithm of each value to a base; of 0 and less it is unknown."""
    if base <= 0 or base == 1:
        raise BadRequestError(f"log: base is {base}, not more than 0 and other than 1")
    return _each(series_list, f"log({{}}, {base})", lambda value: math.log(value, base), {"log": base})


@function("logit", "Transform", SERIES)
def logit(series_list: SeriesList) -> SeriesList:
    """Logarithm of value / (1 - value), for values between 0 and 1; of others it is unknown."""
    return _each(series_list, "logit({})", lambda value: math.log(value / (1 - value)), {"logit": "logit"})


@function("sigmoid", "Transform", SERIES)
def sigmoid(series_list: SeriesList) -> SeriesList:
    """Each value by the sigmoid function, 1 / (1 + e^-value)."""
    return _each(series_list, "sigmoid({})", lambda value: 1 / (1 + math.exp(-value)), {"sigmoid": "sigmoid"})


@function("minMax", "Transform", SERIES)
def min_max(series_list: SeriesList) -> SeriesList:
    """Each value as its place between the least (0) and the greatest (1) of its series."""

    def placed(series: TimeSeries) -> TimeSeries:
        least = min(series.known(), default=0.0)
        span = max(series.known(), default=0.0) - least
        return _one(series, "minMax({})", lambda value: (value - least) / span if span else 0.0, {})

    return [placed(series) for series in series_list]
