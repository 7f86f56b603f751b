"""/render."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import orjson
from flask import Blueprint, Response, request

from ..db import Database
from ..events import EventStore
from ..find import SeriesFinder
from ..params import Params
from ..render import images
from ..render.charts import as_dygraph, as_rickshaw
from ..render.evaluate import evaluate
from ..render.formats import as_csv, as_json, as_raw
from ..render.records import as_msgpack, as_pickle
from ..render.request import RenderRequest
from ..settings import Settings
from ..timeseries import TimeSeries
from . import METHODS
from .answers import json_answer

JSON_WRITERS = {"json": as_json, "dygraph": as_dygraph, "rickshaw": as_rickshaw}
WRITERS: dict[str, tuple[str, Callable[[list[TimeSeries], RenderRequest], str | bytes]]] = {
    "csv": ("text/csv", as_csv),
    "raw": ("text/plain", as_raw),
    "pickle": ("application/pickle", as_pickle),
    "msgpack": ("application/x-msgpack", as_msgpack),
}
IMAGE_TYPES = {"png": "image/png", "svg": "image/svg+xml", "pdf": "application/x-pdf"}


def blueprint(finder: SeriesFinder, database: Database, events: EventStore, settings: Settings) -> Blueprint:
    """Make the endpoint by the settings' limits and zone."""
    routes = Blueprint("render", __name__)

    @routes.route("/render", methods=METHODS)
    def render() -> Response:
        params = Params(request)
        wanted = RenderRequest.read(params, settings.time_zone, datetime.now(UTC))
        wanted.check(settings)
        if wanted.is_image:
            return image(wanted, params)
        series_list = evaluate(wanted, finder, database, events)
        if wanted.format in JSON_WRITERS:
            return json_answer(JSON_WRITERS[wanted.format](series_list, wanted), wanted.jsonp)
        media_type, write = WRITERS[wanted.format]
        return Response(write(series_list, wanted), mimetype=media_type)

    def image(wanted: RenderRequest, params: Params) -> Response:
        images.check(params)
        if wanted.graph == "pie":
            drawn = images.draw_pie(
                lambda targets: evaluate(replace(wanted, targets=targets), finder, database, events), wanted, params
            )
        else:
            drawn = images.draw_lines(evaluate(wanted, finder, database, events), wanted, params)
        if wanted.format == "svg" and wanted.jsonp:
            return json_answer(orjson.dumps(drawn.decode()), wanted.jsonp)
        return Response(drawn, mimetype=IMAGE_TYPES[wanted.format])

    return routes
