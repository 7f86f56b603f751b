"""Stored slots: one statement reads everything that a request needs together."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..db import Database, Row
from ..limits import request_budget
from .archives import Archive, TimeRange
from .reductions import Values
from .series import SeriesKey

# From this number of values on, a second connection saves more time than it costs.
PARALLEL_VALUES = 20_000
INT4 = 4  # bytes
QUOTED = re.compile(r'["\\]')


@dataclass(frozen=True)
class SlotRead:
    """Read of a range of slots in one archive, for these series, which have moved so often."""

    archive: Archive
    slots: TimeRange
    series: Sequence[SeriesKey]
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
        self._loaded: dict[tuple[int, int, SeriesKey], _LoadedSlots] = {}
        self._valid_from: dict[SeriesKey, float] = {}

    def load(self, reads: Iterable[SlotRead]) -> None:
        """Read what is not loaded yet; it counts as points of the request."""
        missing: dict[tuple[Archive, TimeRange, int], dict[SeriesKey, None]] = {}
        for each in reads:
            new = [key for key in each.series if (each.archive.id, each.archive.place, key) not in self._loaded]
            if new:
                missing.setdefault((each.archive, each.slots, each.moves), {}).update(dict.fromkeys(new))
            for key in each.series if len(new) < len(each.series) else ():
                if slots := self._missing(each.archive, each.slots, key):
                    missing.setdefault((each.archive, slots, each.moves), {})[key] = None
        new_reads = [SlotRead(archive, slots, list(keys), moves) for (archive, slots, moves), keys in missing.items()]
        if new_reads:
            request_budget.current().take_points(sum(len(each.series) * each.slots.slots for each in new_reads))
            self._read(new_reads)

    def forget(self, series: Collection[SeriesKey]) -> None:
        """Forget the slots of these series."""
        self._loaded = {key: slots for key, slots in self._loaded.items() if key[2] not in series}

    def exists(self, archive: Archive, key: SeriesKey) -> bool:
        """Whether the series existed, and had not moved, when its slots were read."""
        return (archive.id, archive.place, key) in self._loaded

    def valid_from(self, key: SeriesKey) -> float:
        """Time from which a series has values in its current location, if that is loaded; epoch seconds."""
        return self._valid_from[key]

    def values(self, archive: Archive, slots: TimeRange, key: SeriesKey) -> Values:
        """Values of loaded slots; NaN where unknown."""
        return self._loaded[archive.id, archive.place, key].part(slots)

    def _missing(self, archive: Archive, slots: TimeRange, key: SeriesKey) -> TimeRange | None:
        """Slots to read: those before the loaded ones if only these are missing, else all; None if all are loaded."""
        loaded = self._loaded.get((archive.id, archive.place, key))
        if loaded is None or slots.final > loaded.slots.final or slots.final <= loaded.slots.start:
            return slots
        return slots.between(slots.start, loaded.slots.start) if slots.start < loaded.slots.start else None

    def _read(self, reads: Sequence[SlotRead]) -> None:
        values = [
            dict(zip(read.series, np.full((len(read.series), read.slots.slots), np.nan), strict=True)) for read in reads
        ]
        existing: list[Counter[SeriesKey]] = [Counter() for _ in reads]
        wanted = [key for read in reads for key in read.series]
        rows, ranges = self._rows(reads)
        for n, series, valid_froms, indexes, slot_values in rows:
            keys = [wanted[number - 1] for number in series]
            existing[n].update(keys)
            if not reads[n].archive.place:
                self._valid_from.update(zip(keys, valid_froms, strict=True))
            if indexes is None:
                continue
            slots = reads[n].slots
            at = _offsets(indexes, reads[n].archive.index(slots.start + slots.step), reads[n].archive.size)
            columns = np.frombuffer(slot_values, ">f8").reshape(len(indexes) // INT4, -1).T
            for key, valid_from, column in zip(keys, valid_froms, columns, strict=False):
                series_values = values[n][key]
                series_values[at] = column
                if valid_from > slots.start:
                    series_values[: int((valid_from - slots.start) // slots.step)] = np.nan
        for n, (read, values_of_read) in enumerate(zip(reads, values, strict=True)):
            for key, found in existing[n].items():
                if found == ranges[n]:  # not gone between two parts, each of which has a snapshot of its own
                    self._store(read.archive, key, _LoadedSlots(read.slots, values_of_read[key]))

    def _rows(self, reads: Sequence[SlotRead]) -> tuple[list[Row], Counter[int]]:
        """Rows of ``sql/slots.sql`` or its variant for moved series; large reads run in parallel, split by time.

        Also the number of rows that each series of a read has, by the number of the read.
        """
        statement = "slots_of_moved" if any(each.moves for each in reads) else "slots"
        ranges: Counter[int] = Counter()

        def of_parts(parts: int) -> list[dict[str, object]]:
            ranges.clear()
            ranges.update(n for part in range(parts) for n, *_ in _spans(reads, part, parts))
            return [parameters(reads, part, parts) for part in range(parts)]

        if sum(len(each.series) * each.slots.slots for each in reads) < PARALLEL_VALUES:
            return self._database.rows(statement, **of_parts(1)[0]), ranges
        return self._database.rows_of_parts(statement, of_parts), ranges

    def _store(self, archive: Archive, key: SeriesKey, head: _LoadedSlots) -> None:
        of_archive = archive.id, archive.place, key
        tail = self._loaded.get(of_archive)
        if tail is not None and head.slots.final == tail.slots.start:
            head = _LoadedSlots(
                head.slots.between(head.slots.start, tail.slots.final), np.concatenate((head.values, tail.values))
            )
        self._loaded[of_archive] = head


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
    spans = _spans(reads, part, parts)
    return {
        "series": _array(key.id for read in reads for key in read.series),
        "idents": _array(key.ident_hash for read in reads for key in read.series),
        "series_reads": _array(n for n, read in enumerate(reads) for _ in read.series),
        "places": _array(read.archive.place for read in reads),
        "moves": _array(read.moves for read in reads),
        "policies": _array('"' + QUOTED.sub(r"\\\g<0>", read.archive.policy) + '"' for read in reads),
        "functions": _array(read.archive.cf for read in reads),
        "steps": _array(read.archive.step for read in reads),
        "sizes": _array(read.archive.size for read in reads),
        "reads": _array(n for n, _, _, _ in spans),
        "low": _array(low for _, _, low, _ in spans),
        "high": _array(high for _, _, _, high in spans),
        "start": _array(datetime.fromtimestamp(slots.start, UTC) for _, slots, _, _ in spans),
        "final": _array(datetime.fromtimestamp(slots.final, UTC) for _, slots, _, _ in spans),
    }


def _spans(reads: Sequence[SlotRead], part: int, parts: int) -> list[tuple[int, TimeRange, int, int]]:
    """Ranges of i of a part of each read: its number, the slots of the part, the first and the last i."""
    return [
        (n, slots, *span)
        for n, read in enumerate(reads)
        if (slots := read.slots.part(part, parts)).slots
        for span in read.archive.index_ranges(slots)
    ]


def _array(elements: Iterable[int | datetime | str]) -> str:
    return f"{{{','.join(map(str, elements))}}}"
