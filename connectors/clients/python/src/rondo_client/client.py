"""Publishes the metrics of an application: one point of each series at the end of each step."""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self

from confluent_kafka import KafkaException, Producer

from .metrics import Counter, Gauge, Metric, Timer
from .native import records
from .pace import Pace
from .registry import Registry
from .settings import Settings

LOG = logging.getLogger(__name__)
QUIET_S = 60


class Client:
    """Metrics of this process.

    ``settings``: at least ``bootstrap.servers`` and ``rondo.client.prefix`` or ``rondo.client.tags``; those that do not
    begin with ``rondo.`` are librdkafka's. An unknown or invalid one raises ``ValueError``. Create it after a fork.

    Updates of metrics never block and never raise, whatever the state of Kafka; points that cannot be published are
    counted.
    """

    def __init__(self, settings: Mapping[str, Any]) -> None:
        checked = Settings.of(settings)
        self._topic = checked.topic
        self._key = checked.names.key().encode()
        self._pace = Pace.of(checked.step_ms, self._key)
        self._close_fails = checked.close_fails
        self._quiet_until = 0.0
        self._last_reason = ""
        begin_ms = self._pace.end_before(now_ms())
        self._registry = Registry(checked.names, checked.max_metrics, begin_ms, self._warn)
        self._producer = Producer(dict(checked.producer))
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="rondo-client", daemon=True)
        self._thread.start()

    def counter(self, name: str, /, **tags: str) -> Counter:
        """Return the counter with this name and these tags; create it if there is none.

        Raise ``ValueError`` if the name or a tag is invalid, or if another metric has this name.
        """
        return self._registry.get(Counter, name, tags)

    def gauge(self, name: str, supplier: Callable[[], float] | None = None, /, **tags: str) -> Gauge:
        """Return a gauge, like ``counter``; with a function it must be new."""
        if supplier is None:
            return self._registry.get(Gauge, name, tags)
        return self._registry.supplied(name, tags, supplier)

    def timer(self, name: str, /, **tags: str) -> Timer:
        """Return a timer, like ``counter``."""
        return self._registry.get(Timer, name, tags)

    def remove(self, metric: Metric) -> None:
        """Stop publishing a metric; another one can take its name."""
        self._registry.remove(metric)

    @property
    def published(self) -> int:
        """Points that Kafka has acknowledged."""
        return self._registry.published.total

    @property
    def dropped(self) -> int:
        """Points that were not published: Kafka did not accept them in time, or the buffer was full."""
        return self._registry.dropped.total

    def close(self, timeout: float = 5.0) -> int:
        """Publish the current step as a whole one, and wait up to ``timeout`` seconds for delivery.

        Log and return the number of undelivered points since the start; if there are any and
        ``rondo.client.close.fails`` is set, raise ``RuntimeError``.
        """
        deadline = time.monotonic() + timeout
        self._ending.set()
        self._thread.join(timeout)
        if self._thread.is_alive():
            self._registry.drop(1, "the last step: its points were not collected in time")
        if self._producer.flush(max(deadline - time.monotonic(), 0)):
            self._producer.purge()
            self._producer.flush(1)  # runs the callbacks of dropped records
        if self.dropped:
            total = self.dropped + self.published
            undelivered = f"{self.dropped} of {total} points were not delivered; last reason: {self._last_reason}"
            LOG.warning(undelivered)
            if self._close_fails:
                raise RuntimeError(undelivered)
        return self.dropped

    def __enter__(self) -> Self:
        """Return the client."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close the client."""
        self.close()

    def _run(self) -> None:
        while not self._ends_before(self._pace.end_after(now_ms())):
            end_ms = self._pace.end_before(now_ms())
            batches = records(self._registry.collect(end_ms))
            for n, (value, points) in enumerate(batches):
                self._ends_before(self._pace.due_ms(end_ms, n, len(batches)))  # returns at once when the client ends
                self._send(value, points)
        now = now_ms()
        for end_ms in (self._pace.end_before(now), self._pace.end_after(now)):
            for value, points in records(self._registry.collect(end_ms)):
                self._send(value, points)

    def _ends_before(self, t_ms: int) -> bool:
        """Wait for a time, epoch ms; return ``True`` as soon as the client ends."""
        ends = self._ending.wait(max(t_ms - now_ms(), 0) / 1000)
        self._producer.poll(0)
        return ends

    def _send(self, value: bytes, points: int) -> None:
        def delivered(error: object, _message: object) -> None:
            if error is None:
                self._registry.published.add(points)
            else:
                self._registry.drop(points, str(error))

        try:
            self._producer.produce(self._topic, value, self._key, on_delivery=delivered)
        except (BufferError, KafkaException) as e:
            self._registry.drop(points, f"topic {self._topic}: {e}")

    def _warn(self, total: int, reason: str) -> None:
        """Log a drop at once, then at most once a minute."""
        self._last_reason = reason
        if time.monotonic() >= self._quiet_until:
            self._quiet_until = time.monotonic() + QUIET_S
            LOG.warning("dropped %d points since the start; last reason: %s", total, reason)


def now_ms() -> int:
    """Return the time, epoch ms."""
    return time.time_ns() // 1_000_000
