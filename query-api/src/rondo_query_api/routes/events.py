"""/events, /events/get_data, /events/<id>."""

from dataclasses import asdict
from datetime import UTC, datetime
from reprlib import repr as short
from typing import Any
from zoneinfo import ZoneInfo

import orjson
from flask import Blueprint, Response, request

from ..access.browsers import check_json
from ..access.guard import Access
from ..errors import BadRequestError, NotFoundError, TooManyRequestsError
from ..events import END_OF_TIME, Event, EventStore, tags_in
from ..limits.rates import Rates
from ..params import Params, json_object, text
from ..render.formats import dumps
from ..settings import Settings
from ..times import parse_time
from . import METHODS
from .responses import json_response

SETS = ("intersection", "union")
MAX_TAGS = 100
MAX_LENGTH = {"what": 1_000, "tags": 10_000, "data": 65_536}


def blueprint(events: EventStore, settings: Settings, access: Access) -> Blueprint:
    """Create the endpoints with the limits and the zone of the settings."""
    routes = Blueprint("events", __name__)
    zone = ZoneInfo(settings.time_zone)
    rates = Rates(settings.event_rate / 60, settings.event_rate)

    def between(params: Params) -> tuple[int, int]:
        now = datetime.now(UTC)
        start = parse_time("from", params.last("from") or "0", zone, now)
        end = parse_time("until", params.last("until") or "now", zone, now)
        return int(start.timestamp()), int(end.timestamp())

    def found() -> Response:
        params = Params(request)
        start, end = between(params)
        set_ = params.last("set") or "intersection"
        if set_ not in SETS:
            raise BadRequestError(f"set is {set_!r}, not one of {', '.join(SETS)}")
        shown = events.between(start, end, _searched(params), any_tag=set_ == "union")
        return json_response(dumps([asdict(each) for each in shown]), params.jsonp())

    @routes.route("/events/get_data", methods=METHODS)
    def get_data() -> Response:
        return found()

    @routes.route("/events", methods=METHODS)
    def listed_or_stored() -> Response:
        if request.method == "GET":
            return found()
        access.check_events()
        check_json("events are stored as JSON")
        if wait := rates.take(access.client()):
            limit = settings.event_rate
            raise TooManyRequestsError(f"more than {limit} events in a minute (RONDO_API_EVENT_RATE)", wait)
        stored = _stored(json_object(request.get_data()), events, zone)
        return json_response(orjson.dumps(asdict(stored)))

    @routes.route("/events", methods=["DELETE"])
    def deleted() -> Response:
        access.writer("delete events")
        params = Params(request)
        tags = _searched(params)
        if not tags and (params.all("tags") or not params.last("from")):
            raise BadRequestError("select the events by from, until and tags; from=0 selects all")
        return json_response(orjson.dumps({"deleted": events.delete_between(*between(params), tags)}))

    @routes.route("/events/<int:id_>", methods=["DELETE"])
    def deleted_one(id_: int) -> Response:
        access.writer("delete events")
        if id_ >= 2**63 or not events.delete(id_):
            raise NotFoundError(f"there is no event {id_}")
        return json_response(orjson.dumps({"deleted": 1}))

    @routes.route("/events/<int:id_>", methods=METHODS)
    def one(id_: int) -> Response:
        event = events.get(id_) if id_ < 2**63 else None
        if event is None:
            raise NotFoundError(f"there is no event {id_}")
        return json_response(orjson.dumps(asdict(event)))

    return routes


def _stored(body: dict[str, Any], events: EventStore, zone: ZoneInfo) -> Event:
    what, data = (_field(body, name) for name in ("what", "data"))
    if not what.strip():
        raise BadRequestError('what is required: {"what": …, "tags": …, "data": …, "when": …}')
    tags = _tags(body)
    return events.add(_when(body.get("when"), zone), what, tags, data)


def _searched(params: Params) -> list[str]:
    return tags_in(params.all("tags"))


def _field(body: dict[str, Any], name: str) -> str:
    value = "" if body.get(name) is None else text(name, body[name])
    if len(value) > MAX_LENGTH[name]:
        raise BadRequestError(f"{name} has {len(value)} characters, at most {MAX_LENGTH[name]}")
    return value


def _tags(body: dict[str, Any]) -> list[str]:
    """Distinct tags, from a list or a text."""
    given = body.get("tags")
    if isinstance(given, list):
        given = " ".join(text("tags", each) for each in given)
    elif given is not None and not isinstance(given, str):
        raise BadRequestError(f"tags is {short(given)}, not a list, or a text separated by commas or spaces")
    tags = tags_in([_field({"tags": given}, "tags")])
    if len(tags) > MAX_TAGS:
        raise BadRequestError(f"{len(tags)} tags, at most {MAX_TAGS}")
    return tags


def _when(given: object, zone: ZoneInfo) -> float:
    """Epoch seconds of a number or of a time such as -5min; now if absent."""
    now = datetime.now(UTC)
    if given is None:
        return now.timestamp()
    if isinstance(given, str):
        return parse_time("when", given, zone, now).timestamp()
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given < END_OF_TIME:
        raise BadRequestError(f"when is {short(given)}, not a time in epoch seconds")
    return given
