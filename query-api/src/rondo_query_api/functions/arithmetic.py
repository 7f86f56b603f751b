"""Functions of single values: scale, offset, powers, logarithms."""

from collections.abc import Callable, Mapping

import numpy as np

from ..errors import BadRequestError
from ..fetch.archives import MIN, SUM
from ..reductions import Values, round_values
from ..timeseries import TimeSeries
from .aggregates import aggregate
from .catalogue import SERIES, Param, function
from .keeping import CHANGED, EACH_TIME, RISING, SHIFTED, Keeps, KeepsBy, multiplied
from .types import FLOAT, INTEGER, INTEGER_OR_FLOAT

SeriesList = list[TimeSeries]
Change = Callable[[Values], Values]
FACTOR = Param("factor", FLOAT, required=True)


def _each(series_list: SeriesList, name: str, change: Change, tags: Mapping[str, object]) -> SeriesList:
    """Apply ``change`` to the values of each series; ``{}`` in ``name`` is the series' own name."""
    return [_one(series, name, change, tags) for series in series_list]


def _one(series: TimeSeries, name: str, change: Change, tags: Mapping[str, object]) -> TimeSeries:
    with np.errstate(all="ignore"):
        values = _finite(change(series.values))
    return series.derived(name.replace("{}", series.name), values, tags)


def _finite(values: Values) -> Values:
    """Values, NaN where the result is infinite."""
    return np.where(np.isfinite(values), values, np.nan)


@function("absolute", "Transform", SERIES, keeps=EACH_TIME)
def absolute(series_list: SeriesList) -> SeriesList:
    """Each value without its sign."""
    return _each(series_list, "absolute({})", np.abs, {"absolute": 1})


@function("add", "Transform", SERIES, Param("constant", FLOAT, required=True), keeps=SHIFTED)
def add(series_list: SeriesList, constant: float) -> SeriesList:
    """Each value plus a constant."""
    return _each(series_list, f"add({{}},{int(constant)})", lambda values: values + constant, {"add": constant})


@function("offset", "Transform", SERIES, FACTOR, keeps=SHIFTED)
def offset(series_list: SeriesList, factor: float) -> SeriesList:
    """Each value plus a constant."""
    return _each(series_list, f"offset({{}},{factor:g})", lambda values: values + factor, {"offset": factor})


@function("offsetToZero", "Transform", SERIES, keeps=Keeps(frozenset({MIN})))
def offset_to_zero(series_list: SeriesList) -> SeriesList:
    """Each value minus the minimum of its series."""

    def offset(series: TimeSeries) -> TimeSeries:
        least = aggregate("min", series.values)
        return _one(series, "offsetToZero({})", lambda values: values - (least or 0), {"offsetToZero": least})

    return [offset(series) for series in series_list]


@function("scale", "Transform", SERIES, FACTOR, keeps=KeepsBy("factor", multiplied))
def scale(series_list: SeriesList, factor: float) -> SeriesList:
    """Each value times a factor."""
    return _each(series_list, f"scale({{}},{factor:g})", lambda values: values * factor, {"scale": factor})


@function(
    "scaleToSeconds",
    "Transform",
    SERIES,
    Param("seconds", FLOAT, required=True),
    keeps=Keeps(frozenset({SUM}), finest=True),
)
def scale_to_seconds(series_list: SeriesList, seconds: float) -> SeriesList:
    """Values per step converted to values per this many seconds, rounded to six decimals."""
    name = f"scaleToSeconds({{}},{int(seconds)})"

    def scaled(series: TimeSeries) -> TimeSeries:
        factor = seconds / series.step
        return _one(series, name, lambda values: round_values(values * factor, 6), {"scaleToSeconds": seconds})

    return [scaled(series) for series in series_list]


@function(
    "round",
    "Transform",
    SERIES,
    Param("precision", INTEGER, default=0, shown="precision=None", absent=None),
    keeps=RISING,
)
def round_function(series_list: SeriesList, precision: int | None) -> SeriesList:
    """Each value rounded to this many decimals; by default to a whole number."""
    name = "round({})" if precision is None else f"round({{}},{precision:g})"
    return _each(series_list, name, lambda values: round_values(values, precision or 0), {"round": precision or 0})


@function("pow", "Transform", SERIES, FACTOR, keeps=EACH_TIME)
def power(series_list: SeriesList, factor: float) -> SeriesList:
    """Each value raised to a power."""

    def raised(values: Values) -> Values:
        return np.where(np.isnan(values), np.nan, np.power(values, factor))  # to NumPy even NaN to the power of 0 is 1

    return _each(series_list, f"pow({{}},{factor:g})", raised, {"pow": factor})


@function("squareRoot", "Transform", SERIES, keeps=RISING)
def square_root(series_list: SeriesList) -> SeriesList:
    """Square root of each value; unknown for a negative value."""
    return _each(series_list, "squareRoot({})", np.sqrt, {"squareRoot": 1})


@function("invert", "Transform", SERIES, keeps=EACH_TIME)
def invert(series_list: SeriesList) -> SeriesList:
    """One divided by each value; unknown for 0."""
    return _each(series_list, "invert({})", np.reciprocal, {"invert": 1})


@function("exp", "Transform", SERIES, keeps=RISING)
def exp(series_list: SeriesList) -> SeriesList:
    """E to the power of each value."""
    return _each(series_list, "exp({})", np.exp, {"exp": "e"})


@function("log", "Transform", SERIES, Param("base", INTEGER_OR_FLOAT, default=10), keeps=RISING)
def logarithm(series_list: SeriesList, base: float) -> SeriesList:
    """Logarithm of each value to a base; unknown for values up to 0."""
    if base <= 0 or base == 1:
        raise BadRequestError(f"log: base is {base}, not greater than 0 and different from 1")
    return _each(series_list, f"log({{}}, {base})", lambda values: np.log(values) / np.log(base), {"log": base})


@function("logit", "Transform", SERIES, keeps=RISING)
def logit(series_list: SeriesList) -> SeriesList:
    """Logarithm of value / (1 - value) for values between 0 and 1; unknown for others."""
    return _each(series_list, "logit({})", lambda values: np.log(values / (1 - values)), {"logit": "logit"})


@function("sigmoid", "Transform", SERIES, keeps=RISING)
def sigmoid(series_list: SeriesList) -> SeriesList:
    """Sigmoid function of each value, 1 / (1 + e^-value)."""
    return _each(series_list, "sigmoid({})", lambda values: 1 / (1 + _finite(np.exp(-values))), {"sigmoid": "sigmoid"})


@function("minMax", "Transform", SERIES, keeps=CHANGED)
def min_max(series_list: SeriesList) -> SeriesList:
    """Each value scaled to its series' range: the minimum is 0, the maximum 1."""

    def scaled(series: TimeSeries) -> TimeSeries:
        least = aggregate("min", series.values) or 0.0
        span = (aggregate("max", series.values) or 0.0) - least
        return _one(series, "minMax({})", lambda values: (values - least) / (span or np.inf), {})

    return [scaled(series) for series in series_list]
