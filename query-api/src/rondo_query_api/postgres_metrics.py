"""Prometheus metrics of PostgreSQL, from its statistics at each scrape, and of fills and replays, from tables."""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from .db import Database, Row
from .errors import DatabaseUnavailableError
from .status.model import Fill

Family = GaugeMetricFamily | CounterMetricFamily
PREFIX = "rondo_postgres_"
FILL_PREFIX = "rondo_fill_"
REPLAY_PREFIX = "rondo_replay_"
SERVER: tuple[tuple[type[Family], str, str], ...] = (
    (GaugeMetricFamily, "database_bytes", "Bytes of the database."),
    (CounterMetricFamily, "wal_bytes", "Bytes of WAL since the server was created."),
    (GaugeMetricFamily, "connections", "Sessions of all databases of the server."),
    (GaugeMetricFamily, "max_connections", "Sessions that the server accepts."),
)
TABLES: tuple[tuple[type[Family], str, str], ...] = (
    (GaugeMetricFamily, "table_bytes", "Bytes of a table with its indexes."),
    (GaugeMetricFamily, "rows", "Live rows of a table, as last counted."),
    (GaugeMetricFamily, "dead_rows", "Dead rows of a table that are not removed yet, as last counted."),
    (CounterMetricFamily, "updates", "Rows of a table that were updated."),
    (CounterMetricFamily, "hot_updates", "Updates that stayed in their page and wrote no index entry (HOT)."),
)
ARCHIVE_LABELS = ("policy", "cf", "step_ms", "size")
ARCHIVE_HELP = "Bytes of an archive with its index, estimated from the sample of the last ANALYZE of ts."
FILLS = (
    ("open_segments", "Segments of an archive that are not filled yet."),
    ("age_seconds", "Time since the fill of an archive began."),
    ("progress_age_seconds", "Time since the fill of an archive last made progress."),
)
STATE_HELP = "Always 1; the label names the step of an unfinished live replay or backfill, or that it is paused."
REMAINING_HELP = "Records that a live replay or backfill has not read yet."
PROGRESS_HELP = "Time since a live replay or backfill last made progress, was paused or resumed."
UP_HELP = "Whether PostgreSQL answers the query API: 1 or 0. At 0 the only other metric is rondo_postgres_error."
ERROR_HELP = "Always 1; the label says why PostgreSQL does not answer. Absent while it does."


def exposition(database: Database) -> bytes:
    """All metrics in Prometheus' text format; only ``up`` and ``error`` if PostgreSQL does not answer."""
    registry = CollectorRegistry()
    registry.register(_PostgresCollector(database))
    return generate_latest(registry)


class _PostgresCollector(Collector):
    def __init__(self, database: Database) -> None:
        self._metrics = list(collect(database))

    def collect(self) -> Iterator[Metric]:
        yield from self._metrics


def collect(database: Database) -> Iterator[Metric]:
    """Read all metrics once."""
    error = GaugeMetricFamily(f"{PREFIX}error", ERROR_HELP, labels=["error"])
    try:
        [server] = database.rows("postgres_server")
        tables = database.rows("postgres_tables")
        archives = database.rows("postgres_archives")
        fills = [Fill(*row) for row in database.rows("fills")]
        replays = database.rows("replays")
    except DatabaseUnavailableError as e:
        yield GaugeMetricFamily(f"{PREFIX}up", UP_HELP, 0)
        error.add_metric([e.with_reason], 1)
        yield error
        return
    yield GaugeMetricFamily(f"{PREFIX}up", UP_HELP, 1)
    yield error
    for (family, name, text), value in zip(SERVER, server, strict=True):
        yield family(PREFIX + name, text, value)
    for column, (family, name, text) in enumerate(TABLES, start=1):
        metric = family(PREFIX + name, text, labels=["table"])
        for row in tables:
            metric.add_metric([row[0]], row[column])
        yield metric
    sizes = GaugeMetricFamily(f"{PREFIX}archive_bytes", ARCHIVE_HELP, labels=ARCHIVE_LABELS)
    for *labels, size in archives:
        sizes.add_metric(labels, size)
    yield sizes
    yield from _fills(fills)
    yield from _replays(replays)


def _fills(fills: list[Fill]) -> Iterator[Metric]:
    metrics = [GaugeMetricFamily(FILL_PREFIX + name, text, labels=["archive"]) for name, text in FILLS]
    for fill in fills:
        for metric, value in zip(metrics, (fill.open_segments, fill.age_s, fill.idle_s), strict=True):
            metric.add_metric([fill.archive], value)
    yield from metrics


def _replays(replays: list[Row]) -> Iterator[Metric]:
    states = GaugeMetricFamily(f"{REPLAY_PREFIX}state", STATE_HELP, labels=["replay", "state"])
    remaining = GaugeMetricFamily(f"{REPLAY_PREFIX}remaining_records", REMAINING_HELP, labels=["replay"])
    progress = GaugeMetricFamily(f"{REPLAY_PREFIX}progress_age_seconds", PROGRESS_HELP, labels=["replay"])
    for replay, state, _, left, _, idle_s in replays:
        states.add_metric([replay, state], 1)
        remaining.add_metric([replay], left)
        progress.add_metric([replay], idle_s)
    yield from (states, remaining, progress)
