"""Functions that combine lists of series into one series: sums, means, products."""

from collections.abc import Sequence

from ..reductions import reduce_columns, stack_rows
from ..timeseries import TimeSeries
from .aggregates import canonical
from .alignment import align
from .call import Call
from .catalogue import SERIES, SERIES_LISTS, Param, function
from .keeping import EACH_TIME, HIGHEST, LINEAR, LOWEST, SHIFTED, KeepsBy, combined
from .lines import constant_line
from .types import AGGREGATE_SERIES, FLOAT, SERIES_LIST

SeriesList = list[TimeSeries]
FUNCTION = Param("func", AGGREGATE_SERIES, required=True)
X_FILES_FACTOR = Param("xFilesFactor", FLOAT)
# Aggregates of the same kind as the values that they combine: a sum of sums is a sum.
SAME_KIND = frozenset({"sum", "average", "diff", "min", "max", "median", "last"})


def paths_of(series_list: Sequence[TimeSeries]) -> str:
    """Distinct paths of the series, joined."""
    return ",".join(dict.fromkeys(series.path for series in series_list))


def aggregated(
    call: Call, series_list: Sequence[TimeSeries], func: str, x_files_factor: float | None = None
) -> SeriesList:
    """One series with the aggregate at each time, if enough values are known; an empty list for no series."""
    func = func.removesuffix("Series")
    canonical(func)
    if not series_list:
        return []
    min_known_share = call.context.x_files_factor if x_files_factor is None else x_files_factor
    aligned = align(series_list)
    values = reduce_columns(canonical(func), stack_rows([series.values for series in aligned.series]), min_known_share)
    name = f"{func}Series({paths_of(series_list)})"
    series = TimeSeries.computed(
        name, aligned.start, aligned.end, aligned.step, values, min_known_share, series_list[0].path_nodes
    )
    aggregates = {each.aggregate for each in series_list}
    if canonical(func) in SAME_KIND and len(aggregates) == 1:
        series = series.derived(aggregate=aggregates.pop())
    return [series.retagged({"name": name, **common_tags(series_list), "aggregatedBy": func})]


def common_tags(series_list: Sequence[TimeSeries]) -> dict[str, str]:
    """Tags with the same value in all series."""
    first, *others = (series.tags for series in series_list)
    return {tag: value for tag, value in first.items() if all(tags.get(tag) == value for tags in others)}


def joined(series_lists: Sequence[SeriesList]) -> SeriesList:
    """Concatenated lists of series."""
    return [series for series_list in series_lists for series in series_list]


@function("aggregate", "Combine", SERIES, FUNCTION, X_FILES_FACTOR, keeps=KeepsBy("func", combined))
def aggregate(call: Call, series_list: SeriesList, func: str, x_files_factor: float | None) -> SeriesList:
    """Aggregate of all series at each time."""
    return aggregated(call, series_list, func, x_files_factor)


@function("sumSeries", "Combine", SERIES_LISTS, aliases=["sum"], aggregator=True, keeps=LINEAR)
def sum_series(call: Call, *series_lists: SeriesList) -> SeriesList:
    """Sum of all series."""
    return aggregated(call, joined(series_lists), "sum")


@function("averageSeries", "Combine", SERIES_LISTS, aliases=["avg"], aggregator=True, keeps=LINEAR)
def average_series(call: Call, *series_lists: SeriesList) -> SeriesList:
    """Mean of all series."""
    return aggregated(call, joined(series_lists), "average")


@function("diffSeries", "Combine", SERIES_LISTS, aggregator=True, keeps=LINEAR)
def diff_series(call: Call, *series_lists: SeriesList) -> SeriesList:
    """The first series minus all others."""
    return aggregated(call, joined(series_lists), "diff")


@function("stddevSeries", "Combine", SERIES_LISTS, aggregator=True, keeps=EACH_TIME)
def stddev_series(call: Call, *series_lists: SeriesList) -> SeriesList:
    """Standard deviation of all series at each time."""
    return aggregated(call, joined(series_lists), "stddev")


@function("minSeries", "Combine", SERIES_LISTS, aggregator=True, keeps=LOWEST)
def min_series(call: Call, *series_lists: SeriesList) -> SeriesList:
    """Minimum of all series at each time."""
    return aggregated(call, joined(series_lists), "min")


@function("maxSeries", "Combine", SERIES_LISTS, aggregator=True, keeps=HIGHEST)
def max_series(call: Call, *series_lists: SeriesList) -> SeriesList:
    """Maximum of all series at each time."""
    return aggregated(call, joined(series_lists), "max")


@function("rangeOfSeries", "Combine", SERIES_LISTS, aggregator=True, keeps=EACH_TIME)
def range_of_series(call: Call, *series_lists: SeriesList) -> SeriesList:
    """Difference of the maximum and the minimum of all series at each time."""
    return aggregated(call, joined(series_lists), "rangeOf")


@function("multiplySeries", "Combine", SERIES_LISTS, aggregator=True, keeps=EACH_TIME)
def multiply_series(call: Call, *series_lists: SeriesList) -> SeriesList:
    """Product of all series; unknown where one of them is unknown. A single series stays unchanged."""
    if len(series_lists) == 1 and len(series_lists[0]) == 1:
        return series_lists[0]
    return aggregated(call, joined(series_lists), "multiply")


@function("countSeries", "Combine", Param("seriesLists", SERIES_LIST, multiple=True), aggregator=True, keeps=SHIFTED)
def count_series(call: Call, *series_lists: SeriesList) -> SeriesList:
    """Number of series, as a line."""
    series_list = joined(series_lists)
    if not series_lists:
        return [constant_line(call, 0)[0].derived(path="countSeries()")]
    if not series_list:
        return []
    aligned = align(series_list)
    count = [len(series_list)] * max(len(series.values) for series in aligned.series)
    name, nodes = f"countSeries({paths_of(series_list)})", series_list[0].path_nodes
    return [call.computed(name, aligned.start, aligned.end, aligned.step, count, nodes)]
