"""Asks all parts at once."""

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar
from urllib.parse import urlsplit

from ..db import Database
from ..settings import Settings
from . import api, database, sink, topology
from .asking import Address, ask_metrics, ask_topology, ask_worker
from .at_once import AtOnce, Task
from .brokers import Brokers
from .facts import Facts, Names, Told, facts
from .increases import Increases
from .part_client import TIMEOUT_S, PartUrl, shown

T = TypeVar("T")
# For all that one part is asked for.
PATIENCE_S = 2 * TIMEOUT_S
SILENT = f"not within {PATIENCE_S:g} s"


class Look:
    """Asks the parts of the settings, and no others; raises :class:`SettingsError` if one is no URL.

    ``kafka``, the settings of librdkafka, is empty if the API knows no Kafka.
    """

    def __init__(self, settings: Settings, kafka: Mapping[str, str]) -> None:
        self._topology = PartUrl.parse_all(settings.topology_urls, "RONDO_API_TOPOLOGY_URLS")
        self._connect = PartUrl.parse_all(settings.connect_urls, "RONDO_API_CONNECT_URLS")
        self._metrics = PartUrl.parse_all(settings.connect_metrics_urls, "RONDO_API_CONNECT_METRICS_URLS")
        self._brokers = Brokers(kafka)
        own = {"threads": 1, "request_connections": 1, "statement_timeout_ms": int(TIMEOUT_S * 1000)}
        self._database = Database(replace(settings, **own))  # type: ignore[arg-type]
        self._names = _names(settings)
        self._at_once = AtOnce()

    def take(self, increases: Increases) -> Facts:
        """Ask all parts, and add their counters to the increases."""
        return facts(self._ask(increases), self._names)

    def _ask(self, increases: Increases) -> Told:
        urls = {*self._topology, *self._connect, *self._metrics}
        resolving: dict[Hashable, Task[list[str]]] = {url: Task(url.addresses, [url.host]) for url in urls}
        hosts = self._at_once.run(resolving, TIMEOUT_S)

        def addresses(of: Sequence[PartUrl]) -> list[Address]:
            return list(dict.fromkeys((host, url.port) for url in of for host in hosts[url]))

        instances = _tasks(addresses(self._topology), ask_topology, topology.Told)
        workers = _tasks(addresses(self._connect), ask_worker, sink.Worker)
        metrics = _tasks(addresses(self._metrics), ask_metrics, sink.Metrics)
        told = Task(
            lambda: database.read(self._database),
            database.Told(silence=f"no answer within {PATIENCE_S:g} s"),
        )
        others: dict[Hashable, Task[Any]] = {"database": told, "brokers": Task(self._brokers.instances, [])}
        asked: dict[Hashable, Task[Any]] = {**instances, **workers, **metrics, **others}
        found = self._at_once.run(asked, PATIENCE_S)
        now = time.monotonic()

        def counted(told: Any) -> Any:
            return told if told.silence else replace(told, increase=increases.add(told.part, told.counters(), now))

        return Told(
            time.time(),
            found["brokers"],
            [counted(found[key]) for key in instances],
            [found[key] for key in workers],
            [counted(found[key]) for key in metrics],
            counted(found["database"]),
            api.stage(increases, now),
        )


def _tasks(
    addresses: Sequence[Address], run: Callable[[Address], T], told: Callable[..., T]
) -> dict[Hashable, Task[T]]:
    """One for each address; the kind of the answer tells apart those of one address."""
    return {
        (told, each): Task(lambda each=each: run(each), told(shown(*each), silence=SILENT))  # type: ignore[misc]
        for each in addresses
    }


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
