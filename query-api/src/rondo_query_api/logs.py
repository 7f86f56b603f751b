"""One JSON object a line on stdout; every line of a request carries its id."""

import logging
import sys
import time
import uuid

import structlog
from flask import Flask, Response, g, request

log = structlog.get_logger()


def configure(level: str) -> None:
    """Set up structlog for the process; level is the least that is shown."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        # One write a line, so that lines of processes that share stdout do not run into each other.
        logger_factory=structlog.WriteLoggerFactory(sys.stdout),
        cache_logger_on_first_use=False,
    )


def follow_requests(app: Flask) -> None:
    """Give each request an id (the client's ``X-Request-Id``, else a new one), return it, and log the outcome."""

    @app.before_request
    def begin() -> None:
        g.began = time.perf_counter()
        g.request_id = request.headers.get("X-Request-Id", "")[:64] or uuid.uuid4().hex
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=g.request_id)

    @app.after_request
    def finish(response: Response) -> Response:
        response.headers["X-Request-Id"] = g.request_id
        took_ms = round((time.perf_counter() - g.began) * 1000, 1)
        log.info("request", method=request.method, path=request.path, status=response.status_code, took_ms=took_ms)
        return response
