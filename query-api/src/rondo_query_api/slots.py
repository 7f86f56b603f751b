"""Slots as they are stored: one statement reads all that is wanted together."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from . import allowance
from .archives import Archive, TimeRange
from .columns import Values
from .db import Database, Row

# Values, from which on a second connection saves more time than it takes.
WORTH_A_CONNECTION = 20_000
INT4 = 4  # bytes


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
            new = [id_ for id_ in each.series if (each.archive.id, id_) not in self._held]
            if new:
                missing.setdefault((each.archive, each.slots), {}).update(dict.fromkeys(new))
            for id_ in each.series if len(new) < len(each.series) else ():
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
        values = [
            dict(zip(read.series, np.full((len(read.series), read.slots.slots), np.nan), strict=True)) for read in reads
        ]
        for n, ids, births, places, slot_values in self._rows(reads):
            slots = reads[n].slots
            at = _places(places, reads[n].archive.index(slots.start + slots.step), reads[n].archive.size)
            columns = np.frombuffer(slot_values, ">f8").reshape(len(places) // INT4, -1).T
            for id_, born, column in zip(ids, births, columns, strict=False):
                own = values[n][id_]
                own[at] = column
                if born > slots.start:
                    own[: int((born - slots.start) // slots.step)] = np.nan
        for read, of_read in zip(reads, values, strict=True):
            for id_, own in of_read.items():
                self._hold(read.archive, id_, _Held(read.slots, own))

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


def _places(indexes: bytes, first: int, size: int) -> slice | NDArray[np.int64]:
    """Places of these i, counted from ``first`` on: a slice, written at once, where none is missing in between."""
    count, lowest = len(indexes) // INT4, int.from_bytes(indexes[:INT4], "big")
    if indexes == _in_a_row(lowest, count):
        place = (lowest - first) % size
        return slice(place, place + count)
    places: NDArray[np.int64] = (np.frombuffer(indexes, ">i4").astype(np.int64) - first) % size
    return places


@lru_cache(maxsize=64)
def _in_a_row(lowest: int, count: int) -> bytes:
    """So many i, one after the other, as they are sent."""
    return np.arange(lowest, lowest + count, dtype=">i4").tobytes()


def parameters(reads: Sequence[Wanted], part: int = 0, parts: int = 1) -> dict[str, object]:
    """Parameters of ``sql/slots.sql`` for one of so many equal parts of each read's time.

    Arrays come as PostgreSQL writes them: making them of lists takes psycopg ten times as long.
    """
    spans = [
        (n, read.archive.id, slots, *span)
        for n, read in enumerate(reads)
        if (slots := read.slots.part(part, parts)).slots
        for span in read.archive.index_ranges(slots)
    ]
    return {
        "series": _array(id_ for read in reads for id_ in read.series),
        "series_reads": _array(n for n, read in enumerate(reads) for _ in read.series),
        "reads": _array(n for n, _, _, _, _ in spans),
        "archives": _array(archive for _, archive, _, _, _ in spans),
        "low": _array(low for _, _, _, low, _ in spans),
        "high": _array(high for _, _, _, _, high in spans),
        "start": _array(datetime.fromtimestamp(slots.start, UTC) for _, _, slots, _, _ in spans),
        "final": _array(datetime.fromtimestamp(slots.final, UTC) for _, _, slots, _, _ in spans),
    }


def _array(elements: Iterable[int | datetime]) -> str:
    return f"{{{','.join(map(str, elements))}}}"
