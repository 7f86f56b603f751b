"""Hypothesis strategies for requests of each endpoint that reveals series or events."""

from typing import Any

from hypothesis import strategies as st

from rondo_query_api.functions import FUNCTIONS, Param
from rondo_query_api.functions.types import AGGREGATE_NAMES

from .tenants import GONE, SERIES, T

Request = tuple[str, dict[str, Any]]
NODES = ("**", "a", "b", "shared", "cpu", "mem", "x", "common", "c", "hidden", "gone", "*", "?", "{a,b}", "[!b]*")
PATTERNS = st.lists(st.sampled_from(NODES), min_size=1, max_size=4).map(".".join)
NAMES = st.sampled_from([*SERIES, *GONE])
PATHS = PATTERNS | NAMES
TAGS = ("name", "team", "dc", "host", "only", "zone", "rack", "absent")
VALUES = ("a", "b", "c", "ops", "ams", "cpu", "a.cpu.x", "h", "t1", "", ".*", "a.*", "[ab]", "cpu|mem")
EXPRESSIONS = st.builds(
    "{}{}{}".format, st.sampled_from(TAGS), st.sampled_from(("=", "!=", "=~", "!=~")), st.sampled_from(VALUES)
)
REQUIRED = st.builds(
    "{}{}".format, st.sampled_from(TAGS), st.sampled_from(("=a", "=~.", "=~a.*", "!=", "=ams", "=cpu"))
)
QUERIES = st.builds(lambda first, others: [first, *others], REQUIRED, st.lists(EXPRESSIONS, max_size=2))
EVENT_TAGS = st.sampled_from(("deploy", "web", "outage", "scope:a", "scope:b", "*", "absent"))
TEXTS = ("a", "cpu", "x", "a.*", "(a|b)", "$1", "max", "average", ">", "1min", "sumSeries(%.*)", "%.cpu.x", "b.cpu.x")
# By the names of Graphite's types.
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "aggFunc": tuple(sorted(AGGREGATE_NAMES)),
    "aggOrSeriesFunc": ("sum", "max", "sumSeries", "averageSeries", "asPercent"),
    "any": (0, 1.5, "x"),
    "boolean": (True, False),
    "date": ("-1min", "20231115"),
    "float": (0, 1, 2.5, -1, 50, 95),
    "intOrInf": (1, 2),
    "intOrInterval": (3, "1min"),
    "integer": (0, 1, 2, 5),
    "interval": ("10s", "1min", "2min"),
    "node": (0, 1, 2, -1),
    "nodeOrTag": (0, 1, "team", "dc", "name"),
    "string": TEXTS,
    "tag": TAGS,
}
# All functions of Graphite except random ones.
NAMES_OF_FUNCTIONS = sorted(name for name in FUNCTIONS if not name.startswith("randomWalk"))


def _quoted(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value).lower()


@st.composite
def targets(draw: st.DrawFn, depth: int = 2, function: str = "") -> str:
    """A path, or a function, by default any, of paths and functions."""
    if depth == 0:
        return draw(PATHS | QUERIES.map(lambda query: f"seriesByTag({', '.join(map(_quoted, query))})"))
    name = function or draw(st.sampled_from(NAMES_OF_FUNCTIONS))
    if name == "seriesByTag":
        return f"seriesByTag({', '.join(map(_quoted, draw(QUERIES)))})"
    if name == "events":
        return f"events({_quoted(draw(EVENT_TAGS))})"
    params = FUNCTIONS[name].params
    required = sum(param.required for param in params)
    arguments: list[str] = []
    for param in params[: draw(st.integers(required, max(required, len(params))))]:
        times = draw(st.integers(1, 2)) if param.multiple else 1
        arguments += [draw(_arguments(param, depth)) for _ in range(times)]
    return f"{name}({', '.join(arguments)})"


def _arguments(param: Param, depth: int) -> st.SearchStrategy[str]:
    if param.type.name in ("seriesList", "seriesLists"):
        return st.sampled_from((0, depth - 1)).flatmap(targets)
    return st.sampled_from(tuple(param.options) or ARGUMENTS[param.type.name]).map(_quoted)


