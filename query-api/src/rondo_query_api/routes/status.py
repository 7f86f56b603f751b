"""/status: a page that shows the pipeline; with ``format=json`` what it shows."""

import orjson
from flask import Blueprint, request
from werkzeug.wrappers import Response as BaseResponse

from ..access import STATUS_PATH, wants_facts
from ..errors import BadRequestError
from ..params import Params
from ..settings import Settings
from ..status.look import Look
from . import page
from .responses import json_response


def blueprint(settings: Settings) -> Blueprint:
    """Create the endpoint; raises :class:`SettingsError` if a part's URL is none."""
    routes = Blueprint("status", __name__)
    look = Look(settings)

    @routes.route(STATUS_PATH)
    def status() -> BaseResponse:
        if not wants_facts(request):
            return page.html("status")
        wanted = Params(request).last("format")
        if wanted != "json":
            raise BadRequestError(f"format is {wanted!r}, not json")
        response = json_response(orjson.dumps({"docs": settings.docs_url, **look.facts().shown()}))
        response.headers["Cache-Control"] = "no-store"
        return response

    return routes
