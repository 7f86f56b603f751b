"""/tags: tags, values and series by tags, for Grafana's query editor and variables."""

import json
from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, request
from werkzeug.exceptions import MethodNotAllowed

from ..errors import BadRequestError
from ..find import tagged_paths
from ..find.postgres_regexes import Size
from ..find.regexes import Regex
from ..find.series import SeriesFinder
from ..find.tag_expressions import TagQuery, anchored
from ..kafka.deletions import Deletions
from ..params import Params
from . import METHODS
from .responses import json_response

SUGGESTIONS = 100
MAX_LIMIT = 1_000_000_000


def blueprint(finder: SeriesFinder, deletions: Deletions, writer: Callable[[], str]) -> Blueprint:
    """Create the endpoints; ``writer`` returns the user, and raises an error without the right to delete series."""
    routes = Blueprint("tags", __name__)
    tags = finder.tags

    @routes.route("/tags", methods=METHODS)
    def every() -> Response:
        params = Params(request)
        return _response([{"tag": tag} for tag in tags.tags(regex=_filter(params), most=_limit(params))], params)

    @routes.route("/tags/<tag>", methods=METHODS)
    def one(tag: str) -> Response:
        params = Params(request)
        if tag not in tags.tags(prefix=tag, most=1):
            return _response(None, params)
        counts = tags.counts(tag, _filter(params), _limit(params))
        return _response({"tag": tag, "values": [{"value": value, "count": count} for value, count in counts]}, params)

    @routes.route("/tags/findSeries", methods=METHODS)
    def find_series() -> Response:
        params = Params(request)
        query = TagQuery.of(params.required("expr"))
        return _response([series.path for series in tags.series(query)[: _limit(params)]], params)

    @routes.route("/tags/autoComplete/tags", methods=METHODS)
    def complete_tags() -> Response:
        params = Params(request)
        prefix, most = params.last("tagPrefix") or "", _limit(params, SUGGESTIONS)
        if not (expressions := params.all("expr")):
            return _response(tags.tags(prefix, most=most), params)
        return _response(tags.tags_of(TagQuery.of(expressions), prefix, most), params)

    @routes.route("/tags/autoComplete/values", methods=METHODS)
    def complete_values() -> Response:
        params = Params(request)
        tag = params.required("tag")[-1]
        prefix, most = params.last("valuePrefix") or "", _limit(params, SUGGESTIONS)
        if not (expressions := params.all("expr")):
            return _response(tags.values(tag, prefix, most=most), params)
        return _response(tags.values_of(TagQuery.of([*expressions, f"{tag}!="]), tag, prefix, most), params)

    @routes.route("/tags/tagSeries", methods=METHODS)
    def tag_series() -> Response:
        _check_post()
        params = Params(request)
        return _response(_canonical(params.required("path")[-1]), params)

    @routes.route("/tags/tagMultiSeries", methods=METHODS)
    def tag_multi_series() -> Response:
        _check_post()
        params = Params(request)
        return _response([_canonical(path) for path in params.required("path")], params)

    @routes.route("/tags/delSeries", methods=METHODS)
    def delete_series() -> Response:
        _check_post()
        by = writer()
        params = Params(request)
        deletions.request(by, finder.deletable([_canonical(path) for path in params.required("path")]))
        return _response(True, params)

    return routes


def _check_post() -> None:
    """Answer 405 to GET, as Graphite does; without a route, it would return the values of a tag with this name."""
    if request.method != "POST":
        raise MethodNotAllowed(["POST"])


def _canonical(path: str) -> str:
    """Canonical name of a series. Nothing is stored: a series has its tags from its first slot on."""
    try:
        return tagged_paths.canonical(path)
    except ValueError as e:
        raise BadRequestError(f"path is not the name of a series: {e}") from e


def _limit(params: Params, default: int | None = None) -> int | None:
    """Maximum number of results; None is unlimited."""
    return params.whole("limit", 0, 0, MAX_LIMIT) if params.last("limit") else default


def _filter(params: Params) -> str:
    """Regex that results must match."""
    regex = params.last("filter") or ""
    return anchored(Regex(f"filter is {regex!r}, an invalid regex", regex), regex, Size())


def _response(found: Any, params: Params) -> Response:
    return json_response(json.dumps(found, indent=2 if params.last("pretty") else None).encode(), params.jsonp())
