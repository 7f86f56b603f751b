"""/series/cardinality, /series/find, /series/names: counts, descriptions and names of series."""

from dataclasses import asdict
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from flask import Blueprint, Response, request

from ..errors import BadRequestError
from ..find.cardinality import Cardinality, Census
from ..find.described import Found, SeriesDescriber
from ..find.tag_expressions import TagQuery
from ..params import Params
from ..render.formats import dumps
from ..times import parse_time
from . import METHODS
from .responses import json_response

KINDS = ("policy", "source", "prefix", "tag", "value")
GROUPS, SERIES = 20, 100
MAX_LIMIT = 500
MAX_NAMES = 10_000


def blueprint(census: Census, describer: SeriesDescriber, time_zone: str) -> Blueprint:
    """Create the endpoints; ``time_zone`` is the zone of times in requests."""
    routes = Blueprint("series", __name__)
    zone = ZoneInfo(time_zone)

    @routes.route("/series/cardinality", methods=METHODS)
    def cardinality() -> Response:
        params = Params(request)
        return json_response(dumps(asdict(_counted(params, census, _since(params, zone)))), params.jsonp())

    @routes.route("/series/find", methods=METHODS)
    def find() -> Response:
        params = Params(request)
        return json_response(dumps(asdict(_found(params, describer, _since(params, zone)))), params.jsonp())

    @routes.route("/series/names", methods=METHODS)
    def names() -> Response:
        params = Params(request)
        return json_response(dumps(asdict(_names(params, describer, _since(params, zone)))), params.jsonp())

    return routes


def _counted(params: Params, census: Census, since: float | None) -> Cardinality:
    most = _limit(params, GROUPS)
    match params.required("by")[-1]:
        case "policy":
            return census.count("policies", most, since)
        case "source":
            return census.count("sources", most, since)
        case "prefix":
            return census.count("prefixes", most, since, prefix=_prefix(params))
        case "tag":
            return census.tags(most, since)
        case "value":
            return census.count("values", most, since, tag=params.required("tag")[-1])
        case other:
            raise BadRequestError(f"by is {other!r}, not one of {', '.join(KINDS)}")


def _found(params: Params, describer: SeriesDescriber, since: float | None) -> Found:
    most, policy = _limit(params, SERIES), params.last("policy") or None
    return describer.described(_ids(params, describer, policy, since), most, policy, since)


def _names(params: Params, describer: SeriesDescriber, since: float | None) -> Found:
    most, policy = _limit(params, MAX_NAMES, MAX_NAMES), params.last("policy") or None
    return describer.named(_ids(params, describer, policy, since), most, policy, since)


def _ids(params: Params, describer: SeriesDescriber, policy: str | None, since: float | None) -> list[int]:
    pattern, expressions = params.last("query"), params.all("expr")
    if pattern and expressions:
        raise BadRequestError("query and expr exclude each other")
    if expressions:
        return describer.tagged(TagQuery.of(expressions))
    if pattern:
        return describer.matching(pattern)
    return describer.newest(policy, since)


def _prefix(params: Params) -> str:
    prefix = params.last("prefix") or ""
    if prefix and not prefix.endswith("."):
        raise BadRequestError(f"prefix is {prefix!r}, not some nodes and a dot, such as 'hosts.'")
    return prefix


def _since(params: Params, zone: ZoneInfo) -> float | None:
    text = params.last("newSince")
    return parse_time("newSince", text, zone, datetime.now(UTC)).timestamp() if text else None


def _limit(params: Params, default: int, highest: int = MAX_LIMIT) -> int:
    return params.whole("limit", default, 1, highest)
