"""Resends dead letters that were selected, by the rule of ``./rondo dead-letters resend``.

- The bytes go to the topic and partition that they came from, with key and headers, those that were written first
  first; if that partition no longer exists, the key decides. ``rondo.resent`` counts how often they have been sent,
  ``rondo.written`` has the time of the first record, and ``rondo.skip`` what the bytes hold beside the rejected.
- A dead letter is sent once: a mark, a record without a value in its partition of ``rondo.dead-letters``, names it when
  Kafka has acknowledged it. A process that ends in between, or two that resend it at the same time, send it twice; its
  points then are ``duplicate-time``. The same bytes of the same record are sent once, and marked together.
- Not sent are those without all of their bytes or without any, those whose bytes came back ``MAX_SENDS`` times, and
  those whose topic no longer exists.

Other than the command, this sends nothing that the sink could not store: only Rondo itself writes to its own topics.
"""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import structlog
from confluent_kafka import KafkaError

from ..errors import BadRequestError, KafkaUnavailableError
from ..kafka.sending import BY_KEY, Record, Sender
from .dead_letter import SENT, DeadLetter, Place, marked, place_of
from .topic_reader import MAX_BYTES, MAX_RECORDS, TopicReader

if TYPE_CHECKING:
    from _typeshed import SupportsRichComparison

MAX_SENDS = 3
# A refused record would be refused again; others can still be sent.
REFUSED = (KafkaError.MSG_SIZE_TOO_LARGE, KafkaError.INVALID_RECORD)
COMMAND = "./rondo dead-letters resend"

log = structlog.get_logger()
Identity = tuple[str, Place, bytes]


@dataclass
class Resent:
    """How many dead letters were sent, and those that were not, by the reason."""

    sent: int = 0
    not_sent: dict[str, list[Place]] = field(default_factory=dict)

    def skip(self, place: Place, why: str) -> None:
        """Add one that is not sent."""
        self.not_sent.setdefault(why, []).append(place)


@dataclass
class _Look:
    """What the topic says of the selected dead letters, and of what is behind them in their partitions."""

    selected: dict[Place, DeadLetter] = field(default_factory=dict)
    places: dict[Identity, list[Place]] = field(default_factory=dict)
    marks: set[Place] = field(default_factory=set)

    def was_sent(self, each: DeadLetter) -> bool:
        return not self.marks.isdisjoint(self.places[each.identity])


class Resender:
    """Resends dead letters of the topic."""

    def __init__(self, connection: Mapping[str, str], topic: str, sender: Sender) -> None:
        self._connection = connection
        self._topic = topic
        self._sender = sender

    def resend(self, by: str, places: Sequence[Place]) -> Resent:
        """Resend those of the dead letters that the rule allows; returns once they are marked.

        Raises :class:`BadRequestError` if too many records follow to decide whether they were sent before, and
        :class:`KafkaUnavailableError` if Kafka did not acknowledge all of them. Acknowledged ones are marked.
        """
        resent = Resent()
        with closing(TopicReader(self._connection, self._topic)) as reader:
            look = _look(reader, places)
            sources = {each.topic for each in look.selected.values() if not each.is_of_sink}
            partitions = {topic: reader.partitions(topic) for topic in sorted(sources)}
        for place in set(places) - look.selected.keys():
            resent.skip(place, "no longer in the topic")
        planned: dict[Identity, DeadLetter] = {}
        for each in sorted(look.selected.values(), key=_as_written):
            if why := _why_not(each, look, partitions, each.identity in planned):
                resent.skip(each.place, why)
            else:
                planned[each.identity] = each
        self._send(list(planned.values()), look, partitions, resent)
        log.info("dead letters resent", by=by, sent=resent.sent, asked=len(set(places)))
        return resent

    def _send(self, planned: Sequence[DeadLetter], look: _Look, partitions: Mapping[str, int], resent: Resent) -> None:
        """Send them in order, then mark those that Kafka has taken."""
        outcomes = self._sender.send([_record(each, partitions[each.topic]) for each in planned])
        failures = []
        taken = []
        for each, error in zip(planned, outcomes, strict=True):
            if error is None:
                taken.append(each)
            elif error.code() in REFUSED:
                resent.skip(each.place, "refused by Kafka, such as larger than its topic allows")
            else:
                failures.append(self._sender.reason(error, each.topic, "a dead letter"))
        resent.sent = len(taken)
        self._mark([place for each in taken for place in look.places[each.identity]], len(taken))
        if failures:
            raise KafkaUnavailableError(f"sent {len(taken)} of {len(planned)} dead letters: {failures[0]}")

    def _mark(self, places: Sequence[Place], sent: int) -> None:
        marks = [
            Record(self._topic, None, partition=each.partition, headers=[(SENT, b"%d" % each.offset)])
            for each in places
        ]
        if unmarked := [error for error in self._sender.send(marks) if error]:
            reason = self._sender.reason(unmarked[0], self._topic, "a mark")
            raise KafkaUnavailableError(
                f"sent {sent} dead letters, but {len(unmarked)} could not be marked, and would be sent again: {reason}"
            )


def _look(reader: TopicReader, places: Sequence[Place]) -> _Look:
    wanted = set(places)
    look = _Look()
    ranges = {
        partition: (max(begin, min(place.offset for place in wanted if place.partition == partition)), end)
        for partition, (begin, end) in reader.ranges().items()
        if partition in {place.partition for place in wanted}
    }
    for message in reader.read(ranges):
        if (mark := marked(message)) is not None:
            look.marks.add(mark)
        elif each := DeadLetter.of(message):
            look.places.setdefault(each.identity, []).append(each.place)
            if place_of(message) in wanted:
                look.selected[each.place] = each
    if reader.exhausted:
        raise BadRequestError(
            f"more than {MAX_RECORDS} records or {MAX_BYTES >> 20} MiB follow these dead letters, too many to tell"
            f" whether they were sent before: use {COMMAND}"
        )
    return look


def _why_not(each: DeadLetter, look: _Look, partitions: Mapping[str, int], is_planned: bool) -> str:
    """Return why a dead letter is not sent, empty if it is."""
    reasons = {
        f"of the sink: use {COMMAND}": each.is_of_sink,
        "sent before": look.was_sent(each),
        "cut, because their bytes were too long to be kept": each.full_bytes > len(each.value),
        "without bytes": not each.value,
        f"sent {MAX_SENDS} times and came back each time": each.resent >= MAX_SENDS,
        "from a topic that no longer exists": not partitions.get(each.topic),
        "with the bytes of another one of the same record, which is sent": is_planned,
    }
    return next((reason for reason, applies in reasons.items() if applies), "")


def _as_written(each: DeadLetter) -> "SupportsRichComparison":
    """Order of sending, in which the points of a series stay in order."""
    return each.written_ms, each.topic, each.source


def _record(each: DeadLetter, partitions: int) -> Record:
    partition = each.source.partition if each.source.partition < partitions else BY_KEY
    return Record(each.topic, each.value, each.key, partition, each.headers_to_send)
