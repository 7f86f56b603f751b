"""Which slots of which archives make up one series of one step.

An archive may not have the whole range of a request: its old slots have expired, or it was made later, or its policy
no longer has it. Other archives of the same function fill in. Of those with data, one of the same step is read before a
finer one, that before a coarser one, and one that still receives slots before a retired one::

    10 s archive, retired   |         | 5 | 7 | 6 | 8 |
    10 s archive            |                         | 4 | 3 |
    30 s archive            |     2     |     6     |     4     |
    result, 10 s            | 2 | 2 | 2 | 5 | 7 | 6 | 8 | 4 | 3 |

The archives of a location that a series has left are retired ones, too: they have its slots of that stay.

Archives begin and end for a policy, but each series takes a change at the time of its own points, which may be earlier
or later. Where an archive may have ended, or has begun late, others therefore answer before the first and after the
last value that a series has there. A slot in which it has a value is not answered by a coarser one, which is partly of
the same points::

    10 s archive, removed   | 5 | 7 | 6 | 8 |   |   |   |   |   |
    30 s archive            |     6     |     8     |     4     |
    result, 10 s            | 5 | 7 | 6 | 8 |   |   | 4 | 4 | 4 |

A coarser slot stands for all finer slots that it covers; a sum is divided among them. Finer slots are consolidated as
the archive of the policy would be.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .archives import SUM, Archive, TimeRange, live
from .reductions import Values, reduce_columns
from .stays import Stay

REDUCTION = {"wmean": "average", "min": "min", "max": "max", "last": "last", "sum": "sum"}
Stored = Callable[[Archive, TimeRange], Values]


@dataclass(frozen=True)
class ReadPart:
    """The part of the result, ``slots``, that is read from one archive, as values of the function ``cf``."""

    archive: Archive
    slots: TimeRange
    cf: str

    @cached_property
    def stored(self) -> TimeRange:
        """Slots of the archive that cover ``slots``."""
        step = self.archive.step
        start = self.slots.start // step * step
        return TimeRange(start, -(-self.slots.final // step) * step, step, step if self.slots.lead else 0)

    def values(self, stored: Values) -> Values:
        """Values of ``slots``, from those of the stored slots."""
        if self.archive.step == self.slots.step:
            return stored
        return self._spread(stored) if self.archive.step > self.slots.step else self._consolidated(stored)

    def _spread(self, stored: Values) -> Values:
        ends = np.arange(self.slots.start + self.slots.step, self.slots.final + 1, self.slots.step)
        values = stored[-(-ends // self.archive.step) - 1 - self.stored.start // self.archive.step]
        return values * self.slots.step / self.archive.step if self.cf == SUM else values

    def _consolidated(self, stored: Values) -> Values:
        columns = stored.reshape(self.slots.slots, -1).T
        return reduce_columns(REDUCTION[self.cf], columns, self.archive.xff)


@dataclass(frozen=True)
class ReadPiece:
    """The part of the result, ``slots``, that is read from the first of these parts that has a value, slot by slot.

    The parts may begin earlier: with a whole slot of the coarsest.
    """

    slots: TimeRange
    parts: list[ReadPart]

    def values(self, stored: Stored) -> Values:
        """Values of the slots, from those of stored slots."""
        first, *others = self.parts
        known = first.values(stored(first.archive, first.stored))
        for part in others:
            standing = part.values(stored(part.archive, part.stored))
            fills = np.isnan(known)
            if part.archive.step != first.archive.step and part.archive.place == first.archive.place:
                fills &= _outside(known, part.slots, part.archive.step)
            known = np.where(fills, standing, known)
        return known[len(known) - self.slots.slots :]


def _outside(known: Values, slots: TimeRange, step: int) -> NDArray[np.bool_]:
    """Whether each slot is in one of ``step`` that ends before the first known value, or begins after the last one."""
    wider = -(-np.arange(slots.start + slots.step, slots.final + 1, slots.step) // step)
    with_value = wider[~np.isnan(known)]
    if not len(with_value):
        return np.ones(len(known), bool)
    outside: NDArray[np.bool_] = (wider < with_value[0]) | (wider > with_value[-1])
    return outside


@dataclass(frozen=True)
class ReadPlan:
    """Slots of the result and the pieces that they are read in, newest first."""

    slots: TimeRange
    pieces: list[ReadPiece]

    @classmethod
    def of(
        cls,
        archive: Archive,
        archives: Sequence[Archive],
        start: int,
        end: int,
        now: int,
        cf: str | None = None,
        stays: Sequence[Stay] = (),
    ) -> "ReadPlan | None":
        """Plan for data in (start, end], epoch seconds, in the step of ``archive``, which is the choice for ``cf``.

        ``archives`` are all archives of the policy and, of a series that has moved, those of its ``stays``.
        """
        function = archive.function(cf)
        layers = _layers(archive, archives, function, stays, now)
        reach = max(layer.archive.span for layer in layers)
        slots = archive.clip(start, end, now, reach)
        if slots is None:
            return None
        has = {layer: layer.has(slots, now, reach) for layer in layers}
        begin = layers[0].begin(slots.step)
        lasts = {layer: begin // layer.archive.step * layer.archive.step for layer in layers}
        inside = (each for each in lasts.values() if slots.start < each < slots.final)
        borders = sorted(
            {slots.start, slots.final, *inside, *(border for between in has.values() for border in between)}
        )
        pieces: list[tuple[TimeRange, list[Archive]]] = []
        for first, final in zip(borders[-2::-1], borders[:0:-1], strict=True):
            having = [
                layer
                for layer, (low, high) in has.items()
                # of the time before an archive began, only whole slots of coarser ones are known not to be its own
                if low <= first
                and final <= high
                and not (layer.archive.place == layers[0].archive.place and lasts[layer] < final <= begin)
            ] or layers[:1]
            read = [layer.archive for layer in having if layer is having[0] or layer.continues(having[0], now)]
            if pieces and pieces[-1][1] == read:
                pieces.append((slots.between(first, pieces.pop()[0].final), read))
            else:
                pieces.append((slots.between(first, final), read))
        return cls(slots, [_piece(slots, piece, read, function) for piece, read in pieces])

    @property
    def cf(self) -> str:
        """Function of all archives that are read."""
        return self.pieces[0].parts[0].cf

    @cached_property
    def reads(self) -> dict[Archive, TimeRange]:
        """Slots to read, by archive."""
        reads: dict[Archive, TimeRange] = {}
        for piece in self.pieces:
            for part in piece.parts:
                reads[part.archive] = reads.get(part.archive, part.stored).joined(part.stored)
        return reads

    def values(self, stored: Stored) -> Values:
        """Values of the result, from those of stored slots."""
        values = [piece.values(stored) for piece in reversed(self.pieces)]
        return values[0] if len(values) == 1 else np.concatenate(values)


def _piece(result: TimeRange, slots: TimeRange, archives: Sequence[Archive], cf: str) -> ReadPiece:
    """Return the piece ``slots`` of ``result``; its parts begin with a whole slot of the coarsest, if all hold that."""
    coarsest = max(each.step for each in archives) if len(archives) > 1 else slots.step
    held = result.final - min(each.span for each in archives) // slots.step * slots.step
    start = min(slots.start, max(slots.start // coarsest * coarsest, held))
    read = slots.between(start, slots.final)
    return ReadPiece(slots, [ReadPart(each, read, cf) for each in archives])


@dataclass(frozen=True)
class _Layer:
    archive: Archive
    retired: bool
    written: bool
    stay: Stay | None = None

    def has(self, slots: TimeRange, now: int, reach: int) -> tuple[int, int]:
        """Time of which the archive has data: the slots that end after the first and at or before the second."""
        each, step = self.archive, slots.step
        low, high = slots.start, slots.final
        if each.span < reach:
            low = max(low, (now - each.span) // step * step + slots.lead)
        if each.first is not None:
            low = max(low, self.begin(step))
        if self.retired and each.latest is not None:
            high = min(high, -(-each.latest // step) * step)
        if self.stay is not None:
            # a coarser slot stands for finer ones only while the stay lasts
            began, ended = (int(max(low, min(time, high))) for time in self.stay.between(min(each.step, step)))
            low, high = max(low, began // step * step), min(high, -(-ended // step) * step)
        return (low, high) if low < high else (slots.start, slots.start)

    def begin(self, step: int) -> int:
        """Start of the first slot of ``step`` that it has, wholly if its own are finer; 0 if that is not known."""
        each = self.archive
        part = step - each.step if each.step < step else 0
        began = 0 if each.first is None else (each.first - each.step + part) // step * step
        return began if self.stay is None else max(began, int(self.stay.start) // step * step)

    def continues(self, other: "_Layer", now: int) -> bool:
        """Whether slots that are unknown in the other archive may be known here: each was in use for a while."""
        here, there = self.archive, other.archive
        if here.place or there.place:
            return self.retired and (here.step == there.step or here.place > there.place)
        return here.step == there.step or not other.written or other.began_after(self, now)

    def began_after(self, other: "_Layer", now: int) -> bool:
        """Whether it was made later than the other archive, and may not have received all slots within its span yet.

        Of two that were made at once, one may begin by a slot of the coarser later.
        """
        here, there = self.archive.first, other.archive.first
        is_recent = here is not None and here > now - 2 * self.archive.span
        return is_recent and there is not None and self.begin(1) >= there + max(self.archive.step, other.archive.step)


def _layers(archive: Archive, archives: Sequence[Archive], cf: str, stays: Sequence[Stay], now: int) -> list[_Layer]:
    """Find the archives of ``cf`` that can be shown in the step of ``archive``, in the order in which they are read."""
    living = set(live([each for each in archives if not each.place]))
    step = archive.step

    def order(each: Archive) -> tuple[bool, int, int, int, bool, int]:
        nearness = 0 if each.step == step else 1 if each.step < step else 2
        return each != archive, nearness, abs(each.step - step), each.place, each not in living, -(each.latest or 0)

    fitting = [each for each in archives if each.has(cf) and (each.step % step == 0 or step % each.step == 0)]
    stay_at = {stay.place: stay for stay in stays}
    return [
        _Layer(each, each not in living, each.written(now), stay_at.get(each.place))
        for each in sorted(fitting, key=order)
    ]
