"""Deletions of series: requests to the topology, as records of one of its topics."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from confluent_kafka import KafkaError, KafkaException, Producer

from .errors import KafkaUnavailableError, NotSupportedError

RECORD_CHARACTERS = 200_000  # at most 800 KB as UTF-8, below the megabyte that brokers accept
DELIVERY_MS = 10_000


class Deletions:
    """Requests deletions; ``connection``, the settings of librdkafka, is empty if the API knows no Kafka."""

    def __init__(self, connection: Mapping[str, str], topic: str) -> None:
        self._connection = connection
        self._servers = connection.get("bootstrap.servers", "")
        self._topic = topic
        self._fault = ""

    @cached_property
    def _producer(self) -> Producer:
        """Connect at the first deletion: after the fork of the worker, and most APIs delete nothing."""
        return Producer(
            {
                "client.id": "rondo-query-api",
                "enable.idempotence": True,
                "message.timeout.ms": DELIVERY_MS,
                "error_cb": self._on_error,
                **self._connection,
            }
        )

    def _on_error(self, error: KafkaError) -> None:
        """Keep why no broker answers; that none does, which follows, says less."""
        if error.code() != KafkaError._ALL_BROKERS_DOWN:
            self._fault = error.str()

    def request(self, by: str, idents: Sequence[str]) -> None:
        """Return when Kafka has the request of ``by`` to delete the series; the topology deletes them after that."""
        if not self._servers:
            raise NotSupportedError(
                "the API knows no Kafka to send the deletion to: set RONDO_API_KAFKA_BOOTSTRAP_SERVERS,"
                " or use ./rondo series delete"
            )
        outcomes: list[Any] = []
        self._fault = ""
        try:
            producer = self._producer  # another thread may connect anew meanwhile
            for some in _records(idents):
                value = json.dumps({"by": by, "series": some}, ensure_ascii=False).encode()
                producer.produce(self._topic, value, on_delivery=lambda error, _: outcomes.append(error))
            left = producer.flush(2 * DELIVERY_MS / 1000)
        except (KafkaException, BufferError) as e:
            self._connect_anew()
            raise KafkaUnavailableError(self._refusal(str(e)) or f"{self._place} cannot be written: {e}") from e
        if left or (failed := [error for error in outcomes if error]):
            self._connect_anew()
            reasons = ": ".join(filter(None, ["no answer" if left else failed[0].str(), self._fault]))
            raise KafkaUnavailableError(
                self._refusal(reasons) or f"{self._place} has not taken the deletion: {reasons}"
            )

    @property
    def _place(self) -> str:
        return f"{self._topic} at {self._servers}"

    def _refusal(self, reasons: str) -> str:
        """Name the missing right; empty if the reason is another one.

        A producer that may write to no topic fails for the cluster.
        """
        if "authorization failed" not in reasons.lower():
            return ""
        return (
            f"Kafka at {self._servers} refuses the deletion: the user of the API needs Write on topic {self._topic},"
            " see ./rondo acls"
        )

    def _connect_anew(self) -> None:
        """Forget the producer: a refused one stays refused, although the right is granted meanwhile."""
        self.__dict__.pop("_producer", None)


def _records(idents: Sequence[str]) -> Iterator[list[str]]:
    """Divide the idents so that each record fits."""
    some: list[str] = []
    length = 0
    for ident in idents:
        if some and length + len(ident) > RECORD_CHARACTERS:
            yield some
            some, length = [], 0
        some.append(ident)
        length += len(ident)
    if some:
        yield some
