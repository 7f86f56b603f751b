"""/metrics, /metrics/find, /metrics/expand, /metrics/index.json."""

import time
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from flask import Blueprint, Response, request

from ..errors import BadRequestError
from ..find.patterns import MAX_NODES
from ..find.series import SeriesFinder
from ..find.tree import Level
from ..limits.request_budget import check_limit
from ..params import Params
from ..render.formats import dumps
from ..times import parse_time
from . import METHODS, node_formats
from .responses import json_response

FORMATS = ("treejson", "completer", "json", "nodelist", "pickle", "msgpack")
FORMATS_WITH_INTERVALS = ("json", "pickle", "msgpack")


def blueprint(finder: SeriesFinder, time_zone: str, max_queries: int) -> Blueprint:
    """Create the endpoints; ``time_zone`` is the default zone of times in requests.

    A request has at most ``max_queries`` queries.
    """
    routes = Blueprint("metrics", __name__)

    @routes.route("/metrics", methods=METHODS)
    @routes.route("/metrics/find", methods=METHODS)
    def find() -> Response:
        params = Params(request)
        query = params.required("query")[-1]
        if not query:
            raise BadRequestError("the parameter query is empty")
        wanted = params.last("format") or "treejson"
        if wanted not in FORMATS:
            raise BadRequestError(f"format is {wanted!r}, not one of {', '.join(FORMATS)}")
        _check_times(params, ZoneInfo(time_zone))
        pattern = _completed(query, params.flag("automatic_variants")) if wanted == "completer" else query
        level = finder.level(pattern, params.flag("leavesOnly"), with_starts_at=wanted in FORMATS_WITH_INTERVALS)
        return _response(level, query, wanted, params)

    @routes.route("/metrics/expand", methods=METHODS)
    def expand() -> Response:
        params = Params(request)
        queries = params.required("query")
        check_limit("queries", len(queries), max_queries, "max_targets")
        leaves_only = params.flag("leavesOnly")
        levels = {query: finder.level(query, leaves_only) for query in queries}
        found = {query: sorted({*level.branches, *level.leaves}) for query, level in levels.items()}
        if params.flag("groupByExpr"):
            return json_response(dumps({"results": found}), params.jsonp())
        every = sorted({path for paths in found.values() for path in paths})
        return json_response(dumps({"results": every}), params.jsonp())

    @routes.route("/metrics/index.json", methods=METHODS)
    def index() -> Response:
        return json_response(finder.names(), Params(request).jsonp())

    return routes


def _response(level: Level, query: str, wanted: str, params: Params) -> Response:
    now = int(time.time())
    match wanted:
        case "pickle":
            return Response(node_formats.as_pickle(level, now), mimetype="application/pickle")
        case "msgpack":
            return Response(node_formats.as_msgpack(level, now), mimetype="application/x-msgpack")
        case "json":
            body = node_formats.as_json(level, now)
        case "nodelist":
            body = node_formats.node_list(level, params.whole("position", -1, -MAX_NODES, MAX_NODES))
        case "completer":
            body = node_formats.completer(level, params.flag("wildcards"))
        case _:
            body = node_formats.tree_json(level, query, params.flag("wildcards"))
    return json_response(body, params.jsonp())


def _completed(query: str, automatic_variants: bool) -> str:
    """Pattern that completes the query: a ``*`` for each empty node and at the end, and braces around a bare list."""
    pattern = query.replace("..", "*.")
    pattern += "" if pattern.endswith("*") else "*"
    if automatic_variants:
        parts = pattern.split(".")
        pattern = ".".join(f"{{{part}}}" if "," in part and "{" not in part else part for part in parts)
    return pattern


def _check_times(params: Params, zone: ZoneInfo) -> None:
    """Check that from and until are valid times; names do not depend on them."""
    for name in ("from", "until"):
        text = params.last(name)
        if text and text != "-1":
            parse_time(name, text, zone, datetime.now(UTC))
