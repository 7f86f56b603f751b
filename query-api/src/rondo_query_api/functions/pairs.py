"""Functions of two lists, pair by pair."""

from ..timeseries import TimeSeries
from .call import Call
from .catalogue import Param, function
from .combine import FUNCTION, X_FILES_FACTOR, aggregated
from .keeping import KeepsBy, combined
from .quotients import check_pairs
from .types import SERIES_LIST

SeriesList = list[TimeSeries]
LISTS = (
    Param("seriesListFirstPos", SERIES_LIST, required=True),
    Param("seriesListSecondPos", SERIES_LIST, required=True),
)


@function("aggregateSeriesLists", "Combine", *LISTS, FUNCTION, X_FILES_FACTOR, keeps=KeepsBy("func", combined))
def aggregate_series_lists(
    call: Call, first: SeriesList, second: SeriesList, func: str, x_files_factor: float | None = None
) -> SeriesList:
    """Aggregate of the n-th series of both lists."""
    check_pairs("aggregateSeriesLists", first, second)
    name = func.removesuffix("Series") + "Series"

    def pair(one: TimeSeries, other: TimeSeries) -> TimeSeries:
        [series] = aggregated(call, [one, other], func, x_files_factor)
        return series.renamed(f"{name}({one.name},{other.name})", nodes=one.nodes)

    return [pair(one, other) for one, other in zip(first, second, strict=True)]


def _lists(name: str, func: str, description: str) -> None:
    def implementation(call: Call, first: SeriesList, second: SeriesList) -> SeriesList:
        return aggregate_series_lists(call, first, second, func)

    implementation.__doc__ = description
    function(name, "Combine", *LISTS, aggregator=True, keeps=combined(func))(implementation)


_lists("sumSeriesLists", "sum", "Sums of the n-th series of both lists.")
_lists("diffSeriesLists", "diff", "The n-th series of the first list minus the n-th of the second.")
_lists("multiplySeriesLists", "multiply", "Products of the n-th series of both lists.")
