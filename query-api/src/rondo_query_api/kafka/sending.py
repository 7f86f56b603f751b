"""Sends records to Kafka, and returns the outcome of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from confluent_kafka import KafkaError, KafkaException, Producer

from ..errors import NotSupportedError
from .connection import needs

DELIVERY_MS = 10_000
MAX_RECORD_BYTES = 4 << 20  # of Rondo's topics
BY_KEY = -1


@dataclass(frozen=True)
class Record:
    """A record to send; without a partition, the key selects it as in Kafka's Java client."""

    topic: str
    value: bytes | None
    key: bytes | None = None
    partition: int = BY_KEY
    headers: Sequence[tuple[str, str | bytes | None]] = ()


class Sender:
    """Sends records; ``connection``, the settings of librdkafka, is empty if no Kafka is configured."""

    def __init__(self, connection: Mapping[str, str]) -> None:
        self._connection = connection
        self.servers = connection.get("bootstrap.servers", "")
        self._fault = ""

    def check_kafka(self, what: str, command: str) -> None:
        """Raise :class:`NotSupportedError`, which names the equivalent command, if no Kafka is configured."""
        if not self.servers:
            raise NotSupportedError(
                f"no Kafka is configured {what}: set RONDO_API_KAFKA_BOOTSTRAP_SERVERS, or use {command}"
            )

    @cached_property
    def _producer(self) -> Producer:
        """Connect at the first record, which is after the fork of the worker."""
        return Producer(
            {
                "client.id": "rondo-query-api",
                "enable.idempotence": True,
                "message.timeout.ms": DELIVERY_MS,
                "message.max.bytes": MAX_RECORD_BYTES,
                "partitioner": "murmur2_random",
                "error_cb": self._on_error,
                **self._connection,
            }
        )

    def _on_error(self, error: KafkaError) -> None:
        """Keep a broker's reason; the error that all brokers are down, which follows, has none."""
        if error.code() != KafkaError._ALL_BROKERS_DOWN:
            self._fault = error.str()

    def send(self, records: Sequence[Record]) -> list[KafkaError | None]:
        """Send the records in order; return the error of each, None if Kafka has acknowledged it."""
        self._fault = ""
        outcomes: list[KafkaError | None] = [KafkaError(KafkaError._TIMED_OUT, "no answer")] * len(records)
        try:
            producer = self._producer  # another thread may reconnect meanwhile
        except KafkaException as e:
            return [e.args[0]] * len(records)
        for number, record in enumerate(records):

            def keep(error: KafkaError | None, _: object, number: int = number) -> None:
                outcomes[number] = error

            try:
                producer.produce(
                    record.topic,
                    record.value,
                    record.key,
                    record.partition,
                    on_delivery=keep,
                    headers=list(record.headers),
                )
            except KafkaException as e:
                outcomes[number] = e.args[0]
            except BufferError as e:
                outcomes[number] = KafkaError(KafkaError._QUEUE_FULL, str(e))
        producer.flush(2 * DELIVERY_MS / 1000)
        if any(outcomes):
            self._reconnect()
        return outcomes

    def _reconnect(self) -> None:
        """Discard the producer: once refused, it stays refused even after the right is granted."""
        self.__dict__.pop("_producer", None)

    def reason(self, error: KafkaError, topic: str, what: str) -> str:
        """Describe why Kafka did not acknowledge what was sent to the topic; names the missing right, if any.

        A producer without the right to write to any topic fails for the whole cluster.
        """
        reasons = ": ".join(filter(None, [error.str(), self._fault]))
        if "authorization failed" in reasons.lower():
            return f"Kafka at {self.servers} refuses {what}: {needs('Write', topic)}"
        return f"{topic} at {self.servers} has not acknowledged {what}: {reasons}"
