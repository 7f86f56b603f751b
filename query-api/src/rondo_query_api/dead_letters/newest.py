"""The newest dead letters: each partition is read backwards, in growing steps, until no older one can be among them."""

import heapq
import math
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from .dead_letter import DeadLetter, Place, marked
from .excerpt import excerpt
from .topic_reader import TopicReader

FIRST_STEP, GROWTH = 20, 4
MAX_VALUE, MAX_DETAIL, MAX_NAME = 300, 300, 249

Shown = dict[str, Any]


@dataclass(frozen=True)
class Newest:
    """Dead letters, newest first; ``more`` says that older ones were not read, because of the limits."""

    dead_letters: list[Shown]
    more: bool


def newest(connection: Mapping[str, str], topic: str, reason: str | None, limit: int) -> Newest:
    """Find the newest dead letters, ``limit`` at most, with the reason, by default any.

    Raises :class:`KafkaUnavailableError` if Kafka does not answer, or the right to read is missing.
    """
    found: list[tuple[int, Place, Shown]] = []  # a heap, the oldest first
    sent: set[Place] = set()  # by marks, which are behind their dead letters
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
                    heapq.heappush(found, (each.time_ms, each.place, _shown(each)))
                    if len(found) > limit:
                        heapq.heappop(found)
            oldest_ms = found[0][0] if len(found) == limit else -math.inf
            ends = {
                partition: begin
                for partition, (begin, _) in chunk.items()
                if begin > ranges[partition][0] and earliest_ms.get(partition, math.inf) >= oldest_ms
            }
            step *= GROWTH
        shown = [{**each, "sent": place in sent} for _, place, each in sorted(found, reverse=True, key=lambda f: f[:2])]
        return Newest(shown, reader.exhausted)


def _shown(each: DeadLetter) -> Shown:
    """Return what is shown of a dead letter: bounded, on one line each, and without control characters."""
    return {
        "id": str(each.place),
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
