"""Other functions: consolidation, series by tag, changes, events."""

from ..limits import request_budget
from ..timeseries import CONSOLIDATIONS, TimeSeries, ValueList
from .call import Call
from .catalogue import SERIES, Param, function
from .combine import joined
from .keeping import CHANGED, INSPECTED, UNCHANGED, KeepsBy, selected
from .types import FLOAT, SERIES_LIST, STRING

SeriesList = list[TimeSeries]


@function(
    "consolidateBy",
    "Special",
    SERIES,
    Param("consolidationFunc", STRING, required=True, options=list(CONSOLIDATIONS)),
    keeps=KeepsBy("consolidationFunc", selected),
)
def consolidate_by(series_list: SeriesList, func: str) -> SeriesList:
    """Consolidation function of the values; its archives are read if there are any."""
    return [
        series.derived(f'consolidateBy({series.name},"{func}")', tags={"consolidateBy": func}, consolidate_by=func)
        for series in series_list
    ]


@function("cumulative", "Special", SERIES, keeps=selected("sum"))
def cumulative(series_list: SeriesList) -> SeriesList:
    """Consolidation by sum."""
    return consolidate_by(series_list, "sum")


@function(
    "setXFilesFactor",
    "Special",
    SERIES,
    Param("xFilesFactor", FLOAT, required=True),
    aliases=["xFilesFactor"],
    keeps=INSPECTED,
)
def set_x_files_factor(call: Call, series_list: SeriesList, x_files_factor: float) -> SeriesList:
    """Minimum share of known values, 0 to 1, for a known result: of these series, and in enclosing functions."""
    call.context.x_files_factor = x_files_factor
    return [
        series.derived(x_files_factor=x_files_factor, tags={"xFilesFactor": x_files_factor}) for series in series_list
    ]


@function("group", "Combine", Param("seriesLists", SERIES_LIST, multiple=True), keeps=UNCHANGED)
def group(*series_lists: SeriesList) -> SeriesList:
    """All series in one list."""
    return joined(series_lists)


@function("fallbackSeries", "Special", SERIES, Param("fallback", SERIES_LIST, required=True), keeps=UNCHANGED)
def fallback_series(series_list: SeriesList, fallback: SeriesList) -> SeriesList:
    """Other series if there are none."""
    return series_list or fallback


@function("changed", "Special", SERIES, keeps=CHANGED)
def changed(series_list: SeriesList) -> SeriesList:
    """1 where a value differs from the previous known one, else 0."""

    def changes(values: ValueList) -> ValueList:
        marks: ValueList = []
        before: float | None = None
        for value in values:
            marks.append(int(None not in (before, value) and value != before))
            before = before if value is None else value
        return marks

    return [series.derived(f"changed({series.name})", changes(series.value_list)) for series in series_list]


@function("seriesByTag", "Special", Param("tagExpressions", STRING, required=True, multiple=True), keeps=UNCHANGED)
def series_by_tag(call: Call, *expressions: str) -> SeriesList:
    """Series whose tags match all expressions: ``tag=value``, ``tag!=value``, ``tag=~regex``, ``tag!=~regex``."""
    return call.context.read_tagged(expressions, call.text)


@function("events", "Special", Param("tags", STRING, required=True, multiple=True), keeps=UNCHANGED)
def events(call: Call, *tags: str) -> SeriesList:
    """Number of events in each second that have all the tags, or any for ``*``."""
    start, end = call.context.start, call.context.end
    request_budget.current().take_points(end - start)
    counts = call.context.reader.events(() if tags == ("*",) else tags, start, end)
    quoted = ", ".join(f'"{tag}"' for tag in tags)
    values: ValueList = [counts.get(second) for second in range(start, end)]
    return [call.computed(f"events({quoted})", start, end, 1, values).derived(consolidate_by="sum")]
