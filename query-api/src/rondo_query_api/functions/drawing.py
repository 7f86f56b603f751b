"""Drawing options; most of these functions keep values and names."""

from typing import Any

from ..errors import BadRequestError
from ..timeseries import TimeSeries, ValueList
from .call import Call
from .catalogue import SERIES, Param, function
from .keeping import LINEAR, UNCHANGED
from .types import FLOAT, INTEGER_OR_FLOAT, STRING

SeriesList = list[TimeSeries]
DEFAULT_STACK = "__DEFAULT__"


def _drawn(series: TimeSeries, **options: Any) -> TimeSeries:
    return series.derived(options={**series.options, **options})


@function("alpha", "Graph", SERIES, Param("alpha", FLOAT, required=True), keeps=UNCHANGED)
def alpha(series_list: SeriesList, alpha: float) -> SeriesList:
    """Drawn with this opacity, 0 to 1."""
    return [_drawn(series, alpha=alpha) for series in series_list]


@function("color", "Graph", SERIES, Param("theColor", STRING, required=True), keeps=UNCHANGED)
def color(series_list: SeriesList, the_color: str) -> SeriesList:
    """Drawn in this color, a name or RRGGBB."""
    return [series.derived(color=the_color) for series in series_list]


@function("lineWidth", "Graph", SERIES, Param("width", FLOAT, required=True), keeps=UNCHANGED)
def line_width(series_list: SeriesList, width: float) -> SeriesList:
    """Drawn as lines of this width."""
    return [_drawn(series, lineWidth=width) for series in series_list]


@function("dashed", "Graph", SERIES, Param("dashLength", INTEGER_OR_FLOAT, default=5), keeps=UNCHANGED)
def dashed(series_list: SeriesList, dash_length: float) -> SeriesList:
    """Drawn as dashes of this length."""
    return [
        _drawn(series, dashed=dash_length).renamed(f"dashed({series.name}, {dash_length:g})", {"dashed": dash_length})
        for series in series_list
    ]


@function("drawAsInfinite", "Graph", SERIES, keeps=UNCHANGED)
def draw_as_infinite(series_list: SeriesList) -> SeriesList:
    """Drawn as vertical lines where the value is not 0."""
    return [
        _drawn(series, drawAsInfinite=True).renamed(f"drawAsInfinite({series.name})", {"drawAsInfinite": 1})
        for series in series_list
    ]


@function("secondYAxis", "Graph", SERIES, keeps=UNCHANGED)
def second_y_axis(series_list: SeriesList) -> SeriesList:
    """Drawn on the scale at the right."""
    return [
        _drawn(series, secondYAxis=True).renamed(f"secondYAxis({series.name})", {"secondYAxis": 1})
        for series in series_list
    ]


@function(
    "stacked",
    "Graph",
    Param("seriesList", SERIES.type, required=True, shown="seriesLists"),
    Param("stack", STRING, shown=f"stackName={DEFAULT_STACK!r}", absent=DEFAULT_STACK),
    keeps=LINEAR,
)
def stacked(call: Call, series_list: SeriesList, stack_name: str) -> SeriesList:
    """Each series stacked on the previous ones of the same stack, including those of earlier targets."""
    stack = call.context.stacks.setdefault(stack_name, [])

    def on_top(series: TimeSeries) -> TimeSeries:
        stack.extend([0.0] * (len(series.values) - len(stack)))
        values: ValueList = []
        for n, value in enumerate(series.value_list):
            stack[n] += value or 0.0
            values.append(None if value is None else stack[n])
        if stack_name != DEFAULT_STACK:
            return _stacked(series, series.name, values)
        return _stacked(series, f"stacked({series.name})", values).derived(tags={"stacked": stack_name})

    return [on_top(series) for series in series_list]


def _stacked(series: TimeSeries, name: str, values: ValueList) -> TimeSeries:
    return _drawn(series, stacked=True).derived(name, values, aggregate=series.aggregate)


@function("areaBetween", "Graph", SERIES, keeps=UNCHANGED)
def area_between(series_list: SeriesList) -> SeriesList:
    """Area between two series."""
    return area(series_list, "areaBetween")


def area(series_list: SeriesList, function: str) -> SeriesList:
    """Two series, drawn and named as the area between them by that function."""
    if len(series_list) != 2:  # noqa: PLR2004 - an area has two bounds
        raise BadRequestError(f"{function}: seriesList is {len(series_list)} series, not 2")
    lower, upper = series_list
    tags = {**upper.tags, function: "1"}
    name, nodes = f"{function}({upper.path})", upper.path_nodes
    return [
        _drawn(lower, stacked=True, invisible=True).derived(name, path=lower.path, nodes=nodes).retagged(tags),
        _drawn(upper, stacked=True).derived(name, path=upper.path, nodes=nodes).retagged(tags),
    ]
