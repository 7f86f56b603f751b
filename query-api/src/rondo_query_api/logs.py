"""Logs: one JSON object a line on stdout; every line of a request carries its request id."""

import logging
import re
import sys
import time
import uuid
from collections.abc import Iterable, Iterator, MutableMapping
from pathlib import Path
from typing import Any

import structlog
from flask import Flask, Response, g, request

from . import metrics
from .limits import request_budget
from .settings import LOG_LEVELS

log = structlog.get_logger()

REQUEST_ID = re.compile(r"[\x21-\x7e]+")
NUMBERS = {level: getattr(logging, level.upper()) for level in LOG_LEVELS}
CHECK_INTERVAL_S = 2.0  # of the file with the level
MAX_LENGTH, MAX_TRACEBACK = 1_000, 8_000  # characters of a field of a line


class _Threshold:
    """Drops lines below the level in a file, read every ``CHECK_INTERVAL_S``, by default below ``level``."""

    def __init__(self, level: str, file: str) -> None:
        self._default = self._given = self._level = level
        self._file = Path(file)
        self._next_check = 0.0

    def __call__(self, _: Any, method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        if time.monotonic() >= self._next_check:
            self._next_check = time.monotonic() + CHECK_INTERVAL_S
            self._check()
        if NUMBERS.get(method, logging.CRITICAL) < NUMBERS[self._level]:
            raise structlog.DropEvent
        return line

    def _check(self) -> None:
        try:
            given = self._file.read_text()[:MAX_LENGTH].strip() or self._default
        except (OSError, ValueError):
            given = self._default
        if given != self._given:
            self._given = given
            known = given in NUMBERS
            self._level = given if known else self._default
            wrong = {} if known else {"reason": f"{given!r} in {self._file} is not one of {', '.join(NUMBERS)}"}
            log.error("level of the log", lowest=self._level, **wrong)


def configure(level: str, level_file: str = "") -> None:
    """Configure structlog for the process; ``level`` is the lowest that is written, unless the file names another."""
    structlog.configure(
        processors=[
            *([_Threshold(level, level_file)] if level_file else []),
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            _bounded,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG if level_file else NUMBERS[level]),
        # One write for each line, so that processes that share stdout do not mix their lines.
        logger_factory=structlog.WriteLoggerFactory(sys.stdout),
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(handlers=[_LibraryHandler()], level=logging.WARNING, force=True)


class _LibraryHandler(logging.Handler):
    """Writes warnings and errors of libraries, such as psycopg's pool, to this log."""

    def emit(self, record: logging.LogRecord) -> None:
        write = log.error if record.levelno >= logging.ERROR else log.warning
        write(record.getMessage(), logger=record.name, exc_info=record.exc_info)


def _bounded(_: Any, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Shorten long texts, a traceback to its end. JSON escapes all control characters but DEL."""
    for name, value in line.items():
        if isinstance(value, str):
            kept = value[-MAX_TRACEBACK:] if name == "exception" else value[:MAX_LENGTH]
            line[name] = kept.replace("\x7f", "?")
    return line


def log_requests(app: Flask) -> None:
    """Give each request an id (the client's ``X-Request-Id``, else a new one), return it, and log the result."""

    @app.before_request
    def begin() -> None:
        g.began = time.perf_counter()
        given = request.headers.get("X-Request-Id", "")[:64]
        g.request_id = given if REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=g.request_id)

    @app.after_request
    def finish(response: Response) -> Response:
        response.headers["X-Request-Id"] = g.request_id
        seconds = time.perf_counter() - g.began
        budget = request_budget.current()
        metrics.REQUEST_SECONDS.labels(_route(), response.status_code).observe(seconds)
        _count_bytes(response)
        metrics.SERIES.inc(budget.series)
        metrics.POINTS.inc(budget.points)
        log.info(
            "request",
            method=request.method,
            path=request.path,
            status=response.status_code,
            duration_ms=round(seconds * 1000, 1),
            **({"series": budget.series, "points": budget.points} if budget.points else {}),
        )
        return response


def _count_bytes(response: Response) -> None:
    """Count the bytes of the body; those of a streamed body as they are sent."""
    if response.is_streamed:
        response.response = _counted(response.iter_encoded())
    else:
        metrics.RESPONSE_BYTES.inc(response.content_length or 0)


def _counted(parts: Iterable[bytes]) -> Iterator[bytes]:
    for part in parts:
        metrics.RESPONSE_BYTES.inc(len(part))
        yield part


def _route() -> str:
    """Pattern of the path, ``none`` for an unknown path: clients cannot create new label values."""
    return request.url_rule.rule if request.url_rule else "none"
