"""Compares the rows of one archive with the model, slot by slot."""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from .arrays import Bools, Floats, Ints
from .model import Model
from .policies import Archive
from .prefixes import OpenSlots, is_close
from .slots import Slots
from .tables import Rows

RELATIVE = 1e-9
DIFFERENCES = ("wrong", "missing", "extra")
NO_SEGMENT = -1


@dataclass(frozen=True)
class Locations:
    """Location of each subject, ``NO_SEGMENT`` if none. Slots up to ``starts_at_ms`` belong to an earlier series."""

    seg: Ints
    pos: Ints
    starts_at_ms: Ints

    @property
    def segments(self) -> Ints:
        """Numbers of all segments, ascending."""
        return np.unique(self.seg[self.seg != NO_SEGMENT])


@dataclass(frozen=True)
class Difference:
    """One different slot; ``subject`` is an index in the model; a value is NaN if unknown."""

    kind: str
    subject: int
    end_ms: int
    expected: float
    found: float


@dataclass
class Comparison:
    """Numbers of equal, open, overwritten and different slots, and the first ``show`` differences."""

    show: int
    counts: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)
    misplaced: list[str] = field(default_factory=list)

    def add(self, kind: str, which: Bools, slots: Slots, found: Floats) -> None:
        """Count the slots of a kind; list the first ones."""
        self.counts[kind] += int(which.sum())
        if kind in DIFFERENCES:
            for subject, column in np.argwhere(which)[: self.show]:
                self.list(kind, subject, slots.end_ms[column], slots.value[subject, column], found[subject, column])

    def list(self, kind: str, subject: int, end_ms: int, expected: float, found: float) -> None:
        """List a difference, unless ``show`` of its kind are listed."""
        if sum(each.kind == kind for each in self.differences) < self.show:
            self.differences.append(Difference(kind, int(subject), int(end_ms), float(expected), float(found)))


def compare(model: Model, archive: Archive, locations: Locations, rows: Rows, show: int) -> Comparison:
    """Compare all slots of an archive."""
    result = Comparison(show)
    slots = model.slots(archive)
    rows = well_placed(rows, archive, result)
    found, overwritten = values_at(locations, archive, rows, slots)
    _judge(model, archive, slots, found, overwritten, result)
    _add_outside(model, archive, rows, slots, locations, result)
    return result


def values_at(locations: Locations, archive: Archive, rows: Rows, slots: Slots) -> tuple[Floats, Bools]:
    """Return the stored value of each slot of each subject, and whether its row holds a newer slot instead."""
    segments = locations.segments
    rows = rows.take(np.isin(rows.seg, segments))
    row_segment, column = _row_cells(rows, archive, slots, segments)
    inside = (column >= 0) & (column < slots.end_ms.size)
    table = np.full((segments.size + 1, slots.end_ms.size, rows.dp.shape[1] + 1), np.nan)  # last: no location
    table[row_segment[inside], column[inside], :-1] = rows.dp[inside]
    at_segment = _subject_segments(locations, segments)
    at_position = np.minimum(locations.pos - 1, rows.dp.shape[1])
    found = table[at_segment[:, None], np.arange(slots.end_ms.size)[None, :], at_position[:, None]]
    found[slots.end_ms[None, :] <= locations.starts_at_ms[:, None]] = np.nan
    overwritten = _overwritten(rows, row_segment, column, slots, archive, segments.size + 1)[at_segment]
    return found, overwritten


def _row_cells(rows: Rows, archive: Archive, slots: Slots, segments: Ints) -> tuple[Ints, Ints]:
    """Return the index of the segment of each row, and the column of its slot."""
    return np.searchsorted(segments, rows.seg), rows.t_ms // archive.step_ms - 1 - slots.first


def _subject_segments(locations: Locations, segments: Ints) -> Ints:
    return np.where(locations.seg == NO_SEGMENT, segments.size, np.searchsorted(segments, locations.seg))


def well_placed(rows: Rows, archive: Archive, result: Comparison) -> Rows:
    """Skip rows whose index does not match their end."""
    well = (rows.t_ms % archive.step_ms == 0) & (rows.t_ms // archive.step_ms % archive.size == rows.i)
    result.counts["wrong"] += int((~well).sum())
    for n in np.flatnonzero(~well)[: result.show]:
        result.misplaced.append(
            f"segment {rows.seg[n]}, i {rows.i[n]}: a slot that ends at {rows.t_ms[n]} ms has another i"
        )
    return rows.take(well)


def _overwritten(rows: Rows, row_segment: Ints, column: Ints, slots: Slots, archive: Archive, segments: int) -> Bools:
    """Return, for each segment and slot, whether its row holds a newer slot with a known value."""
    round_size = min(archive.size, slots.end_ms.size)
    newest = np.full((segments, round_size), np.iinfo(np.int64).min)
    index = column % archive.size
    has_value = (index < round_size) & ~np.isnan(rows.dp).all(axis=1)
    newest[row_segment[has_value], index[has_value]] = rows.t_ms[has_value]
    return (
        np.asarray(newest[:, np.arange(slots.end_ms.size) % archive.size] > slots.end_ms) if round_size else newest > 0
    )


def _judge(model: Model, archive: Archive, slots: Slots, found: Floats, overwritten: Bools, result: Comparison) -> None:
    expects, finds = ~np.isnan(slots.value), ~np.isnan(found)
    final = model.are_final(slots.end_ms)
    same = is_close(slots.value, found, RELATIVE)
    over = expects & ~finds & overwritten
    uncertain = model.are_uncertain(slots.end_ms, slots.step_ms)
    final, finds = final & ~uncertain, finds & ~uncertain
    result.add("equal", final & same, slots, found)
    result.add("overwritten", over, slots, found)
    result.add("open", expects & ~final & ~over, slots, found)
    result.add("missing", final & expects & ~finds & ~over, slots, found)
    result.add("extra", finds & ~expects, slots, found)
    subject, column = np.nonzero(~final & expects & finds & ~same)
    odd = np.zeros_like(final)
    if subject.size:
        open_slots = OpenSlots(subject, column + slots.first, found[subject, column])
        odd[subject, column] = ~model.may_hold(open_slots, archive)
    result.add("wrong", odd | (final & expects & finds & ~same), slots, found)


def _add_outside(
    model: Model,
    archive: Archive,
    rows: Rows,
    slots: Slots,
    locations: Locations,
    result: Comparison,
) -> None:
    """Find values of the subjects at times outside the model."""
    row_segment, column = _row_cells(rows, archive, slots, locations.segments)
    outside = (column < 0) | (column >= slots.end_ms.size)
    at_segment = _subject_segments(locations, locations.segments)
    owner = np.full((int(at_segment.max(initial=0)) + 1, rows.dp.shape[1] + 1), -1)
    stored = (locations.seg != NO_SEGMENT) & (locations.pos <= rows.dp.shape[1])
    owner[at_segment[stored], locations.pos[stored] - 1] = np.flatnonzero(stored)
    which = np.flatnonzero(outside)
    owners = owner[row_segment[which], :-1]
    known = (owners >= 0) & ~np.isnan(rows.dp[which])
    known &= rows.t_ms[which][:, None] > locations.starts_at_ms[np.maximum(owners, 0)]
    for n, position in np.argwhere(known):
        row = which[n]
        if model.are_uncertain(rows.t_ms[row : row + 1], archive.step_ms)[owners[n, position], 0]:
            continue
        result.counts["extra"] += 1
        result.list("extra", owners[n, position], rows.t_ms[row], np.nan, rows.dp[row, position])
