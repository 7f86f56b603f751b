"""One dead letter: the bytes that could not be stored, and headers with the reason and the original record."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple, cast

from confluent_kafka import Message

# Prefixes of the headers by which the topology and Connect describe a dead letter.
TOPOLOGY, CONNECT = "rondo.", "__connect.errors."
RESENT, WRITTEN, SKIP, SENT = "rondo.resent", "rondo.written", "rondo.skip", "rondo.sent"
REFUSED, UNREADABLE = SINK_REASONS = ("sink-refused", "sink-unreadable")
REFUSED_CLASS = "RefusedRecordException"
NUMBER = re.compile(r"[+-]?[0-9]+", re.ASCII)
MAX_DIGITS = 100
MIN_LONG, MAX_LONG = -(2**63), 2**63 - 1
MAX_PARTITION = 2**31 - 1

Headers = Sequence[tuple[str, bytes | None]]


class RecordId(NamedTuple):
    """Partition and offset of a record in its topic."""

    partition: int
    offset: int

    @classmethod
    def of(cls, message: Message) -> "RecordId":
        """Id of a consumed record."""
        return cls(message.partition() or 0, message.offset() or 0)

    def __str__(self) -> str:
        """Return the id of a dead letter in the API."""
        return f"{self.partition}@{self.offset}"


@dataclass(frozen=True)
class DeadLetter:
    """``id`` and ``time_ms``, epoch, are those in the dead-letter topic; ``topic`` and ``source`` the original ones."""

    id: RecordId
    time_ms: int
    topic: str
    source: RecordId
    reason: str
    key: bytes | None
    value: bytes
    headers: Headers

    @classmethod
    def of(cls, message: Message) -> "DeadLetter | None":
        """Read a record; None if it is not a dead letter, such as a mark."""
        headers = _headers(message)
        named, prefix = dict(headers), _prefix(headers)  # the last header of a name counts
        topic, value = _text(named, f"{prefix}topic"), message.value()
        reason = _sink_reason(named) if prefix == CONNECT else _text(named, f"{prefix}reason")
        source = RecordId(_number(named, f"{prefix}partition", -1), _number(named, f"{prefix}offset", -1))
        if topic is None or reason is None or value is None or min(source) < 0 or source.partition > MAX_PARTITION:
            return None
        return cls(RecordId.of(message), message.timestamp()[1], topic, source, reason, message.key(), value, headers)

    @cached_property
    def _named(self) -> Mapping[str, bytes | None]:
        return dict(self.headers)

    @property
    def is_of_sink(self) -> bool:
        """Whether the sink rejected it, not the topology."""
        return _prefix(self.headers) == CONNECT

    @property
    def detail(self) -> str:
        """The first error."""
        return _text(self._named, f"{CONNECT}exception.message" if self.is_of_sink else "rondo.detail") or ""

    @property
    def count(self) -> int:
        """Number of points, or of pieces that should have been points."""
        return _number(self._named, "rondo.count", 1)

    @property
    def full_bytes(self) -> int:
        """Original length in bytes; greater than that of the value if it was cut."""
        return _number(self._named, "rondo.bytes", len(self.value))

    @property
    def resent(self) -> int:
        """How many times the bytes had been resent before they became this dead letter."""
        return _number(self._named, RESENT, 0)

    @property
    def written_ms(self) -> int:
        """When the record was first written, epoch ms; without a header for it, the time of the dead letter."""
        return _number(self._named, WRITTEN, _number(self._named, "rondo.timestamp", self.time_ms))

    @property
    def identity(self) -> tuple[str, RecordId, bytes]:
        """Equal for dead letters about the same pieces of the same bytes of the same record."""
        return self.topic, self.source, sha256(self.value).digest() + (self._named.get(SKIP) or b"")

    @property
    def headers_to_send(self) -> Headers:
        """The sender's headers, and those that say how often the bytes were sent, when first, and what to skip."""
        own = [(name, value) for name, value in self.headers if not name.startswith((TOPOLOGY, CONNECT))]
        skip = [(SKIP, self._named[SKIP])] if SKIP in self._named else []
        return [*own, (RESENT, b"%d" % (self.resent + 1)), (WRITTEN, b"%d" % self.written_ms), *skip]


def marked(message: Message) -> RecordId | None:
    """Id of the dead letter that the record marks as sent, None if it is not a mark: a mark has no value."""
    offset = _number(dict(_headers(message)), SENT, -1)
    return RecordId(message.partition() or 0, offset) if message.value() is None and offset >= 0 else None


def _headers(message: Message) -> Headers:
    return cast(Headers, message.headers() or [])  # values of a consumed record are bytes


def _prefix(headers: Headers) -> str:
    """Return the prefix of the headers that were added last; earlier ones may be the sender's."""
    found = [prefix for name, _ in headers for prefix in (TOPOLOGY, CONNECT) if name == f"{prefix}topic"]
    return found[-1] if found else TOPOLOGY


def _sink_reason(headers: Mapping[str, bytes | None]) -> str:
    exception = _text(headers, f"{CONNECT}exception.class.name") or ""
    return REFUSED if exception.endswith(REFUSED_CLASS) else UNREADABLE


def _text(headers: Mapping[str, bytes | None], name: str) -> str | None:
    value = headers.get(name)
    return None if value is None else value.decode("utf-8", "replace")


def _number(headers: Mapping[str, bytes | None], name: str, otherwise: int) -> int:
    text = _text(headers, name) or ""
    number = int(text) if len(text) <= MAX_DIGITS and NUMBER.fullmatch(text) else None
    return number if number is not None and MIN_LONG <= number <= MAX_LONG else otherwise
