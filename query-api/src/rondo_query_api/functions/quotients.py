"""Series divided by series, and raised to the power of series."""

import math
from itertools import zip_longest

import numpy as np

from ..errors import BadRequestError
from ..reductions import Values, stack_rows
from ..timeseries import TimeSeries, ValueList
from .alignment import align
from .call import Call
from .catalogue import Param, function
from .combine import aggregated, joined
from .keeping import EACH_TIME
from .keys import key_of
from .types import NODE_OR_TAG, SERIES_LIST

SeriesList = list[TimeSeries]


@function(
    "powSeries",
    "Combine",
    Param("seriesList", SERIES_LIST, required=True, multiple=True, shown="*seriesLists"),
    aggregator=True,
    keeps=EACH_TIME,
)
def pow_series(call: Call, *series_lists: SeriesList) -> SeriesList:
    """The first series to the power of the second, the result to the power of the third, and so on."""
    series_list = joined(series_lists)
    if not series_list:
        return []
    aligned = align(series_list)
    values: ValueList = []
    for first, *exponents in zip_longest(*(series.value_list for series in aligned.series)):
        value = first
        for exponent in exponents:
            value = _power(value, exponent)
        values.append(value)
    name = f"powSeries({','.join(series.name for series in series_list)})"
    return [call.computed(name, aligned.start, aligned.end, aligned.step, values, series_list[0].nodes)]


def _power(base: float | None, exponent: float | None) -> float | None:
    if base is None or exponent is None:
        return None
    try:
        return math.pow(base, exponent)
    except (ValueError, OverflowError):
        return None


@function(
    "divideSeries",
    "Combine",
    Param("dividendSeriesList", SERIES_LIST, required=True),
    Param("divisorSeries", SERIES_LIST, required=True),
    keeps=EACH_TIME,
)
def divide_series(call: Call, dividends: SeriesList, divisors: SeriesList) -> SeriesList:
    """Each series divided by one other series; unknown where that is 0, unknown or missing."""
    if not divisors:
        return [
            series.derived(f"divideSeries({series.name},MISSING)", [None] * len(series.values)) for series in dividends
        ]
    if len(divisors) > 1:
        raise BadRequestError(f"divideSeries: divisorSeries has {len(divisors)} series, not 1")
    return [_quotient(call, series, divisors[0]) for series in dividends]


@function(
    "divideSeriesLists",
    "Combine",
    Param("dividendSeriesList", SERIES_LIST, required=True),
    Param("divisorSeriesList", SERIES_LIST, required=True),
    keeps=EACH_TIME,
)
def divide_series_lists(call: Call, dividends: SeriesList, divisors: SeriesList) -> SeriesList:
    """The n-th series of the first list divided by the n-th of the second."""
    check_pairs("divideSeriesLists", dividends, divisors)
    return [_quotient(call, *pair) for pair in zip(dividends, divisors, strict=True)]


def _quotient(call: Call, dividend: TimeSeries, divisor: TimeSeries) -> TimeSeries:
    aligned = align([dividend, divisor])
    values = divided(*(series.values for series in aligned.series))
    name = f"divideSeries({dividend.name},{divisor.name})"
    return call.computed(name, aligned.start, aligned.end, aligned.step, values, dividend.nodes)


def divided(dividends: Values, divisors: Values) -> Values:
    """Quotients, as long as the longer operand; unknown for division by 0."""
    dividend, divisor = stack_rows([dividends, divisors])
    with np.errstate(all="ignore"):
        return np.where(divisor == 0, np.nan, dividend / divisor)


def check_pairs(function: str, first: SeriesList, second: SeriesList) -> None:
    """Raise :class:`BadRequestError` unless both lists have the same length."""
    if len(first) != len(second):
        raise BadRequestError(f"{function}: the lists have {len(first)} and {len(second)} series, not the same number")


@function(
    "weightedAverage",
    "Combine",
    Param("seriesListAvg", SERIES_LIST, required=True),
    Param("seriesListWeight", SERIES_LIST, required=True),
    Param("nodes", NODE_OR_TAG, multiple=True),
    keeps=EACH_TIME,
)
def weighted_average(call: Call, averages: SeriesList, weights: SeriesList, *nodes: int | str) -> SeriesList:
    """Mean of the series of the first list, weighted by those of the second with the same nodes or tags."""
    check_pairs("weightedAverage", averages, weights)
    average_of = {key_of(series, nodes): series for series in averages}
    weight_of = {key_of(series, nodes): series for series in weights}
    products = [
        aggregated(call, [average, weight_of[key]], "multiply")[0]
        for key, average in average_of.items()
        if key in weight_of
    ]
    if not products:
        return []
    name = (
        f"weightedAverage({_sorted_paths(averages)}, {_sorted_paths(weights)}, {','.join(str(node) for node in nodes)})"
    )
    first = min(averages, key=lambda series: series.path)
    [quotient] = [_quotient(call, *aggregated(call, products, "sum"), *aggregated(call, weights, "sum"))]
    return [call.computed(name, quotient.start, quotient.end, quotient.step, quotient.values, first.path_nodes)]


def _sorted_paths(series_list: SeriesList) -> str:
    return ",".join(sorted({series.path for series in series_list}))
