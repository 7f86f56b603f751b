"""Functions that sort series."""

import re

from ..timeseries import TimeSeries
from .catalogue import SERIES, Param, function
from .filters import FUNCTION, rank
from .keeping import INSPECTED, UNCHANGED
from .types import BOOLEAN

SeriesList = list[TimeSeries]
REVERSE = Param("reverse", BOOLEAN, default=False)


@function("sortBy", "Sorting", SERIES, FUNCTION, REVERSE, keeps=INSPECTED)
def sort_by(series_list: SeriesList, func: str, reverse: bool) -> SeriesList:
    """Sorted by an aggregate of the values, lowest first."""
    return sorted(series_list, key=rank(func), reverse=reverse)


@function("sortByTotal", "Sorting", SERIES, keeps=INSPECTED)
def sort_by_total(series_list: SeriesList) -> SeriesList:
    """Sorted by the sum of the values, highest first."""
    return sort_by(series_list, "sum", reverse=True)


@function("sortByMaxima", "Sorting", SERIES, keeps=INSPECTED)
def sort_by_maxima(series_list: SeriesList) -> SeriesList:
    """Sorted by the maximum, highest first."""
    return sort_by(series_list, "max", reverse=True)


@function("sortByMinima", "Sorting", SERIES, keeps=INSPECTED)
def sort_by_minima(series_list: SeriesList) -> SeriesList:
    """Sorted by the minimum, lowest first; only series with a value above 0."""
    positive = [series for series in series_list if series.known.max(initial=0) > 0]
    return sorted(positive, key=rank("min"))


@function("sortByName", "Sorting", SERIES, Param("natural", BOOLEAN, default=False), REVERSE, keeps=UNCHANGED)
def sort_by_name(series_list: SeriesList, natural: bool, reverse: bool) -> SeriesList:
    """Sorted by name; in natural order 2 comes before 10."""

    def key(series: TimeSeries) -> str:
        return re.sub(r"\d+", lambda number: f"{int(number[0]):010}", series.name) if natural else series.name

    return sorted(series_list, key=key, reverse=reverse)
