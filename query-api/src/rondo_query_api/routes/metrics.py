"""/metrics, /metrics/find, /metrics/expand, /metrics/index.json."""

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from flask import Blueprint, Response, request

from ..errors import BadRequestError
from ..find import SeriesFinder
from ..graphite import Node, tree_json
from ..params import Params
from ..render.formats import dumps
from ..times import parse_time
from . import METHODS
from .answers import json_answer

FORMATS = ("treejson", "completer", "json")


def blueprint(finder: SeriesFinder, time_zone: str) -> Blueprint:
    """Make the endpoints over the finder; ``time_zone`` is that of times in requests that name none."""
    routes = Blueprint("metrics", __name__)

    @routes.route("/metrics", methods=METHODS)
    @routes.route("/metrics/find", methods=METHODS)
    def find() -> Response:
        params = Params(request)
        query = params.required("query")[-1]
        wildcards = params.flag("wildcards")
        wanted = params.last("format") or "treejson"
        if wanted not in FORMATS:
            raise BadRequestError(f"format is {wanted!r}, not one of {', '.join(FORMATS)}")
        _check_times(params, ZoneInfo(time_zone))
        nodes = finder.level(query)
        answer: Any
        if wanted == "treejson":
            base_path = query.rpartition(".")[0] + "." if "." in query else ""
            answer = tree_json(nodes, base_path, wildcards=wildcards)
        elif wanted == "completer":
            answer = {"metrics": _completions(nodes, wildcards)}
        else:
            answer = [{"path": node.path, "is_leaf": node.is_leaf, "intervals": []} for node in nodes]
        return json_answer(dumps(answer), params.jsonp())

    @routes.route("/metrics/expand", methods=METHODS)
    def expand() -> Response:
        params = Params(request)
        queries = params.required("query")
        leaves_only = params.flag("leavesOnly")
        found = {
            query: sorted({node.path for node in finder.level(query) if node.is_leaf or not leaves_only})
            for query in queries
        }
        if params.flag("groupByExpr"):
            return json_answer(dumps({"results": found}), params.jsonp())
        every = sorted({path for paths in found.values() for path in paths})
        return json_answer(dumps({"results": every}), params.jsonp())

    @routes.route("/metrics/index.json", methods=METHODS)
    def index() -> Response:
        return json_answer(dumps(finder.names()), Params(request).jsonp())

    return routes


def _check_times(params: Params, zone: ZoneInfo) -> None:
    """Names are not bound to times: from and until are read, so that a wrong one is told, and change nothing."""
    for name in ("from", "until"):
        text = params.last(name)
        if text and text != "-1":
            parse_time(name, text, zone, datetime.now(UTC))


def _completions(nodes: list[Node], wildcards: bool) -> list[dict[str, Any]]:
    completions: list[dict[str, Any]] = [
        {"path": node.path + ("" if node.is_leaf else "."), "name": node.name, "is_leaf": int(node.is_leaf)}
        for node in nodes
    ]
    if wildcards and len(completions) > 1:
        completions.append({"name": "*"})
    return completions
