"""Reads a topic for one request, without a consumer group: a bounded number of records and bytes, in a bounded time."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, TopicPartition

from ..errors import KafkaUnavailableError
from ..kafka.connection import needs
from ..limits import request_budget
from .dead_letter import RecordId

MAX_RECORDS = 10_000
MAX_BYTES = 32 << 20
TIMEOUT_S = 10.0
CONFIG = {
    "client.id": "rondo-query-api",
    "group.id": "rondo-query-api",  # librdkafka requires one; the reader neither joins nor commits
    "enable.auto.commit": False,
    "auto.offset.reset": "earliest",
    "isolation.level": "read_committed",
    "enable.partition.eof": True,
    "log_level": 0,
    # Small buffers, whatever the size of the records.
    "fetch.message.max.bytes": 1 << 20,
    "fetch.max.bytes": 4 << 20,
    "queued.max.messages.kbytes": 4 << 10,
    "fetch.wait.max.ms": 50,
}
UNKNOWN = (KafkaError.UNKNOWN_TOPIC_OR_PART, KafkaError._UNKNOWN_TOPIC, KafkaError._UNKNOWN_PARTITION)
Range = tuple[int, int]  # offsets, the second one excluded


class TopicReader:
    """Reads until one of its limits is reached: then it is ``exhausted``."""

    def __init__(self, connection: Mapping[str, str], topic: str) -> None:
        self._topic = topic
        self._servers = connection["bootstrap.servers"]
        self._consumer = Consumer({**CONFIG, **connection})
        self._ends = time.monotonic() + min(TIMEOUT_S, request_budget.current().seconds_left())
        self._records = self._bytes = 0
        self._is_late = False

    @property
    def exhausted(self) -> bool:
        """Whether a limit of records, bytes or time was reached."""
        return self._records >= MAX_RECORDS or self._bytes >= MAX_BYTES or self._is_late

    def partitions(self, topic: str) -> int:
        """Return the number of partitions of any topic, 0 if it does not exist."""
        with self._translated_errors(topic):
            found = self._consumer.list_topics(topic, timeout=self._seconds_left()).topics[topic]
            if found.error is None:
                return len(found.partitions)
            if found.error.code() in UNKNOWN:
                return 0
            raise KafkaException(found.error)

    def ranges(self) -> dict[int, Range]:
        """Return the first offset of each partition, and the one after its last."""
        number = self.partitions(self._topic)
        if not number:
            raise KafkaUnavailableError(
                f"{self._topic} at {self._servers} does not exist: the topology creates it, and"
                " RONDO_API_KAFKA_DEAD_LETTERS_TOPIC names it"
            )
        with self._translated_errors(self._topic):
            return {
                partition: self._consumer.get_watermark_offsets(
                    TopicPartition(self._topic, partition), timeout=self._seconds_left()
                )
                for partition in range(number)
            }

    def read(self, ranges: Mapping[int, Range]) -> Iterator[Message]:
        """Yield the records of the ranges, in order within a partition, until the reader is exhausted."""
        ends = {partition: end for partition, (begin, end) in ranges.items() if begin < end}
        with self._translated_errors(self._topic):
            self._consumer.assign([TopicPartition(self._topic, each, ranges[each][0]) for each in ends])
        while ends and not self.exhausted:
            message = self._next()
            if message is None:
                continue
            partition, offset = RecordId.of(message)
            if partition not in ends:  # fetched before the partition was unassigned
                continue
            at_end = message.error() is not None
            if not at_end and offset < ends[partition]:
                self._records += 1
                self._bytes += len(message.value() or b"")
                yield message
            if at_end or offset >= ends[partition] - 1:
                del ends[partition]
                self._consumer.incremental_unassign([TopicPartition(self._topic, partition)])

    def _next(self) -> Message | None:
        """Return the next record or end of a partition, None if none arrives in time or the error is ignored."""
        with self._translated_errors(self._topic):
            message = self._consumer.poll(max(0.0, self._ends - time.monotonic()))
            if message is None:
                if not self._records:
                    raise KafkaException(KafkaError(KafkaError._TIMED_OUT, "no answer"))
                self._is_late = True
                return None
            error = message.error()
            if error is None or error.code() == KafkaError._PARTITION_EOF:
                return message
            if error.code() == KafkaError.GROUP_AUTHORIZATION_FAILED:  # the group is not used
                return None
            raise KafkaException(error)

    def _seconds_left(self) -> float:
        if (left := self._ends - time.monotonic()) <= 0:
            raise KafkaException(KafkaError(KafkaError._TIMED_OUT, "no answer"))
        return left

    @contextmanager
    def _translated_errors(self, topic: str) -> Iterator[None]:
        try:
            yield
        except KafkaException as e:
            error = e.args[0]
            if error.code() == KafkaError.TOPIC_AUTHORIZATION_FAILED:
                right = "Read" if topic == self._topic else "Write"
                raise KafkaUnavailableError(
                    f"Kafka at {self._servers} denies access to {topic}: {needs(right, topic)}"
                ) from e
            raise KafkaUnavailableError(f"{topic} at {self._servers} cannot be read: {error.str()}") from e

    def close(self) -> None:
        """Disconnect."""
        self._consumer.close()
