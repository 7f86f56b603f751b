"""Stored slots: one statement reads everything that a request needs together."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .. import request_budget
from ..db import Database, Row
from .archives import Archive, TimeRange
from .reductions import Values

# From this number of values on, a second connection saves more time than it costs.
PARALLEL_VALUES = 20_000
INT4 = 4  # bytes
QUOTED = re.compile(r'["\\]')


@dataclass(frozen=True)
class SlotRead:
    """Read of a range of slots in one archive, for these series, which have moved so often."""

    archive: Archive
    slots: TimeRange
    series: Sequence[int]
    moves: int = 0


@dataclass(frozen=True)
class _LoadedSlots:
    slots: TimeRange
    values: Values

    def part(self, slots: TimeRange) -> Values:
        first = (slots.start - self.slots.start) // slots.step
        return self.values[first : first + slots.slots]


class Slots:
    """Reads slots for one request and keeps them: of a longer range only the new part is read."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._loaded: dict[tuple[int, int, int], _LoadedSlots] = {}
        self._valid_from: dict[int, float] = {}

    def load(self, reads: Iterable[SlotRead]) -> None:
        """Read what is not loaded yet; it counts as points of the request."""
        missing: dict[tuple[Archive, TimeRange, int], dict[int, None]] = {}
        for each in reads:
            new = [id_ for id_ in each.series if (each.archive.id, each.archive.place, id_) not in self._loaded]
            if new:
                missing.setdefault((each.archive, each.slots, each.moves), {}).update(dict.fromkeys(new))
            for id_ in each.series if len(new) < len(each.series) else ():
                if slots := self._missing(each.archive, each.slots, id_):
                    missing.setdefault((each.archive, slots, each.moves), {})[id_] = None
        new_reads = [SlotRead(archive, slots, list(ids), moves) for (archive, slots, moves), ids in missing.items()]
        if new_reads:
            request_budget.current().take_points(sum(len(each.series) * each.slots.slots for each in new_reads))
            self._read(new_reads)

    def forget(self, series: Collection[int]) -> None:
        """Forget the slots of these series."""
        self._loaded = {key: slots for key, slots in self._loaded.items() if key[2] not in series}

    def exists(self, archive: Archive, id_: int) -> bool:
        """Whether the series existed, and had not moved, when its slots were read."""
        return (archive.id, archive.place, id_) in self._loaded

    def valid_from(self, id_: int) -> float:
        """Time from which a series has values in its current location, if that is loaded; epoch seconds."""
        return self._valid_from[id_]

    def values(self, archive: Archive, slots: TimeRange, id_: int) -> Values:
        """Values of loaded slots; NaN where unknown."""
        return self._loaded[archive.id, archive.place, id_].part(slots)

    def _missing(self, archive: Archive, slots: TimeRange, id_: int) -> TimeRange | None:
        """Slots to read: those before the loaded ones if only these are missing, else all; None if all are loaded."""
        loaded = self._loaded.get((archive.id, archive.place, id_))
        if loaded is None or slots.final > loaded.slots.final or slots.final <= loaded.slots.start:
            return slots
        return slots.between(slots.start, loaded.slots.start) if slots.start < loaded.slots.start else None

    def _read(self, reads: Sequence[SlotRead]) -> None:
        values = [
            dict(zip(read.series, np.full((len(read.series), read.slots.slots), np.nan), strict=True)) for read in reads
        ]
        existing: list[set[int]] = [set() for _ in reads]
        for n, ids, valid_froms, indexes, slot_values in self._rows(reads):
            existing[n].update(ids)
            if not reads[n].archive.place:
                self._valid_from.update(zip(ids, valid_froms, strict=True))
            if indexes is None:
                continue
            slots = reads[n].slots
            at = _offsets(indexes, reads[n].archive.index(slots.start + slots.step), reads[n].archive.size)
            columns = np.frombuffer(slot_values, ">f8").reshape(len(indexes) // INT4, -1).T
            for id_, valid_from, column in zip(ids, valid_froms, columns, strict=False):
                series_values = values[n][id_]
                series_values[at] = column
                if valid_from > slots.start:
                    series_values[: int((valid_from - slots.start) // slots.step)] = np.nan
        for read, values_of_read, ids in zip(reads, values, existing, strict=True):
            for id_ in ids:
                self._store(read.archive, id_, _LoadedSlots(read.slots, values_of_read[id_]))

    def _rows(self, reads: Sequence[SlotRead]) -> list[Row]:
        """Rows of ``sql/slots.sql`` or its variant for moved series; large reads run in parallel, split by time."""
        statement = "slots_of_moved" if any(each.moves for each in reads) else "slots"
        if sum(len(each.series) * each.slots.slots for each in reads) < PARALLEL_VALUES:
            return self._database.rows(statement, **parameters(reads))
        return self._database.rows_of_parts(
            statement, lambda parts: [parameters(reads, part, parts) for part in range(parts)]
        )

    def _store(self, archive: Archive, id_: int, head: _LoadedSlots) -> None:
        key = archive.id, archive.place, id_
        tail = self._loaded.get(key)
        if tail is not None and head.slots.final == tail.slots.start:
            head = _LoadedSlots(
                head.slots.between(head.slots.start, tail.slots.final), np.concatenate((head.values, tail.values))
            )
        self._loaded[key] = head


def _offsets(indexes: bytes, first: int, size: int) -> slice | NDArray[np.int64]:
    """Offsets of these i from ``first`` on: a slice, which NumPy writes faster, if they have no gap."""
    count, lowest = len(indexes) // INT4, int.from_bytes(indexes[:INT4], "big")
    if indexes == _consecutive(lowest, count):
        offset = (lowest - first) % size
        return slice(offset, offset + count)
    offsets: NDArray[np.int64] = (np.frombuffer(indexes, ">i4").astype(np.int64) - first) % size
    return offsets


@lru_cache(maxsize=64)
def _consecutive(lowest: int, count: int) -> bytes:
    """Bytes of ``count`` consecutive i in PostgreSQL's binary format."""
    return np.arange(lowest, lowest + count, dtype=">i4").tobytes()


def parameters(reads: Sequence[SlotRead], part: int = 0, parts: int = 1) -> dict[str, object]:
    """Parameters of ``sql/slots.sql`` and its variant for one of ``parts`` equal parts of each read's time range.

    Arrays are passed as PostgreSQL's array literals: psycopg takes ten times as long to convert lists.
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
        "places": _array(read.archive.place for read in reads),
        "moves": _array(read.moves for read in reads),
        "policies": _array('"' + QUOTED.sub(r"\\\g<0>", read.archive.policy) + '"' for read in reads),
        "reads": _array(n for n, _, _, _, _ in spans),
        "archives": _array(archive for _, archive, _, _, _ in spans),
        "low": _array(low for _, _, _, low, _ in spans),
        "high": _array(high for _, _, _, _, high in spans),
        "start": _array(datetime.fromtimestamp(slots.start, UTC) for _, _, slots, _, _ in spans),
        "final": _array(datetime.fromtimestamp(slots.final, UTC) for _, _, slots, _, _ in spans),
    }


def _array(elements: Iterable[int | datetime | str]) -> str:
    return f"{{{','.join(map(str, elements))}}}"
