"""The WSGI application."""

import structlog
from flask import Flask, Response, g
from werkzeug.exceptions import HTTPException

from . import logs
from .db import Database
from .errors import ApiError
from .find import SeriesFinder
from .graphite import TrailingSlash
from .routes import functions, metrics, page, rendering, service
from .routes.answers import text_answer
from .settings import Settings

log = structlog.get_logger()


def create_app(settings: Settings | None = None) -> Flask:
    """Make the application by these settings, else by the environment's."""
    settings = settings or Settings.from_environment()
    logs.configure(settings.log_level)
    database = Database(settings)
    finder = SeriesFinder(database)

    app = Flask("rondo_query_api", static_folder=None)
    logs.follow_requests(app)
    app.register_blueprint(rendering.blueprint(finder, database, settings.time_zone))
    app.register_blueprint(metrics.blueprint(finder, settings.time_zone))
    app.register_blueprint(functions.blueprint())
    app.register_blueprint(service.blueprint(database))
    app.register_blueprint(page.blueprint())
    app.register_error_handler(ApiError, _told)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _failed)
    app.wsgi_app = TrailingSlash(app.wsgi_app)  # type: ignore[method-assign]
    return app


def _told(error: ApiError) -> Response:
    return text_answer(str(error), error.status)


def _http(error: HTTPException) -> Response:
    return text_answer(f"{error.code} {error.name}", error.code or 500)


def _failed(error: Exception) -> Response:
    log.error("request failed", exc_info=error)
    return text_answer(f"internal error; the log has it under the request id {g.request_id}", 500)
