"""Finds the newest dead letters: reads each partition backwards, in growing steps, until no unread one can be newer."""

import heapq
import math
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from .dead_letter import DeadLetter, RecordId, marked
from .excerpt import excerpt
from .topic_reader import TopicReader

FIRST_STEP, GROWTH = 20, 4
MAX_VALUE, MAX_DETAIL, MAX_NAME = 300, 300, 249

Shown = dict[str, Any]


@dataclass(frozen=True)
class Newest:
    """Dead letters, newest first; ``more`` says that older ones were not read because of the reader's limits."""

    dead_letters: list[Shown]
    more: bool


def newest(connection: Mapping[str, str], topic: str, reason: str | None, limit: int) -> Newest:
    """Find at most ``limit`` newest dead letters with the reason (None: any).

    Raises :class:`KafkaUnavailableError` if Kafka does not answer, or the right to read is missing.
    """
    found: list[tuple[int, RecordId, Shown]] = []  # a heap, the oldest first
    sent: set[RecordId] = set()  # from marks, which follow their dead letters
    with closing(TopicReader(connection, topic)) as reader:
        ranges = reader.ranges()
        ends = {partition: end for partition, (begin, end) in ranges.items() if begin < end}
        step = FIRST_STEP
        while ends and not reader.exhausted:
            chunk = {each: (max(ranges[each][0], end - step), end) for each, end in ends.items()}
            earliest_ms: dict[int, int] = {}
            for message in reader.read(chunk):
                earliest_ms.setdefault(message.partition() or 0, message.timestamp()[1])
                if (mark := marked(message)) is not None:
                    sent.add(mark)
                each = DeadLetter.of(message)
                if each is not None and reason in (None, each.reason):
                    heapq.heappush(found, (each.time_ms, each.id, _shown(each)))
                    if len(found) > limit:
                        heapq.heappop(found)
            oldest_ms = found[0][0] if len(found) == limit else -math.inf
            ends = {
                partition: begin
                for partition, (begin, _) in chunk.items()
                if begin > ranges[partition][0] and earliest_ms.get(partition, math.inf) >= oldest_ms
            }
            step *= GROWTH
        shown = [{**each, "sent": id_ in sent} for _, id_, each in sorted(found, reverse=True, key=lambda f: f[:2])]
        return Newest(shown, reader.exhausted)


def _shown(each: DeadLetter) -> Shown:
    """Return the fields of a dead letter; texts are bounded, on one line, and without control characters."""
    return {
        "id": str(each.id),
        "time": each.time_ms / 1000,
        "reason": _plain(each.reason, MAX_NAME),
        "detail": _plain(each.detail, MAX_DETAIL),
        "count": each.count,
        "bytes": each.full_bytes,
        "source": {"topic": _plain(each.topic, MAX_NAME), **each.source._asdict()},
        "resent": each.resent,
        "excerpt": excerpt(each.value, MAX_VALUE),
    }


def _plain(text: str, most: int) -> str:
    return excerpt(text.encode(), most)
