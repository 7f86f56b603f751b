"""/functions and /functions/<name>: descriptions of functions for Grafana's query editor."""

import json
from typing import Any

from flask import Blueprint, Response, request

from ..errors import NotFoundError
from ..functions import FUNCTIONS, Function, Param, nearest
from ..functions.types import AGGREGATE_NAMES, AGGREGATE_OR_SERIES
from ..params import Params
from ..render import images
from . import METHODS
from .responses import json_response

# Functions that reduce a series to a slice of a pie (pieMode).
PIE_FUNCTIONS: dict[str, dict[str, Any]] = {
    mode: {
        "name": mode,
        "function": f"{mode}(series)",
        "description": f"The {mode} of the known values.",
        "module": images.__name__,
        "group": "Pie",
        "params": [{"name": "series", "type": "series", "required": True}],
    }
    for mode in images.PIE_MODES
}


def blueprint() -> Blueprint:
    """Create the endpoints."""
    routes = Blueprint("functions", __name__)

    @routes.route("/functions", methods=METHODS)
    def functions() -> Response:
        params = Params(request)
        group = params.last("group")
        every = (
            PIE_FUNCTIONS if params.last("type") == "pie" else {n: _described(FUNCTIONS[n]) for n in sorted(FUNCTIONS)}
        )
        found = {name: each for name, each in every.items() if group in (None, each["group"])}
        if (params.last("grouped") or "").lower() in ("1", "true"):
            groups = sorted({each["group"] for each in found.values()})
            found = {name: {n: each for n, each in found.items() if each["group"] == name} for name in groups}
        return _response(found, params)

    @routes.route("/functions/<name>", methods=METHODS)
    def function(name: str) -> Response:
        if name not in FUNCTIONS:
            raise NotFoundError(f"unknown function {name}{nearest(name)}")
        return _response(_described(FUNCTIONS[name]), Params(request))

    return routes


def _response(found: dict[str, Any], params: Params) -> Response:
    text = json.dumps(found, indent=2 if params.last("pretty") else None)
    # JSON has no infinity. Like Graphite, write an infinite default as a number that overflows.
    return json_response(text.replace('"default": Infinity', '"default": 1e9999').encode(), params.jsonp())


def _described(function: Function) -> dict[str, Any]:
    return {
        "name": function.name,
        "function": function.signature,
        "description": function.description,
        "module": function.implementation.__module__,
        "group": function.group,
        "params": [_param(param) for param in function.params],
    }


def _param(param: Param) -> dict[str, Any]:
    """Describe a parameter, without false and empty fields."""
    described: dict[str, Any] = {"name": param.name, "type": param.type.name}
    if param.required:
        described["required"] = True
    if param.default is not None:
        described["default"] = param.default
    if param.multiple:
        described["multiple"] = True
    if options := _options(param):
        described["options"] = options
    if param.suggestions:
        described["suggestions"] = list(param.suggestions)
    return described


def _options(param: Param) -> list[Any]:
    options = {*param.options, *param.type.options}
    if param.type is AGGREGATE_OR_SERIES:
        options |= {*AGGREGATE_NAMES, *(each.name for each in FUNCTIONS.values() if each.aggregator)}
    return sorted(options, key=str)
