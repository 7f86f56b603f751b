"""One JSON object a line on stdout; every line of a request carries its id."""

import logging
import sys
import time
import uuid
from collections.abc import Iterable, Iterator

import structlog
from flask import Flask, Response, g, request

from . import allowance, measures

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
        seconds = time.perf_counter() - g.began
        used = allowance.current()
        measures.REQUEST_SECONDS.labels(_route(), response.status_code).observe(seconds)
        _count_bytes(response)
        measures.SERIES.inc(used.series)
        measures.POINTS.inc(used.points)
        log.info(
            "request",
            method=request.method,
            path=request.path,
            status=response.status_code,
            took_ms=round(seconds * 1000, 1),
            **({"series": used.series, "points": used.points} if used.points else {}),
        )
        return response


def _count_bytes(response: Response) -> None:
    """Count an answer, one that is made as it is sent part by part."""
    if response.is_streamed:
        response.response = _counted(response.iter_encoded())
    else:
        measures.ANSWER_BYTES.inc(response.content_length or 0)


def _counted(parts: Iterable[bytes]) -> Iterator[bytes]:
    for part in parts:
        measures.ANSWER_BYTES.inc(len(part))
        yield part


def _route() -> str:
    """Pattern of the path, so that no client makes new ones; what is nowhere is one."""
    return request.url_rule.rule if request.url_rule else "none"
