"""What happened when, beside series: Graphite's events, in the table ``event``."""

from collections.abc import Sequence
from dataclasses import dataclass

from . import allowance
from .db import Database


@dataclass(frozen=True)
class Event:
    """``when`` is epoch seconds, whole ones in answers."""

    id: int
    when: float
    what: str
    tags: list[str]
    data: str


class EventStore:
    """Events of the database; no answer has more than ``most``."""

    def __init__(self, database: Database, most: int) -> None:
        self._database = database
        self._most = most

    def between(self, start: int, end: int, tags: Sequence[str], any_tag: bool = False) -> list[Event]:
        """Events from start to end, epoch seconds, with all of the tags, or any; oldest first. No tags: every event."""
        wanted = {"all": [], "any": list(tags)} if any_tag and tags else {"all": list(tags), "any": None}
        rows = self._database.rows("events", start=start, end=end, most=self._most + 1, **wanted)
        allowance.check("events", len(rows), self._most, "max_events")
        return [Event(*row) for row in rows]

    def get(self, id_: int) -> Event | None:
        """Event of that id."""
        rows = self._database.rows("event", id=id_)
        return Event(*rows[0]) if rows else None

    def counts(self, start: int, end: int, tags: Sequence[str]) -> dict[int, int]:
        """Count events that have all the tags, by second, from start to before end; only seconds that have any."""
        rows: list[tuple[int, int]] = self._database.rows("event_counts", start=start, end=end, tags=list(tags))
        return dict(rows)

    def add(self, when: float, what: str, tags: Sequence[str], data: str) -> Event:
        """Store one; raises :class:`ForbiddenError` where the database's user may not."""
        [(id_,)] = self._database.write("add_event", when=when, what=what, tags=list(tags), data=data)
        return Event(id_, int(when), what, list(tags), data)
