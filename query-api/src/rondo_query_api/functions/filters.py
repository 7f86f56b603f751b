"""Filters of series: by aggregates of their values, by name, by number."""

import operator
from collections.abc import Callable

from ..find.regexes import Regex
from ..timeseries import TimeSeries
from .aggregates import aggregate, is_enough
from .call import Call
from .catalogue import SERIES, SERIES_LISTS, Param, function
from .keeping import INSPECTED, UNCHANGED
from .names import REPLACE, SEARCH, target_of
from .types import AGGREGATE, FLOAT, INTEGER, STRING

SeriesList = list[TimeSeries]
COUNT = Param("n", INTEGER, required=True)
BOUND = Param("n", FLOAT, required=True)
PATTERN = Param("pattern", STRING, required=True)

# Comparison of the aggregate with the threshold, and the value for an unknown aggregate.
OPERATORS: dict[str, tuple[Callable[[float, float], bool], bool]] = {
    "=": (operator.eq, False),
    "!=": (operator.ne, True),
    ">": (operator.gt, False),
    ">=": (operator.ge, False),
    "<": (operator.lt, True),
    "<=": (operator.le, True),
}


def rank(func: str) -> Callable[[TimeSeries], float]:
    """Sort key; a series without known values sorts first."""

    def key(series: TimeSeries) -> float:
        value = aggregate(func, series.values)
        return float("-inf") if value is None else value

    return key


@function(
    "filterSeries",
    "Filter Series",
    SERIES,
    Param("func", AGGREGATE, required=True),
    Param("operator", STRING, required=True, options=sorted(OPERATORS)),
    Param("threshold", FLOAT, required=True),
    keeps=INSPECTED,
)
def filter_series(series_list: SeriesList, func: str, operator: str, threshold: float) -> SeriesList:
    """Series whose aggregate is above, below or equal to a threshold."""
    compare, if_unknown = OPERATORS[operator]

    def passes(series: TimeSeries) -> bool:
        value = aggregate(func, series.values)
        return if_unknown if value is None else compare(value, threshold)

    return [series for series in series_list if passes(series)]


def _bounded(name: str, func: str, operator: str, description: str) -> None:
    def implementation(series_list: SeriesList, n: float) -> SeriesList:
        return filter_series(series_list, func, operator, n)

    implementation.__doc__ = description
    function(name, "Filter Series", SERIES, BOUND, keeps=INSPECTED)(implementation)


_bounded("averageAbove", "average", ">", "Series whose average is above n.")
_bounded("averageBelow", "average", "<=", "Series whose average is at or below n.")
_bounded("currentAbove", "last", ">", "Series whose last known value is above n.")
_bounded("currentBelow", "last", "<=", "Series whose last known value is at or below n.")
_bounded("maximumAbove", "max", ">", "Series whose greatest value is above n.")
_bounded("maximumBelow", "max", "<=", "Series whose greatest value is at or below n.")
_bounded("minimumAbove", "min", ">", "Series whose least value is above n.")
_bounded("minimumBelow", "min", "<=", "Series whose least value is at or below n.")

FUNCTION = Param("func", AGGREGATE, default="average")


@function(
    "highest", "Filter Series", SERIES, Param("n", INTEGER, required=True, shown="n=1"), FUNCTION, keeps=INSPECTED
)
def highest(series_list: SeriesList, n: int, func: str) -> SeriesList:
    """The n series with the highest aggregate, highest first."""
    return sorted(series_list, key=rank(func), reverse=True)[:n]


@function("lowest", "Filter Series", SERIES, Param("n", INTEGER, required=True, shown="n=1"), FUNCTION, keeps=INSPECTED)
def lowest(series_list: SeriesList, n: int, func: str) -> SeriesList:
    """The n series with the lowest aggregate, lowest first."""
    return sorted(series_list, key=rank(func))[:n]


def _ranked(name: str, choose: Callable[[SeriesList, int, str], SeriesList], func: str, description: str) -> None:
    def implementation(series_list: SeriesList, n: int) -> SeriesList:
        return choose(series_list, n, func)

    implementation.__doc__ = description
    function(name, "Filter Series", SERIES, COUNT, keeps=INSPECTED)(implementation)


_ranked("highestAverage", highest, "average", "The n series with the greatest average, the greatest first.")
_ranked("highestCurrent", highest, "current", "The n series with the greatest last value, the greatest first.")
_ranked("highestMax", highest, "max", "The n series with the greatest maximum, the greatest first.")
_ranked("lowestAverage", lowest, "average", "The n series with the least average, the least first.")
_ranked("lowestCurrent", lowest, "current", "The n series with the least last value, the least first.")


@function("mostDeviant", "Filter Series", SERIES, COUNT, keeps=INSPECTED)
def most_deviant(series_list: SeriesList, n: int) -> SeriesList:
    """The n series with the highest standard deviation, highest first."""
    known = [series for series in series_list if len(series.known)]
    return sorted(known, key=rank("stddev"), reverse=True)[:n]


@function("limit", "Filter Series", SERIES, COUNT, keeps=UNCHANGED)
def limit(series_list: SeriesList, n: int) -> SeriesList:
    """The first n series."""
    return series_list[:n]


@function("grep", "Filter Series", SERIES, PATTERN, keeps=UNCHANGED)
def grep(series_list: SeriesList, pattern: str) -> SeriesList:
    """Series whose name matches a regular expression."""
    expression = Regex(f"grep: pattern is {pattern!r}", pattern)
    return [series for series in series_list if expression.is_in(series.name)]


@function("exclude", "Filter Series", SERIES, PATTERN, keeps=UNCHANGED)
def exclude(series_list: SeriesList, pattern: str) -> SeriesList:
    """Series whose name does not match a regular expression."""
    expression = Regex(f"exclude: pattern is {pattern!r}", pattern)
    return [series for series in series_list if not expression.is_in(series.name)]


@function("removeEmptySeries", "Filter Series", SERIES, Param("xFilesFactor", FLOAT), keeps=INSPECTED)
def remove_empty_series(series_list: SeriesList, x_files_factor: float | None) -> SeriesList:
    """Series with at least one known value, or with at least this share of known values."""
    return [series for series in series_list if is_enough(len(series.known), len(series.values), x_files_factor)]


@function("unique", "Filter Series", SERIES_LISTS, keeps=UNCHANGED)
def unique(*series_lists: SeriesList) -> SeriesList:
    """The first series of each name."""
    by_name: dict[str, TimeSeries] = {}
    for series_list in series_lists:
        for series in series_list:
            by_name.setdefault(series.name, series)
    return list(by_name.values())


@function(
    "useSeriesAbove", "Filter Series", SERIES, Param("value", FLOAT, required=True), SEARCH, REPLACE, keeps=INSPECTED
)
def use_series_above(call: Call, series_list: SeriesList, value: float, search: str, replace: str) -> SeriesList:
    """For each series that exceeds a value at some time: the target that results from a replacement in its name."""
    above = [series for series in series_list if series.known.max(initial=value) > value]
    targets = [target_of("useSeriesAbove", search, replace, series) for series in above]
    return [series for target in targets for series in call.target(target) if len(series.values)]
