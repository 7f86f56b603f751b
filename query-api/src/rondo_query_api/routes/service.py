"""/health, /prometheus and /version."""

from dataclasses import asdict

import orjson
from flask import Blueprint, Response

from .. import __version__, measures
from ..db import Database
from ..health import look
from . import METHODS
from .answers import json_answer, text_answer

# The release of Graphite whose HTTP surface this is: clients choose their functions and endpoints by it.
GRAPHITE_VERSION = "1.1.10"


def blueprint(database: Database) -> Blueprint:
    """Make the endpoints."""
    routes = Blueprint("service", __name__)

    @routes.route("/health/live", methods=METHODS)
    def live() -> Response:
        return json_answer(orjson.dumps({"ok": True, "version": __version__}))

    @routes.route("/prometheus", methods=METHODS)
    def prometheus() -> Response:
        return Response(measures.exposition(), mimetype=measures.MEDIA_TYPE)

    @routes.route("/health/ready", methods=METHODS)
    @routes.route("/health", methods=METHODS)
    def health() -> Response:
        seen = look(database)
        return json_answer(orjson.dumps(asdict(seen)), status=200 if seen.ok else 503)

    @routes.route("/version", methods=METHODS)
    def version() -> Response:
        return text_answer(GRAPHITE_VERSION)

    return routes
