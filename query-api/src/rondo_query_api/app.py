"""The WSGI application."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import structlog
from flask import Flask, Response, current_app, g
from flask_cors import CORS
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from . import access, allowance, cors, logs, measures
from .allowance import Allowance
from .compression import compress_answers
from .db import Database
from .errors import ApiError, LimitError
from .events import EventStore
from .find import SeriesFinder
from .graphite import TrailingSlash
from .routes import events as happenings
from .routes import functions, metrics, page, rendering, service, tags
from .routes.answers import text_answer
from .settings import Settings

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

log = structlog.get_logger()


def create_app(settings: Settings | None = None) -> Flask:
    """Make the application by these settings, else by the environment's."""
    settings = settings or Settings.from_environment()
    logs.configure(settings.log_level)
    database = Database(settings)
    finder = SeriesFinder(database, settings.find_max_nodes)
    events = EventStore(database, settings.max_events)

    app = Flask("rondo_query_api", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body_bytes
    logs.follow_requests(app)
    compress_answers(app)  # what is told of an answer is told of it as it is sent
    app.before_request(lambda: allowance.begin(Allowance.of(settings)))
    access.guard(app, settings)
    if settings.allowed_origins:
        CORS(app, **cors.options(settings))
    app.register_blueprint(rendering.blueprint(finder, database, events, settings))
    app.register_blueprint(metrics.blueprint(finder, settings.time_zone))
    app.register_blueprint(tags.blueprint(finder))
    app.register_blueprint(functions.blueprint())
    app.register_blueprint(happenings.blueprint(events, settings.time_zone))
    app.register_blueprint(service.blueprint(database))
    app.register_blueprint(page.blueprint())
    app.register_error_handler(ApiError, _told)
    app.register_error_handler(RequestEntityTooLarge, _too_long)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _failed)
    app.wsgi_app = TrailingSlash(app.wsgi_app)  # type: ignore[method-assign]
    if settings.path_prefix:
        app.wsgi_app = DispatcherMiddleware(_elsewhere, {settings.path_prefix: app.wsgi_app})  # type: ignore[method-assign]
    return app


def _told(error: ApiError) -> Response:
    if isinstance(error, LimitError):
        measures.REFUSED.labels(error.setting).inc()
    return text_answer(str(error), error.status, error.headers)


def _too_long(error: RequestEntityTooLarge) -> Response:
    measures.REFUSED.labels("max_body_bytes").inc()
    most = current_app.config["MAX_CONTENT_LENGTH"]
    return text_answer(f"the body is longer than {most} bytes (RONDO_API_MAX_BODY_BYTES)", 413)


def _http(error: HTTPException) -> Response:
    return text_answer(f"{error.code} {error.name}", error.code or 500)


def _failed(error: Exception) -> Response:
    log.error("request failed", exc_info=error)
    return text_answer(f"internal error; the log has it under the request id {g.request_id}", 500)


def _elsewhere(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
    """Answer what is asked beside the path prefix."""
    answer = text_answer("404 Not Found: paths begin with the one of RONDO_API_PATH_PREFIX", 404)
    return answer(environ, start_response)
