"""/health, /prometheus, /prometheus/postgres and /version."""

from dataclasses import asdict

import orjson
from flask import Blueprint, Response

from .. import __version__, metrics, postgres_metrics
from ..db import Database
from ..health import check_health
from . import METHODS
from .responses import json_response, text_response

# The Graphite release whose HTTP API this implements: clients select functions and endpoints by it.
GRAPHITE_VERSION = "1.1.10"


def blueprint(database: Database) -> Blueprint:
    """Create the endpoints."""
    routes = Blueprint("service", __name__)

    @routes.route("/health/live", methods=METHODS)
    def live() -> Response:
        return json_response(orjson.dumps({"ok": True, "version": __version__}))

    @routes.route("/prometheus", methods=METHODS)
    def prometheus() -> Response:
        return Response(metrics.exposition(), mimetype=metrics.MEDIA_TYPE)

    @routes.route("/prometheus/postgres", methods=METHODS)
    def of_postgres() -> Response:
        return Response(postgres_metrics.exposition(database), mimetype=metrics.MEDIA_TYPE)

    @routes.route("/health/ready", methods=METHODS)
    @routes.route("/health", methods=METHODS)
    def ready() -> Response:
        health = check_health(database)
        return json_response(orjson.dumps(asdict(health)), status=200 if health.ok else 503)

    @routes.route("/version", methods=METHODS)
    def version() -> Response:
        return text_response(GRAPHITE_VERSION)

    return routes
