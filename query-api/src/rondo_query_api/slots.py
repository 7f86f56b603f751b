"""Slots as they are stored: one statement reads all that is wanted together."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from . import allowance
from .archives import Archive, TimeRange
from .columns import Values
from .db import Database, Row

# Values, from which on a second connection saves more time than it takes.
WORTH_A_CONNECTION = 20_000


@dataclass(frozen=True)
class Wanted:
    """Slots of a range in one archive, of these series."""

    archive: Archive
    slots: TimeRange
    series: Sequence[int]


@dataclass(frozen=True)
class _Held:
    slots: TimeRange
    values: Values

    def part(self, slots: TimeRange) -> Values:
        first = (slots.start - self.slots.start) // slots.step
        return self.values[first : first + slots.slots]


class Slots:
    """Reads for one request and holds what it has read: of a longer range, only what is new is read."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._held: dict[tuple[int, int], _Held] = {}

    def load(self, wanted: Iterable[Wanted]) -> None:
        """Read what is not held yet; it counts as points of the request."""
        missing: dict[tuple[Archive, TimeRange], dict[int, None]] = {}
        for each in wanted:
            for id_ in each.series:
                if lacking := self._lacking(each.archive, each.slots, id_):
                    missing.setdefault((each.archive, lacking), {})[id_] = None
        reads = [Wanted(archive, slots, list(ids)) for (archive, slots), ids in missing.items()]
        if reads:
            allowance.current().take_points(sum(len(each.series) * each.slots.slots for each in reads))
            self._read(reads)

    def values(self, archive: Archive, slots: TimeRange, id_: int) -> Values:
        """Values of loaded slots, NaN where unknown."""
        return self._held[archive.id, id_].part(slots)

    def _lacking(self, archive: Archive, slots: TimeRange, id_: int) -> TimeRange | None:
        """Say what must be read: the slots before those that are held, else all."""
        held = self._held.get((archive.id, id_))
        if held is None or slots.final > held.slots.final or slots.final <= held.slots.start:
            return slots
        return slots.between(slots.start, held.slots.start) if slots.start < held.slots.start else None

    def _read(self, reads: Sequence[Wanted]) -> None:
        values = {(n, id_): np.full(read.slots.slots, np.nan) for n, read in enumerate(reads) for id_ in read.series}
        for n, ids, births, places, slot_values in self._rows(reads):
            archive, slots = reads[n].archive, reads[n].slots
            indexes = np.frombuffer(places, ">i4")
            columns = np.frombuffer(slot_values, ">f8").reshape(len(indexes), -1).T
            at = _side_by_side((indexes - archive.index(slots.start + slots.step)) % archive.size)
            for id_, born, column in zip(ids, births, columns, strict=False):
                values[n, id_][at] = column
                if born > slots.start:
                    values[n, id_][: int((born - slots.start) // slots.step)] = np.nan
        for (n, id_), own in values.items():
            self._hold(reads[n].archive, id_, _Held(reads[n].slots, own))

    def _rows(self, reads: Sequence[Wanted]) -> list[Row]:
        """Rows of ``sql/slots.sql``; where they are many, parts of the time are read side by side."""
        if sum(len(each.series) * each.slots.slots for each in reads) < WORTH_A_CONNECTION:
            return self._database.rows("slots", **parameters(reads))
        return self._database.rows_of_parts(
            "slots", lambda parts: [parameters(reads, part, parts) for part in range(parts)]
        )

    def _hold(self, archive: Archive, id_: int, head: _Held) -> None:
        key = archive.id, id_
        tail = self._held.get(key)
        if tail is not None and head.slots.final == tail.slots.start:
            head = _Held(
                head.slots.between(head.slots.start, tail.slots.final), np.concatenate((head.values, tail.values))
            )
        self._held[key] = head


def _side_by_side(places: NDArray[np.int64]) -> slice | NDArray[np.int64]:
    """Give the same as a slice where none is missing in between: it is written at once."""
    if len(places) and (np.diff(places) == 1).all():
        return slice(int(places[0]), int(places[-1]) + 1)
    return places


def parameters(reads: Sequence[Wanted], part: int = 0, parts: int = 1) -> dict[str, object]:
    """Parameters of ``sql/slots.sql`` for one of so many equal parts of each read's time."""
    spans = [
        (n, read.archive.id, slots, *span)
        for n, read in enumerate(reads)
        if (slots := read.slots.part(part, parts)).slots
        for span in read.archive.index_ranges(slots)
    ]
    return {
        "series": [id_ for read in reads for id_ in read.series],
        "series_reads": [n for n, read in enumerate(reads) for _ in read.series],
        "reads": [n for n, _, _, _, _ in spans],
        "archives": [archive for _, archive, _, _, _ in spans],
        "low": [low for _, _, _, low, _ in spans],
        "high": [high for _, _, _, _, high in spans],
        "start": [datetime.fromtimestamp(slots.start, UTC) for _, _, slots, _, _ in spans],
        "final": [datetime.fromtimestamp(slots.final, UTC) for _, _, slots, _, _ in spans],
    }
