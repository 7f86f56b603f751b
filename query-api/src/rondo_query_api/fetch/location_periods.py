"""Locations of a series over time.

Each location of a series holds the slots of one period; in the slot of a move both locations may have a value::

    first location     | 5 | 7 | 6 |
    second location            | 8 | 4 | 3 |
    move                     ^
    series             | 5 | 7 | 8 | 4 | 3 |
"""

from dataclasses import dataclass, replace
from math import ceil, floor, inf

from .archives import Archive

LocationPeriods = tuple["LocationPeriod", ...]


@dataclass(frozen=True)
class LocationPeriod:
    """Time that a series spent in one location of a policy; epoch seconds.

    ``moves_ago`` is 0 for the current location. The period has the slots that end after ``start``, begin before
    ``end``, and end no later than ``reassigned``, when another series received the position.
    """

    moves_ago: int
    policy: str
    start: float
    end: float = inf
    reassigned: float = inf

    def between(self, step: int) -> tuple[float, float]:
        """Range of its slots of this step: they end after the first time, and at or before the second."""
        final = self.end if self.end == inf else ceil(self.end / step) * step
        return floor(self.start / step) * step, min(
            final, self.reassigned if self.reassigned == inf else self.reassigned // step * step
        )

    def reaches(self, archive: Archive, now: int) -> bool:
        """Whether the archive still has a slot of the period within its span before ``now``, epoch seconds."""
        final = self.between(archive.step)[1]
        return archive.reaches(final if archive.latest is None else min(final, archive.latest), now)

    def snapped(self, step: int) -> "LocationPeriod":
        """Snap the times outward to multiples of ``step``."""
        start, final = self.between(step)
        return replace(self, start=start, end=final, reassigned=inf)
