"""Groups of series by nodes of their names, or by tags: aggregated, mapped, reduced."""

from ..errors import BadRequestError
from ..find.idents import text_of
from ..limits import substitution
from ..targets import exactly
from ..timeseries import TimeSeries
from .aggregates import AGGREGATES, ALIASES
from .call import Call
from .catalogue import FUNCTIONS, SERIES, Param, function
from .combine import FUNCTION, aggregated
from .keeping import UNCHANGED, KeepsBy, combined
from .keys import grouped, key_of
from .types import AGGREGATE_OR_SERIES, NODE, NODE_OR_TAG, SERIES_LISTS, STRING, TAG

SeriesList = list[TimeSeries]
POSITION = Param("position", NODE, multiple=True)


def _combined(call: Call, series_list: SeriesList, callback: str) -> TimeSeries:
    """Combine the series into one, by a function of series or an aggregate."""
    if callback in FUNCTIONS:
        combined = call.apply(callback, series_list)
    elif callback.removesuffix("Series") in AGGREGATES or callback.removesuffix("Series") in ALIASES:
        combined = aggregated(call, series_list, callback)
    else:
        raise BadRequestError(f"callback is {callback!r}, neither an aggregate nor a function")
    if not combined:
        raise BadRequestError(f"callback {callback!r} returns no series for {len(series_list)} series")
    return combined[0]


@function(
    "groupByNodes",
    "Combine",
    SERIES,
    Param("callback", AGGREGATE_OR_SERIES, required=True),
    Param("nodes", NODE_OR_TAG, multiple=True),
    keeps=KeepsBy("callback", combined),
)
def group_by_nodes(call: Call, series_list: SeriesList, callback: str, *nodes: int | str) -> SeriesList:
    """One series for each group with the same nodes of the name, or tags, which name it; combined by a function."""
    groups = grouped(series_list, lambda series: key_of(series, nodes))
    return [_combined(call, group, callback).renamed(key, nodes=key) for key, group in groups.items()]


@function(
    "groupByNode",
    "Combine",
    SERIES,
    Param("nodeNum", NODE_OR_TAG, required=True),
    Param("callback", AGGREGATE_OR_SERIES, default="average"),
    keeps=KeepsBy("callback", combined),
)
def group_by_node(call: Call, series_list: SeriesList, node: int | str, callback: str) -> SeriesList:
    """One series for each group with the same node of the name, or tag, which names it; combined by a function."""
    return group_by_nodes(call, series_list, callback, node)


@function(
    "groupByTags",
    "Combine",
    SERIES,
    Param("callback", AGGREGATE_OR_SERIES, required=True),
    Param("tags", TAG, required=True, multiple=True),
    keeps=KeepsBy("callback", combined),
)
def group_by_tags(call: Call, series_list: SeriesList, callback: str, *tags: str) -> SeriesList:
    """One series for each group with the same values of the tags, combined by a function; it has only these tags."""
    names = {series.tags.get("name", "") for series in series_list}
    common = names.pop() if len(names) == 1 else callback

    def ident(series: TimeSeries) -> tuple[tuple[str, str], ...]:
        own = {tag: series.tags.get(tag, "") for tag in tags}
        return tuple({"name": common, **own}.items())

    return [
        _combined(call, group, callback).derived(name, nodes=name).retagged(dict(key))
        for key, group in grouped(series_list, ident).items()
        for name in [text_of(dict(key))]
    ]


@function(
    "aggregateWithWildcards",
    "Combine",
    SERIES,
    FUNCTION,
    Param("position", NODE, multiple=True, shown="*positions"),
    keeps=KeepsBy("func", combined),
)
def aggregate_with_wildcards(call: Call, series_list: SeriesList, func: str, *positions: int) -> SeriesList:
    """One series for each group with the same name except for the nodes at these positions, by an aggregate."""

    def rest_of_name(series: TimeSeries) -> str:
        return ".".join(node for n, node in enumerate(series.name.split(".")) if n not in positions)

    return [
        aggregated(call, group, func)[0].renamed(key, nodes=None if group[0].is_call else key)
        for key, group in grouped(series_list, rest_of_name).items()
    ]


def _with_wildcards(name: str, func: str, description: str) -> None:
    def implementation(call: Call, series_list: SeriesList, *positions: int) -> SeriesList:
        return aggregate_with_wildcards(call, series_list, func, *positions)

    implementation.__doc__ = description
    function(name, "Combine", SERIES, POSITION, aggregator=True, keeps=combined(func))(implementation)


_with_wildcards(
    "sumSeriesWithWildcards", "sum", "Sums of series with the same name except for the nodes at the positions."
)
_with_wildcards("averageSeriesWithWildcards", "average", "Means of series with the same name except for some nodes.")
_with_wildcards(
    "multiplySeriesWithWildcards", "multiply", "Products of series with the same name except for some nodes."
)


@function(
    "mapSeries",
    "Combine",
    SERIES,
    Param("mapNodes", NODE_OR_TAG, required=True, multiple=True),
    aliases=["map"],
    keeps=UNCHANGED,
)
def map_series(series_list: SeriesList, *nodes: int | str) -> list[SeriesList]:
    """List of lists for reduceSeries: each list has the series with the same nodes of the name, or tags."""
    return list(grouped(series_list, lambda series: key_of(series, nodes)).values())


@function(
    "reduceSeries",
    "Combine",
    Param("seriesLists", SERIES_LISTS, required=True),
    Param("reduceFunction", STRING, required=True),
    Param("reduceNode", NODE, required=True),
    Param("reduceMatchers", STRING, required=True, multiple=True),
    aliases=["reduce"],
    keeps=KeepsBy("reduceFunction", combined),
)
def reduce_series(
    call: Call, series_lists: list[SeriesList], reduce_function: str, reduce_node: int, *matchers: str
) -> SeriesList:
    """A function of the series of each list whose node is one of the matchers, in the order of the matchers.

    A list without a series for each matcher is omitted.
    """
    chosen: dict[str, dict[str, TimeSeries]] = {}
    for series in (series for series_list in series_lists for series in series_list):
        nodes = series.name.split(".")
        if -len(nodes) <= reduce_node < len(nodes) and nodes[reduce_node] in matchers:
            name = f"{'.'.join(nodes[:reduce_node])}.reduce.{reduce_function}"
            chosen.setdefault(name, {})[nodes[reduce_node]] = series
    return [
        call.apply(reduce_function, *([by_node[matcher]] for matcher in matchers))[0].renamed(name, nodes=name)
        for name, by_node in chosen.items()
        if all(matcher in by_node for matcher in matchers)
    ]


@function(
    "applyByNode",
    "Combine",
    SERIES,
    Param("nodeNum", NODE, required=True),
    Param("templateFunction", STRING, required=True),
    Param("newName", STRING),
    keeps=UNCHANGED,
)
def apply_by_node(call: Call, series_list: SeriesList, node: int, template: str, new_name: str | None) -> SeriesList:
    """For each distinct beginning of the names, up to a node: a target in which ``%`` stands for this beginning."""
    prefixes = {".".join(series.name.split(".")[: node + 1]): series.is_call for series in series_list}
    return [
        series.derived(
            path=prefix,
            path_nodes=prefix,
            name=substitution.replaced("applyByNode: newName", new_name, "%", prefix) if new_name else series.name,
            start=series_list[-1].start,
            end=series_list[-1].end,
        )
        for prefix, of_call in sorted(prefixes.items())
        for path in [prefix if of_call else exactly(prefix)]
        for series in call.target(substitution.replaced("applyByNode: templateFunction", template, "%", path))
    ]
