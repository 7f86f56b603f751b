"""Where a series has lived.

Each location of a series holds the slots of one stay; in the slot of a move both locations may have a value::

    first location     | 5 | 7 | 6 |
    second location            | 8 | 4 | 3 |
    move                     ^
    series             | 5 | 7 | 8 | 4 | 3 |
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, inf

from ..db import Database
from .archives import Archive
from .series import SeriesKey

Stays = tuple["Stay", ...]


@dataclass(frozen=True)
class Stay:
    """Time that a series lived with a policy, in one location; epoch seconds.

    ``place`` counts the moves since: 0 is the current location. Of this stay are the slots that end after ``start``,
    begin before ``end``, and end no later than ``taken``, when another series got the position.
    """

    place: int
    policy: str
    start: float
    end: float = inf
    taken: float = inf

    def between(self, step: int) -> tuple[float, float]:
        """Range of its slots of this step: they end after the first and at or before the second."""
        final = self.end if self.end == inf else ceil(self.end / step) * step
        return floor(self.start / step) * step, min(
            final, self.taken if self.taken == inf else self.taken // step * step
        )

    def reaches(self, archive: Archive, now: int) -> bool:
        """Whether the archive still has a slot of the stay within its span before ``now``, epoch seconds."""
        final = self.between(archive.step)[1]
        return archive.reaches(final if archive.latest is None else min(final, archive.latest), now)

    def snapped(self, step: int) -> "Stay":
        """Snap the times outward to multiples of ``step``."""
        start, final = self.between(step)
        return replace(self, start=start, end=final, taken=inf)


def stays_of(database: Database, moves: Mapping[SeriesKey, int]) -> dict[SeriesKey, Stays]:
    """Stays of each series, newest first, by its key; ``moves`` tells how often each has moved."""
    keys = list(moves)
    found: dict[SeriesKey, list[Stay]] = {key: [] for key in keys}
    parameters = {"series": [key.id for key in keys], "idents": [key.ident_hash for key in keys]}
    for n, stay, *described in database.rows("stays", **parameters):
        key = keys[n - 1]
        if stay <= moves[key]:
            found[key].append(Stay(moves[key] - stay, *described))
    return {key: tuple(stays) for key, stays in found.items() if stays}


def readable_stays(stays: Stays, archives: Mapping[str, Sequence[Archive]], now: int) -> Stays:
    """Leave out former stays of which no archive of their policy still has a slot."""
    return tuple(
        stay
        for stay in stays
        if not stay.place or any(stay.reaches(each, now) for each in archives.get(stay.policy, ()))
    )


def snapped(stays: Sequence[Stay], step: int) -> Stays:
    """Stays snapped to a step, so that series that moved together are alike."""
    return tuple(stay.snapped(step) for stay in stays)
