"""Series of lists as one: sums, means, products, quotients."""

import math
from collections.abc import Sequence
from itertools import zip_longest

from ..errors import BadRequestError
from ..timeseries import TimeSeries, Values
from .aggregates import aggregate_columns, canonical
from .alignment import align
from .call import Call
from .catalogue import SERIES, SERIES_LISTS, Param, function
from .keys import key_of
from .lines import constant_line
from .types import AGGREGATE_SERIES, FLOAT, NODE_OR_TAG, SERIES_LIST

SeriesList = list[TimeSeries]
FUNCTION = Param("func", AGGREGATE_SERIES, required=True)
X_FILES_FACTOR = Param("xFilesFactor", FLOAT)


def paths_of(series_list: Sequence[TimeSeries]) -> str:
    """Paths of the series, each once."""
    return ",".join(dict.fromkeys(series.path for series in series_list))


def aggregated(
    call: Call, series_list: Sequence[TimeSeries], func: str, x_files_factor: float | None = None
) -> SeriesList:
    """One series: an aggregate of all values at each time, of which the least share is known; none of none."""
    func = func.removesuffix("Series")
    canonical(func)
    if not series_list:
        return []
    least_share = call.context.x_files_factor if x_files_factor is None else x_files_factor
    aligned = align(series_list)
    values = aggregate_columns(func, [series.values for series in aligned.series], least_share)
    name = f"{func}Series({paths_of(series_list)})"
    series = TimeSeries.computed(name, aligned.start, aligned.end, aligned.step, values, least_share)
    return [series.retagged({"name": name, **common_tags(series_list), "aggregatedBy": func})]


def common_tags(series_list: Sequence[TimeSeries]) -> dict[str, str]:
    """Tags that all the series have with the same value."""
    first, *others = (series.tags for series in series_list)
    return {tag: value for tag, value in first.items() if all(tags.get(tag) == value for tags in others)}


def _joined(series_lists: Sequence[SeriesList]) -> SeriesList:
    return [series for series_list in series_lists for series in series_list]


@function("aggregate", "Combine", SERIES, FUNCTION, X_FILES_FACTOR)
def aggregate(call: Call, series_list: SeriesList, func: str, x_files_factor: float | None) -> SeriesList:
    """All series as one, by an aggregate."""
    return aggregated(call, series_list, func, x_files_factor)


@function("sumSeries", "Combine", SERIES_LISTS, aliases=["sum"], aggregator=True)
def sum_series(call: Call, *series_lists: SeriesList) -> SeriesList:
    """Sum of all series."""
    return aggregated(call, _joined(series_lists), "sum")


@function("averageSeries", "Combine", SERIES_LISTS, aliases=["avg"], aggregator=True)
def average_series(call: Call, *series_lists: SeriesList) -> SeriesList:
    """Mean of all series."""
    return aggregated(call, _joined(series_lists), "average")


@function("diffSeries", "Combine", SERIES_LISTS, aggregator=True)
def diff_series(call: Call, *series_lists: SeriesList) -> SeriesList:
    """The first series minus all others."""
    return aggregated(call, _joined(series_lists), "diff")


@function("stddevSeries", "Combine", SERIES_LISTS, aggregator=True)
def stddev_series(call: Call, *series_lists: SeriesList) -> SeriesList:
    """Standard deviation of all series at each time."""
    return aggregated(call, _joined(series_lists), "stddev")


@function("minSeries", "Combine", SERIES_LISTS, aggregator=True)
def min_series(call: Call, *series_lists: SeriesList) -> SeriesList:
    """Least of all series at each time."""
    return aggregated(call, _joined(series_lists), "min")


@function("maxSeries", "Combine", SERIES_LISTS, aggregator=True)
def max_series(call: Call, *series_lists: SeriesList) -> SeriesList:
    """Greatest of all series at each time."""
    return aggregated(call, _joined(series_lists), "max")


@function("rangeOfSeries", "Combine", SERIES_LISTS, aggregator=True)
def range_of_series(call: Call, *series_lists: SeriesList) -> SeriesList:
    """Distance of the greatest and the least of all series at each time."""
    return aggregated(call, _joined(series_lists), "rangeOf")


