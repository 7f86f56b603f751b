"""The WSGI application."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import structlog
from flask import Flask, Response, current_app, g
from flask_cors import CORS
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from . import logs, metrics
from .access import browsers, cors, origins
from .access.guard import guard_requests
from .compression import compress_responses
from .db import Database
from .errors import ApiError, DatabaseUnavailableError, LimitError
from .events import EventStore
from .find.cardinality import Census
from .find.described import SeriesDescriber
from .find.series import SeriesFinder
from .graphite import TrailingSlash
from .kafka.connection import connection_settings
from .kafka.deletions import Deletions
from .kafka.sending import Sender
from .limits import admission, request_budget
from .limits.request_budget import RequestBudget, check_limit
from .limits.request_slots import RequestSlots
from .routes import dead_letters, deletions, events, find, functions, page, render, series, service, status, tags
from .routes.responses import text_response
from .settings import Settings
from .status.collector import Collector
from .status.shared_facts import SharedFacts

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

log = structlog.get_logger()


def create_app(settings: Settings | None = None) -> Flask:
    """Create the application; the settings default to those of the environment."""
    settings = settings or Settings.from_environment()
    logs.configure(settings.log_level, settings.log_level_file)
    database = Database(settings)
    finder = SeriesFinder(database, settings.find_max_nodes)
    event_store = EventStore(database, settings.max_events, settings.max_event_bytes, settings.event_retention_days)

    app = Flask("rondo_query_api", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body_bytes
    logs.log_requests(app)
    compress_responses(app)  # runs before the log, because it is registered later: the log counts compressed bytes
    _limit_bytes(app, settings.max_response_bytes)  # before compression
    app.before_request(lambda: request_budget.begin(RequestBudget.from_settings(settings)))
    access = guard_requests(app, settings)
    browsers.protect(app, settings, access)
    origins.restrict(app, settings)
    admission.limit_concurrency(app, RequestSlots.of(settings, access.scopes), access.client)
    connection = connection_settings(settings)
    sender = Sender(connection)
    deletion_requests = Deletions(sender, settings.kafka_series_requests_topic)
    if settings.allowed_origins:
        CORS(app, **cors.options(settings))
    app.register_blueprint(render.blueprint(finder, database, event_store, settings))
    app.register_blueprint(find.blueprint(finder, settings.time_zone, settings.max_targets))
    app.register_blueprint(tags.blueprint(finder, deletion_requests, access.writer))
    app.register_blueprint(series.blueprint(Census(database), SeriesDescriber(database, finder), settings.time_zone))
    app.register_blueprint(deletions.blueprint(database, deletion_requests, settings, access))
    app.register_blueprint(dead_letters.blueprint(connection, sender, settings, access))
    app.register_blueprint(functions.blueprint())
    app.register_blueprint(events.blueprint(event_store, settings, access))
    app.register_blueprint(service.blueprint(Database(replace(settings, threads=1, request_connections=1))))
    facts = app.extensions["rondo_status"] = SharedFacts(Collector(settings, connection))
    app.register_blueprint(status.blueprint(facts, settings.docs_url, dead_letters.offer(settings, access)))
    app.register_blueprint(page.blueprint())
    app.register_error_handler(ApiError, _on_api_error)
    app.register_error_handler(RequestEntityTooLarge, _on_long_body)
    app.register_error_handler(HTTPException, _on_http_error)
    app.register_error_handler(MemoryError, _on_memory)
    app.register_error_handler(Exception, _on_failure)
    app.wsgi_app = TrailingSlash(app.wsgi_app)  # type: ignore[method-assign]
    if settings.path_prefix:
        app.wsgi_app = DispatcherMiddleware(_outside_prefix, {settings.path_prefix: app.wsgi_app})  # type: ignore[method-assign]
    return app


def _on_api_error(error: ApiError) -> Response:
    if isinstance(error, LimitError):
        metrics.REFUSED_REQUESTS.labels(error.setting).inc()
    if isinstance(error, DatabaseUnavailableError) and error.reason:
        structlog.contextvars.bind_contextvars(reason=error.reason)  # for the request's log line
    return text_response(str(error), error.status, error.headers)


def _limit_bytes(app: Flask, most: int) -> None:
    """Refuse whole responses of more than ``most`` bytes. Streamed ones are estimated before they begin."""

    @app.after_request
    def limit(response: Response) -> Response:
        try:
            check_limit("bytes of response", response.content_length or 0, most, "max_response_bytes")
        except LimitError as e:
            return _on_api_error(e)
        return response


def _on_long_body(error: RequestEntityTooLarge) -> Response:
    metrics.REFUSED_REQUESTS.labels("max_body_bytes").inc()
    limit = current_app.config["MAX_CONTENT_LENGTH"]
    return text_response(f"the body is longer than {limit} bytes (RONDO_API_MAX_BODY_BYTES)", 413)


def _on_http_error(error: HTTPException) -> Response:
    return text_response(f"{error.code} {error.name}", error.code or 500)


def _on_failure(error: Exception) -> Response:
    log.error("request failed", exc_info=error)
    return text_response(f"internal error; see the log for request id {g.request_id}", 500)


def _on_memory(_: MemoryError) -> Response:
    metrics.REFUSED_REQUESTS.labels("worker_memory_bytes").inc()
    message = "the request needs more memory than the process may take (RONDO_API_WORKER_MEMORY_BYTES)"
    return text_response(message, 503)


def _outside_prefix(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
    response = text_response("404 Not Found: paths begin with RONDO_API_PATH_PREFIX", 404)
    return response(environ, start_response)
