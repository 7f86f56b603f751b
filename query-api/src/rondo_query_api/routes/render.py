"""/render."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime

import orjson
from flask import Blueprint, Response, request

from ..cache import Rendered, ResponseCache
from ..db import Database
from ..events import EventStore
from ..find.series import SeriesFinder
from ..params import Params
from ..render import images
from ..render.charts import as_dygraph, as_rickshaw
from ..render.evaluate import evaluate
from ..render.formats import as_csv, as_json, as_raw, json_parts
from ..render.freshness import seconds_fresh
from ..render.records import as_msgpack, as_pickle
from ..render.request import RenderRequest
from ..settings import Settings
from ..timeseries import TimeSeries
from . import METHODS
from .responses import json_body

JSON_WRITERS = {"json": as_json, "dygraph": as_dygraph, "rickshaw": as_rickshaw}
WRITERS: dict[str, tuple[str, Callable[[list[TimeSeries], RenderRequest], str | bytes]]] = {
    "csv": ("text/csv", as_csv),
    "raw": ("text/plain", as_raw),
    "pickle": ("application/pickle", as_pickle),
    "msgpack": ("application/x-msgpack", as_msgpack),
}
# Above this number, JSON is streamed, so that a process holds the values of a response but not its whole text.
STREAMED_POINTS = 500_000
IMAGE_TYPES = {"png": "image/png", "svg": "image/svg+xml", "pdf": "application/x-pdf"}


def blueprint(finder: SeriesFinder, database: Database, events: EventStore, settings: Settings) -> Blueprint:
    """Create the endpoint with the limits and the zone of the settings."""
    routes = Blueprint("render", __name__)

    cache = ResponseCache(settings.cache_bytes)

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
        seconds = wanted.cache_seconds or seconds_fresh(series_list, now, max(1, settings.cache_seconds))
        return Rendered(*_written(series_list, wanted, params), seconds)

    return routes


def _written(
    series_list: list[TimeSeries], wanted: RenderRequest, params: Params
) -> tuple[bytes | Iterable[bytes], str]:
    """Body and media type."""
    if wanted.is_image:
        return _image(images.draw_lines(series_list, wanted, params), wanted)
    if (
        wanted.format == "json"
        and not (wanted.jsonp or wanted.pretty)
        and _points(series_list, wanted) > STREAMED_POINTS
    ):
        return json_parts(series_list, wanted), "application/json"
    if wanted.format in JSON_WRITERS:
        return json_body(JSON_WRITERS[wanted.format](series_list, wanted), wanted.jsonp)
    media_type, write = WRITERS[wanted.format]
    written = write(series_list, wanted)
    return written.encode() if isinstance(written, str) else written, media_type


def _points(series_list: list[TimeSeries], wanted: RenderRequest) -> int:
    """Upper bound of the points in the response."""
    return sum(min(len(series.values), wanted.max_points or len(series.values)) for series in series_list)


def _image(drawn: bytes, wanted: RenderRequest) -> tuple[bytes, str]:
    if wanted.format == "svg" and wanted.jsonp:
        return json_body(orjson.dumps(drawn.decode()), wanted.jsonp)
    return drawn, IMAGE_TYPES[wanted.format]
