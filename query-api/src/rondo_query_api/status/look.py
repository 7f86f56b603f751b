"""Asks all parts at once, and keeps what they say for some seconds."""

import math
import threading
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any, TypeVar
from urllib.parse import urlsplit

from .. import kafka
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
FRESH_S, STALE_S = 3.0, 30.0
# For all that one part is asked for.
PATIENCE_S = 2 * TIMEOUT_S
SILENT = f"not within {PATIENCE_S:g} s"


class Look:
    """Asks the parts of the settings, and no others; raises :class:`SettingsError` if one is no URL."""

    def __init__(self, settings: Settings) -> None:
        self._topology = PartUrl.parse_all(settings.topology_urls, "RONDO_API_TOPOLOGY_URLS")
        self._connect = PartUrl.parse_all(settings.connect_urls, "RONDO_API_CONNECT_URLS")
        self._metrics = PartUrl.parse_all(settings.connect_metrics_urls, "RONDO_API_CONNECT_METRICS_URLS")
        self._brokers = Brokers(kafka.connection(settings))
        own = {"threads": 1, "request_connections": 1, "statement_timeout_ms": int(TIMEOUT_S * 1000)}
        self._database = Database(replace(settings, **own))  # type: ignore[arg-type]
        self._names = _names(settings)
        self._increases = Increases()
        self._at_once = AtOnce()
        self._lock = threading.Lock()
        self._latest: tuple[float, Facts] | None = None

    def facts(self) -> Facts:
        """Return facts that are some seconds old at most, or half a minute while another request asks the parts."""
        if self._age_s() >= FRESH_S and self._lock.acquire(blocking=self._age_s() >= STALE_S):
            try:
                if self._age_s() >= FRESH_S:
                    self._latest = time.monotonic(), facts(self._ask(), self._names)
            finally:
                self._lock.release()
        assert self._latest is not None  # noqa: S101 - its age is infinite without
        return self._latest[1]

    def _age_s(self) -> float:
        return time.monotonic() - self._latest[0] if self._latest else math.inf

    def _ask(self) -> Told:
        urls = {*self._topology, *self._connect, *self._metrics}
        resolving: dict[Hashable, Task[list[str]]] = {url: Task(url.addresses, [url.host]) for url in urls}
        hosts = self._at_once.run(resolving, TIMEOUT_S)

        def addresses(of: Sequence[PartUrl]) -> list[Address]:
            return list(dict.fromkeys((host, url.port) for url in of for host in hosts[url]))

        instances = _tasks(addresses(self._topology), self._instance, topology.Told)
        workers = _tasks(addresses(self._connect), ask_worker, sink.Worker)
        metrics = _tasks(addresses(self._metrics), self._worker_metrics, sink.Metrics)
        told = Task(
            lambda: database.read(self._database, self._increases),
            database.Told(silence=f"no answer within {PATIENCE_S:g} s"),
        )
        others: dict[Hashable, Task[Any]] = {"database": told, "brokers": Task(self._brokers.instances, [])}
        asked: dict[Hashable, Task[Any]] = {**instances, **workers, **metrics, **others}
        found = self._at_once.run(asked, PATIENCE_S)
        return Told(
            time.time(),
            found["brokers"],
            [found[key] for key in instances],
            [found[key] for key in workers],
            [found[key] for key in metrics],
            found["database"],
            api.stage(self._increases),
        )

    def _instance(self, address: Address) -> topology.Told:
        return ask_topology(address, self._increases)

    def _worker_metrics(self, address: Address) -> sink.Metrics:
        return ask_metrics(address, self._increases)


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
    prefix = settings.kafka_deletions_topic.rpartition(".")[0] or "rondo"
    return Names(
        urlsplit(settings.database_url).netloc.rpartition("@")[2] or "PostgreSQL",
        f"{prefix}.bundle-rows",
        [name for name, text in given.items() if not text],
    )