def _request(path: str, **fields: Any) -> st.SearchStrategy[Request]:
    """Request with a value of each field; None is omitted."""
    drawn = {name: value if isinstance(value, st.SearchStrategy) else st.just(value) for name, value in fields.items()}
    return st.fixed_dictionaries(drawn).map(
        lambda query: (path, {name: value for name, value in query.items() if value is not None})
    )


LIMITS = st.sampled_from((None, 1, 2, 5))
STARTS = st.sampled_from((None, "", "a", "b", "t", "sh"))
FILTERS = st.sampled_from((None, "^a", "b|t", "."))
FINDS = _request(
    "/metrics/find",
    query=PATHS,
    format=st.sampled_from(("treejson", "completer", "nodelist")),
    wildcards=st.sampled_from((None, 1)),
    leavesOnly=st.sampled_from((None, 1)),
)
EXPANDS = _request(
    "/metrics/expand", query=st.lists(PATHS, min_size=1, max_size=3), groupByExpr=st.sampled_from((0, 1))
)
NEW = st.sampled_from((None, T - 150))
SEARCHES: tuple[dict[str, Any], ...] = (
    {"query": PATHS},
    {"expr": QUERIES},
    {"policy": st.sampled_from(("fine", "coarse"))},
    {},
)
OTHERS: dict[str, st.SearchStrategy[Request]] = {
    "find": FINDS,
    "expand": EXPANDS,
    "index": _request("/metrics/index.json"),
    "tags": _request("/tags", filter=FILTERS, limit=LIMITS),
    "tag": st.sampled_from(TAGS).flatmap(lambda tag: _request(f"/tags/{tag}", filter=FILTERS, limit=LIMITS)),
    "find series": _request("/tags/findSeries", expr=QUERIES, limit=LIMITS),
    "complete tags": _request("/tags/autoComplete/tags", expr=st.none() | QUERIES, tagPrefix=STARTS, limit=LIMITS),
    "complete values": _request(
        "/tags/autoComplete/values",
        tag=st.sampled_from(TAGS),
        expr=st.none() | QUERIES,
        valuePrefix=STARTS,
        limit=LIMITS,
    ),
    "events": _request(
        "/events/get_data",
        tags=st.lists(EVENT_TAGS, max_size=2).map(" ".join),
        set=st.sampled_from((None, "union")),
        until=T + 1000,
    ),
    "event": st.integers(1, 8).flatmap(lambda id_: _request(f"/events/{id_}")),
    **{
        f"count by {by}": _request("/series/cardinality", by=by, newSince=NEW, limit=LIMITS)
        for by in ("policy", "source", "tag")
    },
    "count by prefix": _request(
        "/series/cardinality",
        by="prefix",
        prefix=st.sampled_from((None, "a.", "b.", "shared.", "hidden.")),
        newSince=NEW,
        limit=LIMITS,
    ),
    "count by value": _request(
        "/series/cardinality", by="value", tag=st.sampled_from(TAGS), newSince=NEW, limit=LIMITS
    ),
    "describe": st.one_of(*(_request("/series/find", newSince=NEW, limit=LIMITS, **each) for each in SEARCHES)),
    "names": st.one_of(*(_request("/series/names", newSince=NEW, limit=LIMITS, **each) for each in SEARCHES)),
    "remaining": _request("/series/remaining", id=st.lists(st.integers(1, 45), min_size=1, max_size=9)),
}


def renders(function: str = "") -> st.SearchStrategy[Request]:
    """Requests for a target with this outermost function, by default any."""
    return _request(
        "/render",
        target=targets(function=function),
        **{"from": st.sampled_from((T, T + 100))},
        until=st.sampled_from((T + 300, T + 390)),
        now=T + 390,
        format=st.sampled_from(("json", "raw", "csv", "dygraph")),
        maxDataPoints=st.sampled_from((None, 3)),
    )
