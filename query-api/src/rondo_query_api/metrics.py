"""Prometheus metrics.

Under gunicorn each process writes its counters into files of a shared folder in memory (shared_memory.py), and any
process reports the sum of all. Elsewhere a process reports its own.
"""

import os

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from . import shared_memory

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

REQUEST_SECONDS = Histogram(
    "rondo_query_request_duration_seconds", "Duration of a request.", ["route", "status"], buckets=SECONDS
)
STATEMENT_SECONDS = Histogram(
    "rondo_query_statement_duration_seconds", "Duration of an SQL statement.", ["statement"], buckets=SECONDS
)
POINTS = Counter("rondo_query_points", "Points read and computed.")
SERIES = Counter("rondo_query_series", "Series found for /render.")
CACHE_REQUESTS = Counter("rondo_query_cache_requests", "Requests to /render by cache result.", ["result"])
REFUSED_REQUESTS = Counter("rondo_query_refused_requests", "Requests above the limit of a setting.", ["setting"])
RESPONSE_BYTES = Counter("rondo_query_response_bytes", "Bytes of response bodies, after compression.")


def exposition() -> bytes:
    """All metrics in Prometheus' text format."""
    if shared_memory.VARIABLE not in os.environ:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
