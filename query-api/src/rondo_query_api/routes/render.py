"""/render."""

import errno
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

import orjson
import structlog
from flask import Blueprint, Response, request

from ..db import Database
from ..errors import ApiError
from ..events import EventStore
from ..find.series import SeriesFinder
from ..limits import request_budget
from ..params import Params
from ..render import images
from ..render.cache import Rendered, ResponseCache
from ..render.charts import as_dygraph, as_rickshaw
from ..render.evaluate import evaluate
from ..render.formats import as_json, csv_parts, json_parts, raw_parts
from ..render.freshness import seconds_fresh
from ..render.newest_reads import NewestReads
from ..render.records import as_msgpack, as_pickle
from ..render.request import RenderRequest
from ..render.sizes import estimate, points_of
from ..settings import Settings
from ..timeseries import TimeSeries
from . import METHODS
from .responses import json_body

log = structlog.get_logger()

PARTS: dict[str, tuple[str, Callable[[list[TimeSeries], RenderRequest], Iterable[bytes]]]] = {
    "json": ("application/json", json_parts),
    "csv": ("text/csv", csv_parts),
    "raw": ("text/plain", raw_parts),
}
JSON_WRITERS = {"json": as_json, "dygraph": as_dygraph, "rickshaw": as_rickshaw}
WRITERS: dict[str, tuple[str, Callable[[list[TimeSeries], RenderRequest], bytes]]] = {
    "pickle": ("application/pickle", as_pickle),
    "msgpack": ("application/x-msgpack", as_msgpack),
}
# Above this number, a response is streamed, so that a process holds the values of a response but not its whole text.
STREAMED_POINTS = 500_000
IMAGE_TYPES = {"png": "image/png", "svg": "image/svg+xml", "pdf": "application/x-pdf"}


def blueprint(finder: SeriesFinder, database: Database, events: EventStore, settings: Settings) -> Blueprint:
    """Create the endpoint with the limits and the zone of the settings."""
    routes = Blueprint("render", __name__)

    cache = ResponseCache(settings.cache_bytes, NewestReads.of_this_server())

    @routes.route("/render", methods=METHODS)
    def render() -> Response:
        params = Params(request)
        now = datetime.now(UTC)
        wanted = RenderRequest.read(params, settings.time_zone, now)
        wanted.check(settings)
        may_cache = settings.cache_seconds > 0 and wanted.cache_seconds != 0
        return cache.response(params, may_cache, lambda: rendered(wanted, params, int(now.timestamp())))

    def rendered(wanted: RenderRequest, params: Params, now: int) -> Rendered:
        if wanted.graph == "pie":
            images.check(params)
            drawn = images.draw_pie(
                lambda targets: evaluate(replace(wanted, targets=targets), finder, database, events), wanted, params
            )
            return Rendered(*_image(drawn, wanted), wanted.cache_seconds or 1)
        if wanted.is_image:
            images.check(params)
        series_list = evaluate(wanted, finder, database, events)
        request_budget.check_limit(
            "bytes of response", estimate(series_list, wanted), settings.max_response_bytes, "max_response_bytes"
        )
        seconds = wanted.cache_seconds or seconds_fresh(series_list, now, max(1, settings.cache_seconds))
        return Rendered(*_written(series_list, wanted, params), seconds)

    return routes


def _written(
    series_list: list[TimeSeries], wanted: RenderRequest, params: Params
) -> tuple[bytes | Iterable[bytes], str]:
    """Body and media type."""
    if wanted.is_image:
        return _image(images.draw_lines(series_list, wanted, params), wanted)
    if not wanted.is_buffered:
        media_type, parts = PARTS[wanted.format]
        written = parts(series_list, wanted)
        is_long = sum(points_of(series, wanted) for series in series_list) > STREAMED_POINTS
        return _sent(written) if is_long else b"".join(written), media_type
    if wanted.format in JSON_WRITERS:
        return json_body(JSON_WRITERS[wanted.format](series_list, wanted), wanted.jsonp)
    media_type, write = WRITERS[wanted.format]
    return write(series_list, wanted), media_type


def _sent(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Parts of a streamed body. If no time is left, the connection is cut, as if the client had closed it."""
    try:
        yield from parts
    except ApiError as e:
        log.warning("response cut", reason=str(e))
        raise BrokenPipeError(errno.EPIPE, str(e)) from e


def _image(drawn: bytes, wanted: RenderRequest) -> tuple[bytes, str]:
    if wanted.format == "svg" and wanted.jsonp:
        return json_body(orjson.dumps(drawn.decode()), wanted.jsonp)
    return drawn, IMAGE_TYPES[wanted.format]
