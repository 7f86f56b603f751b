"""Graphite's events (annotations), stored in the table ``event``."""

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import structlog

from .access import scopes
from .db import Database
from .errors import ApiError, BadRequestError, ForbiddenError
from .limits import request_budget

log = structlog.get_logger()

# Seconds between two deletions of old events.
EXPIRY_S = 600
SECONDS_A_DAY = 86_400
# The year 9999: the maximum of Python's times.
END_OF_TIME = 253_402_300_800
TAG = re.compile(r"[^\s,]+")


@dataclass(frozen=True)
class Event:
    """One event; ``when`` is epoch seconds, rounded down to whole seconds in responses."""

    id: int
    when: float
    what: str
    tags: list[str]
    data: str


def tags_in(texts: Iterable[str]) -> list[str]:
    """Distinct tags of the texts, in which commas or white space separate tags."""
    return list(dict.fromkeys(tag for text in texts for tag in TAG.findall(text)))


class EventStore:
    """Reads, stores and deletes events; a response has at most ``max_events`` with texts of ``max_bytes``.

    Events older than ``days`` are deleted; 0 keeps all.

    In a scope it reads only events with the tag of the scope, and adds this tag to those that it stores. It deletes
    none, because other scopes may see them, too.
    """

    def __init__(self, database: Database, max_events: int, max_bytes: int, days: int = 0) -> None:
        self._database = database
        self._max_events = max_events
        self._max_bytes = max_bytes
        self._days = days
        self._next_expiry = 0.0

    def between(self, start: int, end: int, tags: Sequence[str], any_tag: bool = False) -> list[Event]:
        """Events from ``start`` to ``end``, epoch seconds, oldest first, that have all of the tags, or any of them.

        Without tags: all events. Raises :class:`LimitError` when there are more than ``max_events``, or ``max_bytes``.
        """
        wanted: dict[str, object] = (
            {"all": [], "any": list(tags)} if any_tag and tags else {"all": list(tags), "any": None}
        )
        wanted |= {"most": self._max_events + 1, "most_bytes": self._max_bytes}
        rows = self._database.rows("events", start=start, end=end, **wanted)
        request_budget.check_limit("events", len(rows), self._max_events, "max_events")
        request_budget.check_limit("bytes of events", rows[-1][-1] if rows else 0, self._max_bytes, "max_event_bytes")
        return [Event(*row[:-1]) for row in rows]

    def get(self, id_: int) -> Event | None:
        """Event with that id, None when there is none."""
        rows = self._database.rows("event", id=id_)
        return Event(*rows[0]) if rows else None

    def counts(self, start: int, end: int, texts: Sequence[str]) -> dict[int, int]:
        """Count the events that have all the tags in the texts, by second, from ``start`` to before ``end``.

        Seconds without events are absent.
        """
        rows: list[tuple[int, int]] = self._database.rows(
            "event_counts", start=start, end=end, tags=tags_in(texts), most=request_budget.at_most(None)
        )
        return dict(rows)

    def add(self, when: float, what: str, tags: Sequence[str], data: str) -> Event:
        """Store an event; raises :class:`ForbiddenError` if the database's user may not insert events.

        Raises :class:`BadRequestError` if the event is so old that it would be deleted, or has another scope's tag.
        """
        tags = _tags_in_scope(tags)
        if self._days and when < time.time() - self._days * SECONDS_A_DAY:
            setting = "RONDO_API_EVENT_RETENTION_DAYS"
            raise BadRequestError(f"when is more than {self._days} days ago: such events are deleted ({setting})")
        [(id_,)] = self._database.write("add_event", when=when, what=what, tags=list(tags), data=data)
        if self._days and time.monotonic() >= self._next_expiry:
            self._next_expiry = time.monotonic() + EXPIRY_S
            self._expire()
        return Event(id_, int(when), what, list(tags), data)

    def delete(self, id_: int) -> bool:
        """Delete the event with that id; return whether there was one. Raises as :meth:`add`."""
        return bool(self._deleted(id=id_, start=0, end=END_OF_TIME, tags=[]))

    def delete_between(self, start: int, end: int, tags: Sequence[str]) -> int:
        """Delete the events from ``start`` to ``end``, epoch seconds, that have all of the tags; return how many."""
        number = 0
        while deleted := self._deleted(id=None, start=start, end=end, tags=list(tags)):
            number += len(deleted)
        return number

    def _deleted(self, **which: Any) -> list[Any]:
        if scopes.current() is not None:
            raise ForbiddenError("not allowed: only a token of RONDO_API_WRITE_TOKENS or its file may delete events")
        return self._database.write("delete_events", **which)

    def _expire(self) -> None:
        """Delete old events. A failure does not affect the event just stored."""
        try:
            self._database.write("expire_events", days=self._days)
        except ApiError as e:
            log.warning("failed to delete old events", reason=str(e))


def _tags_in_scope(tags: Sequence[str]) -> list[str]:
    """Add the tag of the scope, by which its requests read the event; refuse the tag of another scope."""
    scope = scopes.current()
    if scope is None:
        return list(tags)
    if scope.event_tag is None:
        raise ForbiddenError(f"not allowed: scope {scope.name!r} has no events")
    if foreign := [tag for tag in tags if tag.startswith(scopes.EVENT_TAG) and tag != scope.event_tag]:
        raise BadRequestError(f"tags has {foreign[0]!r}, the tag of another scope: yours is {scope.event_tag!r}")
    return list(dict.fromkeys([*tags, scope.event_tag]))
