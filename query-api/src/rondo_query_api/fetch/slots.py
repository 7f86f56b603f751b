"""Stored slots, and the parameters and rows of the statement that reads them, ``sql/slots.sql``."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..db import Row, array
from ..reductions import Values
from .archives import Archive, TimeRange
from .series import SeriesKey

INT4 = 4  # bytes
QUOTED = re.compile(r'["\\]')


@dataclass(frozen=True)
class SlotRead:
    """A range of slots of one archive to read for these series, all of which have moved ``moves`` times."""

    archive: Archive
    slots: TimeRange
    series: Sequence[SeriesKey]
    moves: int = 0


@dataclass(frozen=True)
class StoredSlots:
    """Values of one series in one archive by slot, NaN where unknown; those that end by ``starts_at`` are unknown."""

    slots: TimeRange
    values: Values
    starts_at: float

    def part(self, slots: TimeRange) -> Values:
        """Values of a part of the slots."""
        first = (slots.start - self.slots.start) // slots.step
        return self.values[first : first + slots.slots]

    def joined(self, later: "StoredSlots | None") -> "StoredSlots":
        """Append the later slots if they follow immediately."""
        if later is None or self.slots.final != later.slots.start:
            return self
        values = np.concatenate((self.values, later.values))
        return StoredSlots(self.slots.joined(later.slots), values, self.starts_at)

    def within(self, start: float, final: float) -> "StoredSlots":
        """Keep the values of slots that end after ``start`` and at or before ``final``, epoch seconds."""
        slots = self.slots
        if start <= slots.start and final >= slots.final:
            return self
        within = (min(max(time, slots.start), slots.final) for time in (start, final))
        first, last = (int((time - slots.start) // slots.step) for time in within)
        values = np.full(len(self.values), np.nan)
        values[first:last] = self.values[first:last]
        return replace(self, values=values)


def parameters(reads: Sequence[SlotRead], part: int = 0, parts: int = 1) -> dict[str, object]:
    """Parameters of ``sql/slots.sql`` and its variant for one of ``parts`` equal parts of each read's time range."""
    spans = _spans(reads, part, parts)
    return {
        "series": array(key.id for read in reads for key in read.series),
        "idents": array(key.ident_hash for read in reads for key in read.series),
        "series_reads": array(n for n, read in enumerate(reads) for _ in read.series),
        "moves_ago": array(read.archive.moves_ago for read in reads),
        "moves": array(read.moves for read in reads),
        "policies": array('"' + QUOTED.sub(r"\\\g<0>", read.archive.policy) + '"' for read in reads),
        "functions": array(read.archive.cf for read in reads),
        "steps": array(read.archive.step for read in reads),
        "sizes": array(read.archive.size for read in reads),
        "reads": array(n for n, _, _, _ in spans),
        "low": array(low for _, _, low, _ in spans),
        "high": array(high for _, _, _, high in spans),
        "start": array(datetime.fromtimestamp(slots.start, UTC) for _, slots, _, _ in spans),
        "final": array(datetime.fromtimestamp(slots.final, UTC) for _, slots, _, _ in spans),
    }


def _spans(reads: Sequence[SlotRead], part: int, parts: int) -> list[tuple[int, TimeRange, int, int]]:
    """Ranges of i of a part of each read: its number, the slots of the part, the first and the last i."""
    return [
        (n, slots, *span)
        for n, read in enumerate(reads)
        if (slots := read.slots.part(part, parts)).slots
        for span in read.archive.index_ranges(slots)
    ]


def decoded(rows: Iterable[Row], reads: Sequence[SlotRead], parts: int = 1) -> list[dict[SeriesKey, StoredSlots]]:
    """Slots of each read by series, from the rows of all parts.

    Each part has its own snapshot. A series that one of them lacks, because it was moved or deleted, is absent.
    """
    ranges = Counter(n for part in range(parts) for n, *_ in _spans(reads, part, parts))
    values = [
        dict(zip(read.series, np.full((len(read.series), read.slots.slots), np.nan), strict=True)) for read in reads
    ]
    wanted = [key for read in reads for key in read.series]
    counts: list[Counter[SeriesKey]] = [Counter() for _ in reads]
    starts_at: list[dict[SeriesKey, float]] = [{} for _ in reads]
    for n, numbers, starts_ats, indexes, slot_values in rows:
        keys = [wanted[number - 1] for number in numbers]
        counts[n].update(keys)
        starts_at[n].update(zip(keys, starts_ats, strict=True))
        if indexes is None:
            continue
        archive, slots = reads[n].archive, reads[n].slots
        at = _offsets(indexes, archive.index(slots.start + slots.step), archive.size)
        columns = np.frombuffer(slot_values, ">f8").reshape(len(indexes) // INT4, -1).T
        for key, column in zip(keys, columns, strict=False):
            values[n][key][at] = column
    return [
        {
            key: StoredSlots(read.slots, values[n][key], starts_at[n][key]).within(starts_at[n][key], read.slots.final)
            for key, count in counts[n].items()
            if count == ranges[n]
        }
        for n, read in enumerate(reads)
    ]


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
