"""/status: a page that shows the pipeline, and with ``format=json`` its data."""

from collections.abc import Mapping, Sequence

import orjson
from flask import Blueprint, request
from werkzeug.wrappers import Response as BaseResponse

from ..access.guard import STATUS_PATH, wants_facts
from ..errors import BadRequestError
from ..params import Params
from ..status.shared_facts import SharedFacts
from . import page
from .responses import json_response


def blueprint(facts: SharedFacts, docs_url: str, dead_letters: Mapping[str, Sequence[str]]) -> Blueprint:
    """Create the endpoint; ``dead_letters`` is what :func:`dead_letters.offer` returns."""
    routes = Blueprint("status", __name__)

    @routes.route(STATUS_PATH)
    def status() -> BaseResponse:
        if not wants_facts():
            return page.html("status")
        wanted = Params(request).last("format")
        if wanted != "json":
            raise BadRequestError(f"format is {wanted!r}, not json")
        shown = {"docs": docs_url, "dead_letters": dead_letters, **facts.shown()}
        response = json_response(orjson.dumps(shown))
        response.headers["Cache-Control"] = "no-store"
        return response

    return routes
