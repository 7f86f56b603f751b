"""What is counted and timed, for Prometheus.

Under gunicorn each process counts in files of a folder in memory (shared_memory.py), and any of them answers for all.
Elsewhere a process answers for itself.
"""

import os

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from . import shared_memory

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

REQUEST_SECONDS = Histogram(
    "rondo_query_request_duration_seconds", "Time of a request.", ["route", "status"], buckets=SECONDS
)
STATEMENT_SECONDS = Histogram(
    "rondo_query_statement_duration_seconds", "Time of an SQL statement.", ["statement"], buckets=SECONDS
)
POINTS = Counter("rondo_query_points", "Points read and computed.")
SERIES = Counter("rondo_query_series", "Series found for /render.")
CACHE = Counter("rondo_query_cache", "Answers of /render by whether the cache had them.", ["result"])
REFUSED = Counter("rondo_query_refused", "Requests that ask for more than a setting allows.", ["setting"])
ANSWER_BYTES = Counter("rondo_query_answer_bytes", "Bytes of answers, as they are sent.")


def exposition() -> bytes:
    """All of it in Prometheus' text format."""
    if shared_memory.VARIABLE not in os.environ:
        return generate_latest(REGISTRY)
    every = CollectorRegistry()
    MultiProcessCollector(every)  # type: ignore[no-untyped-call]
    return generate_latest(every)
