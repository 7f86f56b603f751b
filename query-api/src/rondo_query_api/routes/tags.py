"""/tags: what Grafana's tag editor and variables ask; series are found by their tags."""

import json
from typing import Any

from flask import Blueprint, Response, request

from .. import idents
from ..errors import BadRequestError, NotSupportedError
from ..expressions import compiled
from ..find import SeriesFinder
from ..params import Params
from ..tag_expressions import TagQuery, anchored
from . import METHODS
from .answers import json_answer

SUGGESTIONS = 100


def blueprint(finder: SeriesFinder) -> Blueprint:
    """Make the endpoints over the finder."""
    routes = Blueprint("tags", __name__)
    tags = finder.tags

    @routes.route("/tags", methods=METHODS)
    def every() -> Response:
        params = Params(request)
        return _answer([{"tag": tag} for tag in tags.tags(regex=_filter(params), most=_limit(params))], params)

    @routes.route("/tags/<tag>", methods=METHODS)
    def one(tag: str) -> Response:
        params = Params(request)
        if tag not in tags.tags(prefix=tag, most=1):
            return _answer(None, params)
        counts = tags.counts(tag, _filter(params), _limit(params))
        return _answer({"tag": tag, "values": [{"value": value, "count": count} for value, count in counts]}, params)

    @routes.route("/tags/findSeries", methods=METHODS)
    def find_series() -> Response:
        params = Params(request)
        query = TagQuery.of(params.required("expr"))
        return _answer([series.path for series in tags.series(query)[: _limit(params)]], params)

    @routes.route("/tags/autoComplete/tags", methods=METHODS)
    def complete_tags() -> Response:
        params = Params(request)
        prefix, most = params.last("tagPrefix") or "", _limit(params, SUGGESTIONS)
        if not (expressions := params.all("expr")):
            return _answer(tags.tags(prefix, most=most), params)
        return _answer(tags.tags_of(TagQuery.of(expressions), prefix, most), params)

    @routes.route("/tags/autoComplete/values", methods=METHODS)
    def complete_values() -> Response:
        params = Params(request)
        tag = params.required("tag")[-1]
        prefix, most = params.last("valuePrefix") or "", _limit(params, SUGGESTIONS)
        if not (expressions := params.all("expr")):
            return _answer(tags.values(tag, prefix, most=most), params)
        return _answer(tags.values_of(TagQuery.of([*expressions, f"{tag}!="]), tag, prefix, most), params)

    @routes.route("/tags/tagSeries", methods=METHODS)
    def tag_series() -> Response:
        params = Params(request)
        return _answer(_canonical(params.required("path")[-1]), params)

    @routes.route("/tags/tagMultiSeries", methods=METHODS)
    def tag_multi_series() -> Response:
        params = Params(request)
        return _answer([_canonical(path) for path in params.required("path")], params)

    @routes.route("/tags/delSeries", methods=METHODS)
    def delete_series() -> Response:
        raise NotSupportedError("a series is not deleted here: it is retired when silent for its policy's expire.after")

    return routes


def _canonical(path: str) -> str:
    """Check the path, as one whose tags are told. Nothing is kept: a series has its tags from its first slot on."""
    try:
        return idents.text_of(idents.parse(path))
    except ValueError as e:
        raise BadRequestError(f"path is not a series: {e}") from e


def _limit(params: Params, default: int | None = None) -> int | None:
    """Most answers that are wanted, None is all."""
    text = params.last("limit")
    if not text:
        return default
    if not (text.isascii() and text.isdigit()):
        raise BadRequestError(f"limit is {text!r}, not a whole number of at least 0")
    return int(text)


def _filter(params: Params) -> str:
    """Regex of what is wanted."""
    regex = params.last("filter") or ""
    compiled(regex, f"filter is {regex!r}, a wrong regex")
    return anchored(regex)


def _answer(found: Any, params: Params) -> Response:
    return json_answer(json.dumps(found, indent=2 if params.last("pretty") else None).encode(), params.jsonp())
