"""Functions that change names of series."""

from ..errors import BadRequestError
from ..find.regexes import Regex, Spelling
from ..graphite import format_units
from ..limits import substitution
from ..targets import exactly
from ..timeseries import TimeSeries
from .aggregates import AGGREGATES, ALIASES, aggregate
from .call import Call
from .catalogue import SERIES, Param, function
from .keeping import INSPECTED, UNCHANGED
from .keys import key_of, nodes_of
from .types import AGGREGATE_NAMES, INTEGER, NODE, NODE_OR_TAG, STRING, Type

SeriesList = list[TimeSeries]
SYSTEMS = ("si", "binary")
SEARCH, REPLACE = Param("search", STRING, required=True), Param("replace", STRING, required=True)
NEW_NAME = Param("newName", STRING, required=True)
POSITIONS = Param("pos", INTEGER, multiple=True)
VALUE_TYPES = Type(
    "string", str, "aggregates", (*AGGREGATE_NAMES, *(f"{name}Series" for name in AGGREGATE_NAMES), *SYSTEMS)
)


@function("alias", "Alias", SERIES, NEW_NAME, keeps=UNCHANGED)
def alias(series_list: SeriesList, new_name: str) -> SeriesList:
    """The given name."""
    return [series.renamed(new_name, nodes=new_name) for series in series_list]


@function("aliasSub", "Alias", SERIES, SEARCH, REPLACE, keeps=UNCHANGED)
def alias_sub(series_list: SeriesList, search: str, replace: str) -> SeriesList:
    r"""Each match of a regular expression in the name replaced; ``\1`` is its first group."""
    return [_respelled(series, substituted("aliasSub", search, replace, series.name)) for series in series_list]


def _respelled(series: TimeSeries, name: str) -> TimeSeries:
    """Copy with a name derived from its name; the nodes of a call must then be parsed from the new name."""
    return series.renamed(name, nodes=None if series.is_call else name)


def substituted(function: str, search: str, replace: str, name: str, spell: Spelling = str) -> str:
    """Name with each match replaced; ``spell`` is applied to what comes from the name.

    Raises :class:`BadRequestError` for an invalid regular expression.
    """
    return Regex(f"{function}: search is {search!r}", search).replaced(name, replace, spell)


def target_of(function: str, search: str, replace: str, series: TimeSeries) -> str:
    """Target that results from a replacement in the name. What remains of a name has no wildcards; a call stays one."""
    return substituted(function, search, replace, series.name, str if series.is_call else exactly)


@function("aliasByNode", "Alias", SERIES, Param("nodes", NODE_OR_TAG, required=True, multiple=True), keeps=UNCHANGED)
def alias_by_node(series_list: SeriesList, *nodes: int | str) -> SeriesList:
    """Name made of nodes of the name, counted from 0, and of tags."""
    return [series.renamed(key, nodes=key) for series in series_list for key in [key_of(series, nodes)]]


@function("aliasByTags", "Alias", SERIES, Param("tags", NODE_OR_TAG, required=True, multiple=True), keeps=UNCHANGED)
def alias_by_tags(series_list: SeriesList, *tags: int | str) -> SeriesList:
    """Name made of values of tags and of nodes of the name."""
    return alias_by_node(series_list, *tags)


@function("aliasByMetric", "Alias", SERIES, keeps=UNCHANGED)
def alias_by_metric(series_list: SeriesList) -> SeriesList:
    """Name reduced to its last node."""
    return substr(series_list, -1, 0)


@function("substr", "Special", SERIES, Param("start", NODE, default=0), Param("stop", NODE, default=0), keeps=UNCHANGED)
def substr(series_list: SeriesList, start: int, stop: int) -> SeriesList:
    """Name reduced to the nodes from ``start`` to before ``stop``, 0 for all; enclosing functions are removed."""

    def part(series: TimeSeries) -> str:
        return ".".join(nodes_of(series).split(".")[start : stop or None])

    return [series.renamed(name, nodes=name) for series in series_list for name in [part(series)]]