@function("multiplySeries", "Combine", SERIES_LISTS, aggregator=True)
def multiply_series(call: Call, *series_lists: SeriesList) -> SeriesList:
    """Product of all series; unknown where one of them is. A single series stays as it is."""
    if len(series_lists) == 1 and len(series_lists[0]) == 1:
        return series_lists[0]
    return aggregated(call, _joined(series_lists), "multiply")


@function("countSeries", "Combine", Param("seriesLists", SERIES_LIST, multiple=True), aggregator=True)
def count_series(call: Call, *series_lists: SeriesList) -> SeriesList:
    """How many series there are, as a line."""
    series_list = _joined(series_lists)
    if not series_lists:
        return [constant_line(call, 0)[0].derived(path="countSeries()")]
    if not series_list:
        return []
    aligned = align(series_list)
    count: Values = [len(series_list)] * max(len(series.values) for series in aligned.series)
    return [call.computed(f"countSeries({paths_of(series_list)})", aligned.start, aligned.end, aligned.step, count)]


@function(
    "powSeries",
    "Combine",
    Param("seriesList", SERIES_LIST, required=True, multiple=True, shown="*seriesLists"),
    aggregator=True,
)
def pow_series(call: Call, *series_lists: SeriesList) -> SeriesList:
    """The first series to the power of the next, that to the power of the one after, and so on."""
    series_list = _joined(series_lists)
    if not series_list:
        return []
    aligned = align(series_list)
    values: Values = []
    for first, *exponents in zip_longest(*(series.values for series in aligned.series)):
        value = first
        for exponent in exponents:
            value = _power(value, exponent)
        values.append(value)
    name = f"powSeries({','.join(series.name for series in series_list)})"
    return [call.computed(name, aligned.start, aligned.end, aligned.step, values)]


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
)
def divide_series(call: Call, dividends: SeriesList, divisors: SeriesList) -> SeriesList:
    """Each series divided by one other; unknown where that is 0 or unknown, and where there is no other."""
    if not divisors:
        return [
            series.derived(f"divideSeries({series.name},MISSING)", [None] * len(series.values)) for series in dividends
        ]
    if len(divisors) > 1:
        raise BadRequestError(f"divideSeries: divisorSeries is {len(divisors)} series, not 1")
    return [_quotient(call, series, divisors[0]) for series in dividends]


@function(
    "divideSeriesLists",
    "Combine",
    Param("dividendSeriesList", SERIES_LIST, required=True),
    Param("divisorSeriesList", SERIES_LIST, required=True),
)
def divide_series_lists(call: Call, dividends: SeriesList, divisors: SeriesList) -> SeriesList:
    """The n-th series of the one list divided by the n-th of the other."""
    check_pairs("divideSeriesLists", dividends, divisors)
    return [_quotient(call, *pair) for pair in zip(dividends, divisors, strict=True)]


def _quotient(call: Call, dividend: TimeSeries, divisor: TimeSeries) -> TimeSeries:
    aligned = align([dividend, divisor])
    rows = zip_longest(*(series.values for series in aligned.series))
    values = [divided(first, second) for first, second in rows]
    name = f"divideSeries({dividend.name},{divisor.name})"
    return call.computed(name, aligned.start, aligned.end, aligned.step, values)


def divided(dividend: float | None, divisor: float | None) -> float | None:
    """Quotient, None where there is none."""
    return None if dividend is None or not divisor else dividend / divisor


def check_pairs(function: str, first: SeriesList, second: SeriesList) -> None:
    """Lists that are taken pair by pair must be equally long."""
    if len(first) != len(second):
        raise BadRequestError(f"{function}: the lists have {len(first)} and {len(second)} series, not as many")


@function(
    "weightedAverage",
    "Combine",
    Param("seriesListAvg", SERIES_LIST, required=True),
    Param("seriesListWeight", SERIES_LIST, required=True),
    Param("nodes", NODE_OR_TAG, multiple=True),
)
def weighted_average(call: Call, averages: SeriesList, weights: SeriesList, *nodes: int | str) -> SeriesList:
    """Mean of the first list's series, weighed by those of the second that have the same nodes or tags."""
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
    [quotient] = [_quotient(call, *aggregated(call, products, "sum"), *aggregated(call, weights, "sum"))]
    return [call.computed(name, quotient.start, quotient.end, quotient.step, quotient.values)]


def _sorted_paths(series_list: SeriesList) -> str:
    return ",".join(sorted({series.path for series in series_list}))
