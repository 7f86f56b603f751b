"""/render."""

from datetime import UTC, datetime

from flask import Blueprint, Response, request

from ..db import Database
from ..find import SeriesFinder
from ..params import Params
from ..render import images
from ..render.evaluate import evaluate
from ..render.formats import as_csv, as_json, as_raw
from ..render.request import RenderRequest
from . import METHODS
from .answers import json_answer


def blueprint(finder: SeriesFinder, database: Database, time_zone: str) -> Blueprint:
    """Make the endpoint; ``time_zone`` is that of times in requests that name none."""
    routes = Blueprint("render", __name__)

    @routes.route("/render", methods=METHODS)
    def render() -> Response:
        params = Params(request)
        wanted = RenderRequest.read(params, time_zone, datetime.now(UTC))
        if wanted.format in ("png", "svg"):
            images.check(params)
        series_list = evaluate(wanted, finder, database)
        match wanted.format:
            case "json":
                return json_answer(as_json(series_list, wanted), wanted.jsonp)
            case "csv":
                return Response(as_csv(series_list, wanted), mimetype="text/csv")
            case "raw":
                return Response(as_raw(series_list), mimetype="text/plain")
            case "svg":
                return Response(images.draw(series_list, wanted, params), mimetype="image/svg+xml")
            case _:
                return Response(images.draw(series_list, wanted, params), mimetype="image/png")

    return routes