@function("upper", "Alias", SERIES, POSITIONS, keeps=UNCHANGED)
def upper(series_list: SeriesList, *positions: int) -> SeriesList:
    """Name in upper case, or only its characters at these positions."""
    return [_respelled(series, _at(series.name, series.name.upper(), positions)) for series in series_list]


@function("lower", "Alias", SERIES, POSITIONS, keeps=UNCHANGED)
def lower(series_list: SeriesList, *positions: int) -> SeriesList:
    """Name in lower case, or only its characters at these positions."""
    return [_respelled(series, _at(series.name, series.name.lower(), positions)) for series in series_list]


def _at(name: str, changed: str, positions: tuple[int, ...]) -> str:
    indexes = {position % len(name) for position in positions if -len(name) <= position < len(name)}
    if not positions or len(changed) != len(name):
        return changed
    return "".join(changed[n] if n in indexes else character for n, character in enumerate(name))


@function("aliasQuery", "Alias", SERIES, SEARCH, REPLACE, NEW_NAME, keeps=UNCHANGED)
def alias_query(call: Call, series_list: SeriesList, search: str, replace: str, new_name: str) -> SeriesList:
    """Name from the last value of another target, which results from a replacement in the name; ``%g`` is the value."""

    def name(series: TimeSeries) -> str:
        target = target_of("aliasQuery", search, replace, series)
        last = call.value(target)
        if last is None:
            raise BadRequestError(f"aliasQuery: the target {target!r} has no value")
        return substitution.formatted("aliasQuery: newName", new_name, last)

    return [series.renamed(text, nodes=text) for series in series_list for text in [name(series)]]


@function(
    "legendValue",
    "Alias",
    SERIES,
    Param("valuesTypes", VALUE_TYPES, multiple=True, shown="*valueTypes"),
    keeps=INSPECTED,
)
def legend_value(series_list: SeriesList, *value_types: str) -> SeriesList:
    """Name with aggregates of the values, plain or with units if the last type is ``si`` or ``binary``."""
    system = value_types[-1] if value_types and value_types[-1] in SYSTEMS else None

    def name(series: TimeSeries) -> str:
        text = series.name
        for value_type in value_types[:-1] if system else value_types:
            known_type = value_type in AGGREGATES or value_type in ALIASES
            value = aggregate(value_type, series.values) if known_type else "(?)"
            if system:
                shown = (
                    "{:.2f}{}".format(*format_units(value, system=system)) if isinstance(value, float | int) else value
                )
                text = f"{text:<20}{value_type:<5}{shown!s:<10}"
            else:
                text += f" ({value_type}: {value})"
        return text

    return [series.renamed(name(series)) for series in series_list]


@function(
    "cactiStyle", "Special", SERIES, Param("system", STRING, options=SYSTEMS), Param("units", STRING), keeps=INSPECTED
)
def cacti_style(series_list: SeriesList, system: str | None, units: str | None) -> SeriesList:
    """Name with the last, maximum and minimum value in columns."""

    def shown(value: float) -> str:
        if not system:
            return f"{value:.2f} {units}" if units else f"{value:.2f}"
        number, prefix = format_units(value, system=system, units=units)
        return f"{number:.2f} {prefix}" if units else f"{number:.2f}{prefix}"

    columns = {"Current": "last", "Max": "max", "Min": "min"}
    values = {title: [aggregate(name, series.values) for series in series_list] for title, name in columns.items()}
    widths = {
        title: max(len(shown(int(value or 3))) for value in values[title]) + 3 for title in columns if series_list
    }
    longest = max((len(series.name) for series in series_list), default=0)

    def name(n: int) -> str:
        text = f"{series_list[n].name:<{longest}}"
        for title in columns:
            value = values[title][n]
            text += f" {title}:{'nan' if value is None else shown(float(value)):<{widths[title]}}"
        return text + " "

    return [series.renamed(name(n)) for n, series in enumerate(series_list)]
