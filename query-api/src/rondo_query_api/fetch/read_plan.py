"""Which slots of which archives make up one series of one step.

The archive that suits a request may not reach back to its start: it was chosen for a later start, because a moving
window that begins earlier keeps the step of the range that is shown. Where that archive has expired, the next coarser
archive of the same function fills in; each of its slots stands for all finer slots that it covers::

    10 s archive       |                 | 5 | 7 | 6 | 8 | 4 |
    30 s archive       |     2     |     4     |     7     |
    result, 10 s       | 2 | 2 | 2 | 4 | 4 | 5 | 7 | 6 | 8 | 4 |

A sum is divided among the finer slots; every other function's value holds for each of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .archives import Archive, TimeRange
from .reductions import Values


@dataclass(frozen=True)
class ReadPart:
    """The part of the result, ``slots``, that is read from one archive."""

    archive: Archive
    slots: TimeRange

    @cached_property
    def stored(self) -> TimeRange:
        """Slots of the archive that cover ``slots``."""
        step = self.archive.step
        start = self.slots.start // step * step
        return TimeRange(start, -(-self.slots.final // step) * step, step, step if self.slots.lead else 0)

    def spread(self, stored: Values) -> Values:
        """Values of ``slots``, from those of the stored slots."""
        if self.archive.step == self.slots.step:
            return stored
        ends = np.arange(self.slots.start + self.slots.step, self.slots.final + 1, self.slots.step)
        values = stored[-(-ends // self.archive.step) - 1 - self.stored.start // self.archive.step]
        return values * self.slots.step / self.archive.step if self.archive.cf == "sum" else values


@dataclass(frozen=True)
class ReadPlan:
    """Slots of the result and the parts that they are read in, newest first; each part has a coarser archive."""

    slots: TimeRange
    parts: list[ReadPart]

    @classmethod
    def of(cls, archive: Archive, archives: Sequence[Archive], start: int, end: int, now: int) -> "ReadPlan | None":
        """Plan for data in (start, end], epoch seconds; ``archives`` are all archives of the policy."""
        every = [archive, *_coarser(archive, archives)]
        slots = archive.clip(start, end, now, reach=every[-1].span)
        if slots is None:
            return None
        parts = []
        final = slots.final
        for each in every:
            expired = (now - each.span) // slots.step * slots.step + slots.lead
            first = slots.start if each is every[-1] else max(slots.start, expired)
            if first < final:
                parts.append(ReadPart(each, slots.between(first, final)))
                final = first
        return cls(slots, parts)


def _coarser(archive: Archive, archives: Sequence[Archive]) -> list[Archive]:
    """Find the archives of the same function with a longer span, each coarser than the one before."""
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
