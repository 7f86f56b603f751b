"""Resends selected dead letters, by the rules of ``./rondo dead-letters resend``.

- The bytes go to their original topic and partition, with key and headers, in the order in which they were first
  written; if that partition no longer exists, the key decides. ``rondo.resent`` counts how often they were resent,
  ``rondo.written`` has the time of the first record, and ``rondo.skip`` names the pieces that were not rejected.
- A dead letter is sent once: after Kafka has acknowledged it, a mark names it, which is a record without a value in its
  partition of ``rondo.dead-letters``. A process that ends in between, or two that resend it at the same time, send it
  twice; its points are then dropped as ``duplicate-time``. The same bytes of one record are sent once, and marked
  together.
- Not sent are dead letters whose bytes were cut or are empty, that came back ``MAX_SENDS`` times, or whose topic no
  longer exists.

Unlike the command, this resends nothing that the sink rejected: only Rondo itself writes to its own topics.
"""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import structlog
from confluent_kafka import KafkaError

from ..errors import BadRequestError, KafkaUnavailableError
from ..kafka.sending import BY_KEY, Record, Sender
from .dead_letter import SENT, DeadLetter, RecordId, marked
from .topic_reader import MAX_BYTES, MAX_RECORDS, TopicReader

if TYPE_CHECKING:
    from _typeshed import SupportsRichComparison

MAX_SENDS = 3
# Kafka would refuse this record again, but may accept the others.
REFUSED = (KafkaError.MSG_SIZE_TOO_LARGE, KafkaError.INVALID_RECORD)
COMMAND = "./rondo dead-letters resend"

log = structlog.get_logger()
Identity = tuple[str, RecordId, bytes]


@dataclass
class Resent:
    """Number of dead letters that were sent, and by reason those that were not."""

    sent: int = 0
    not_sent: dict[str, list[RecordId]] = field(default_factory=dict)

    def skip(self, id_: RecordId, why: str) -> None:
        """Add a dead letter that is not sent."""
        self.not_sent.setdefault(why, []).append(id_)


@dataclass
class _Scan:
    """The selected dead letters; ids by identity, and marks, of them and all that follow in their partitions."""

    selected: dict[RecordId, DeadLetter] = field(default_factory=dict)
    ids: dict[Identity, list[RecordId]] = field(default_factory=dict)
    marks: set[RecordId] = field(default_factory=set)

    def was_sent(self, each: DeadLetter) -> bool:
        return not self.marks.isdisjoint(self.ids[each.identity])


class Resender:
    """Resends dead letters of the topic."""

    def __init__(self, connection: Mapping[str, str], topic: str, sender: Sender) -> None:
        self._connection = connection
        self._topic = topic
        self._sender = sender

    def resend(self, by: str, ids: Sequence[RecordId]) -> Resent:
        """Resend the dead letters that the rules allow; returns once they are marked.

        Raises :class:`BadRequestError` if too many records follow to decide whether they were sent before, and
        :class:`KafkaUnavailableError` if Kafka did not acknowledge all of them. Acknowledged ones are marked.
        """
        resent = Resent()
        with closing(TopicReader(self._connection, self._topic)) as reader:
            scan = _scan(reader, ids)
            sources = {each.topic for each in scan.selected.values() if not each.is_of_sink}
            partitions = {topic: reader.partitions(topic) for topic in sorted(sources)}
        for missing in set(ids) - scan.selected.keys():
            resent.skip(missing, "no longer in the topic")
        planned: dict[Identity, DeadLetter] = {}
        for each in sorted(scan.selected.values(), key=_as_written):
            if why := _why_not(each, scan, partitions, each.identity in planned):
                resent.skip(each.id, why)
            else:
                planned[each.identity] = each
        self._send(list(planned.values()), scan, partitions, resent)
        log.info("dead letters resent", by=by, sent=resent.sent, asked=len(set(ids)))
        return resent

    def _send(self, planned: Sequence[DeadLetter], scan: _Scan, partitions: Mapping[str, int], resent: Resent) -> None:
        """Send them in order, then mark those that Kafka has acknowledged."""
        outcomes = self._sender.send([_record(each, partitions[each.topic]) for each in planned])
        failures = []
        acknowledged = []
        for each, error in zip(planned, outcomes, strict=True):
            if error is None:
                acknowledged.append(each)
            elif error.code() in REFUSED:
                resent.skip(each.id, "refused by Kafka, such as larger than its topic allows")
            else:
                failures.append(self._sender.reason(error, each.topic, "a dead letter"))
        resent.sent = len(acknowledged)
        self._mark([id_ for each in acknowledged for id_ in scan.ids[each.identity]], len(acknowledged))
        if failures:
            raise KafkaUnavailableError(f"sent {len(acknowledged)} of {len(planned)} dead letters: {failures[0]}")

    def _mark(self, ids: Sequence[RecordId], sent: int) -> None:
        marks = [
            Record(self._topic, None, partition=each.partition, headers=[(SENT, b"%d" % each.offset)]) for each in ids
        ]
        if unmarked := [error for error in self._sender.send(marks) if error]:
            reason = self._sender.reason(unmarked[0], self._topic, "a mark")
            raise KafkaUnavailableError(
                f"sent {sent} dead letters, but {len(unmarked)} could not be marked, and would be sent again: {reason}"
            )


def _scan(reader: TopicReader, ids: Sequence[RecordId]) -> _Scan:
    wanted = set(ids)
    scan = _Scan()
    ranges = {
        partition: (max(begin, min(each.offset for each in wanted if each.partition == partition)), end)
        for partition, (begin, end) in reader.ranges().items()
        if partition in {each.partition for each in wanted}
    }
    for message in reader.read(ranges):
        if (mark := marked(message)) is not None:
            scan.marks.add(mark)
        elif each := DeadLetter.of(message):
            scan.ids.setdefault(each.identity, []).append(each.id)
            if each.id in wanted:
                scan.selected[each.id] = each
    if reader.exhausted:
        raise BadRequestError(
            f"more than {MAX_RECORDS} records or {MAX_BYTES >> 20} MiB follow these dead letters, too many to determine"
            f" whether they were sent before: use {COMMAND}"
        )
    return scan


def _why_not(each: DeadLetter, scan: _Scan, partitions: Mapping[str, int], is_planned: bool) -> str:
    """Return why a dead letter is not sent, empty if it is."""
    reasons = {
        f"of the sink: use {COMMAND}": each.is_of_sink,
        "sent before": scan.was_sent(each),
        "cut, because their bytes were too long to be kept": each.full_bytes > len(each.value),
        "without bytes": not each.value,
        f"sent {MAX_SENDS} times and came back each time": each.resent >= MAX_SENDS,
        "from a topic that no longer exists": not partitions.get(each.topic),
        "with the bytes of another one of the same record, which is sent": is_planned,
    }
    return next((reason for reason, applies in reasons.items() if applies), "")


def _as_written(each: DeadLetter) -> "SupportsRichComparison":
    """Sort key by which the points of a series stay in order."""
    return each.written_ms, each.topic, each.source


def _record(each: DeadLetter, partitions: int) -> Record:
    partition = each.source.partition if each.source.partition < partitions else BY_KEY
    return Record(each.topic, each.value, each.key, partition, each.headers_to_send)
