"""Which slots of which archives make the one series of one step that is answered.

The archive that suits a request may not reach back to its start: then it was chosen for a later one, as a moving window
that begins earlier keeps the step of what it is shown for. What has expired there comes from the next coarser archive
of the same function, each of its slots for all the finer ones that it covers::

    10 s archive       |                 | 5 | 7 | 6 | 8 | 4 |
    30 s archive       |     2     |     4     |     7     |
    answered, 10 s     | 2 | 2 | 2 | 4 | 4 | 5 | 7 | 6 | 8 | 4 |

A sum is shared by the finer slots, all else holds for each of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .archives import Archive, TimeRange
from .columns import Values


@dataclass(frozen=True)
class Piece:
    """Answered slots, ``slots``, that are read from one archive, whose slots that cover them are ``stored``."""

    archive: Archive
    slots: TimeRange

    @cached_property
    def stored(self) -> TimeRange:
        """Slots of the archive that cover those that are answered."""
        step = self.archive.step
        start = self.slots.start // step * step
        return TimeRange(start, -(-self.slots.final // step) * step, step, step if self.slots.lead else 0)

    def spread(self, stored: Values) -> Values:
        """Values of the answered slots, from those of the stored ones."""
        if self.archive.step == self.slots.step:
            return stored
        ends = np.arange(self.slots.start + self.slots.step, self.slots.final + 1, self.slots.step)
        values = stored[-(-ends // self.archive.step) - 1 - self.stored.start // self.archive.step]
        return values * self.slots.step / self.archive.step if self.archive.cf == "sum" else values


@dataclass(frozen=True)
class Reading:
    """Answered slots, and their pieces, the newest first; each piece is of a coarser archive than the one before."""

    slots: TimeRange
    pieces: list[Piece]

    @classmethod
    def of(cls, archive: Archive, archives: Sequence[Archive], start: int, end: int, now: int) -> "Reading | None":
        """Say what to read for data in (start, end], epoch seconds; ``archives`` are all of the policy."""
        every = [archive, *_coarser(archive, archives)]
        slots = archive.clip(start, end, now, reach=every[-1].span)
        if slots is None:
            return None
        pieces = []
        final = slots.final
        for each in every:
            expired = (now - each.span) // slots.step * slots.step + slots.lead
            first = slots.start if each is every[-1] else max(slots.start, expired)
            if first < final:
                pieces.append(Piece(each, slots.between(first, final)))
                final = first
        return cls(slots, pieces)


def _coarser(archive: Archive, archives: Sequence[Archive]) -> list[Archive]:
    """Find the archives of the same function that hold more time, each coarser than the one before."""
    found: list[Archive] = []
    longest = archive
    for each in sorted(archives, key=lambda each: each.step):
        if (
            each.cf == archive.cf
            and each.step % archive.step == 0
            and each.span > longest.span
            and each.step > longest.step
        ):
            found.append(each)
            longest = each
    return found
