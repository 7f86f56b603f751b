"""Collects the reports of all parts."""

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from ..db import Database
from ..settings import Settings
from . import api, database, sink, topology
from .brokers import Brokers
from .facts import Facts, Names, Reports, facts
from .increases import Increases
from .part_client import TIMEOUT_S, NoAnswerError, PartUrl, address_text
from .part_reports import Address, metrics_report, topology_report, worker_report
from .samples import UnreadableError
from .task_pool import Task, TaskPool

Tasks = dict[Hashable, Task]
REPORT_TIMEOUT_S = 2 * TIMEOUT_S  # for all requests to one part


class Collector:
    """Requests reports from the configured parts only; raises :class:`SettingsError` for an invalid URL.

    ``kafka``, the settings of librdkafka, is empty if no Kafka is configured.
    """

    def __init__(self, settings: Settings, kafka: Mapping[str, str]) -> None:
        self._topology = PartUrl.parse_all(settings.topology_urls, "RONDO_API_TOPOLOGY_URLS")
        self._connect = PartUrl.parse_all(settings.connect_urls, "RONDO_API_CONNECT_URLS")
        self._metrics = PartUrl.parse_all(settings.connect_metrics_urls, "RONDO_API_CONNECT_METRICS_URLS")
        self._brokers = Brokers(kafka)
        own = {"threads": 1, "request_connections": 1, "statement_timeout_ms": int(TIMEOUT_S * 1000)}
        self._database = Database(replace(settings, **own))  # type: ignore[arg-type]
        self._names = _names(settings)
        self._pool = TaskPool()

    def collect(self, increases: Increases) -> Facts:
        """Collect all reports, and add their counters to the increases."""
        return facts(self._reports(increases), self._names)

    def _reports(self, increases: Increases) -> Reports:
        urls = {*self._topology, *self._connect, *self._metrics}
        resolving: Tasks = {url: Task(url.addresses, [url.host]) for url in urls}
        hosts = self._pool.run(resolving, TIMEOUT_S)

        def addresses(of: Sequence[PartUrl]) -> list[Address]:
            return list(dict.fromkeys((host, url.port) for url in of for host in hosts[url]))

        instances = _tasks(addresses(self._topology), topology_report, topology.Report)
        workers = _tasks(addresses(self._connect), worker_report, sink.WorkerReport)
        metrics = _tasks(addresses(self._metrics), metrics_report, sink.MetricsReport)
        no_answer = database.Report(error=f"no answer within {REPORT_TIMEOUT_S:g} s")
        stored: Tasks = {"database": Task(partial(database.read, self._database), no_answer)}
        brokers: Tasks = {"brokers": Task(self._brokers.instances, [])}
        found = self._pool.run({**instances, **workers, **metrics, **stored, **brokers}, REPORT_TIMEOUT_S)
        now = time.monotonic()

        def counted(report: Any) -> Any:
            if report.error:
                return report
            return replace(report, increase=increases.add(report.part, report.counters(), now))

        return Reports(
            time.time(),
            found["brokers"],
            [counted(found[key]) for key in instances],
            [found[key] for key in workers],
            [counted(found[key]) for key in metrics],
            counted(found["database"]),
            api.stage(increases, now),
        )


def _tasks(addresses: Sequence[Address], request: Callable[[Address], Any], kind: Callable[..., Any]) -> Tasks:
    """Return a task for each address, by the kind of its report and the address."""

    def report(address: Address) -> Any:
        try:
            return request(address)
        except (NoAnswerError, UnreadableError) as e:
            return kind(address_text(*address), error=str(e))

    late = f"not within {REPORT_TIMEOUT_S:g} s"
    return {(kind, each): Task(partial(report, each), kind(address_text(*each), error=late)) for each in addresses}


def _names(settings: Settings) -> Names:
    given = {
        "RONDO_API_TOPOLOGY_URLS": settings.topology_urls,
        "RONDO_API_CONNECT_URLS": settings.connect_urls,
        "RONDO_API_CONNECT_METRICS_URLS": settings.connect_metrics_urls,
    }
    prefix = settings.kafka_series_requests_topic.rpartition(".")[0] or "rondo"
    return Names(
        urlsplit(settings.database_url).netloc.rpartition("@")[2] or "PostgreSQL",
        f"{prefix}.bundle-rows",
        [name for name, text in given.items() if not text],
    )
