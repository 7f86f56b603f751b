"""Consolidation of many series at once: stored points → finest slots → slots of an archive.

A value holds backward: a point (t, v) says that the series had v over (last, t]. Slots are numbered from the epoch:
slot g of a step ends at (g + 1) · step. Arrays have a row for each subject and a column for each slot.
"""

from dataclasses import dataclass

import numpy as np

from .arrays import Floats, Ints
from .arrivals import Arrivals
from .policies import SUM, Archive, Policy


@dataclass(frozen=True)
class Finest:
    """The finest slots from number ``first`` on: mean (NaN if unknown) and known time, ms."""

    first: int
    mean: Floats
    known_ms: Floats

    @property
    def numbers(self) -> Ints:
        """Number of each column's slot."""
        return self.first + np.arange(self.mean.shape[1])


@dataclass(frozen=True)
class Slots:
    """The slots of an archive from number ``first`` on: value, NaN if unknown or below xff."""

    first: int
    step_ms: int
    value: Floats

    @property
    def end_ms(self) -> Ints:
        """End of each column's slot."""
        return (self.first + 1 + np.arange(self.value.shape[1])) * self.step_ms


@dataclass(frozen=True)
class Pieces:
    """Parts of finest slots with a constant value, ordered by time; ``slot`` is the slot's number."""

    subject: Ints
    slot: Ints
    ms: Ints
    value: Floats


def finest(points: Arrivals, subjects: int, policy: Policy) -> Finest:
    """Finest slots of stored points."""
    if policy.whisper:
        return _set(points, subjects, policy)
    parts = pieces(points, policy)
    first, columns = _extent(parts.slot)
    at = parts.subject * columns + (parts.slot - first)
    cells = subjects * columns
    ms = parts.ms.astype(np.float64)

    def summed(weights: Floats) -> Floats:
        total = np.bincount(at, weights=weights, minlength=cells).astype(np.float64, copy=False)
        return total.reshape(subjects, columns)

    known, integral = summed(ms), summed(ms * parts.value)
    with np.errstate(invalid="ignore"):
        return Finest(first, integral / known, known)


def pieces(points: Arrivals, policy: Policy) -> Pieces:
    """Parts of finest slots that the points determine: in Whisper mode the whole slot of each point."""
    step = policy.step_ms
    if policy.whisper:
        return Pieces(points.subject, points.t_ms // step, np.full_like(points.t_ms, step), points.value)
    begin, end = points.t_ms[:-1], points.t_ms[1:]
    held = (points.subject[1:] == points.subject[:-1]) & (end - begin <= policy.heartbeat_ms)
    begin, end, subject, value = begin[held], end[held], points.subject[1:][held], points.value[1:][held]
    low, high = begin // step, -(-end // step) - 1
    count = high - low + 1
    which = np.repeat(np.arange(count.size), count)
    slot = low[which] + np.arange(which.size) - np.repeat(np.cumsum(count) - count, count)
    ms = np.minimum(end[which], (slot + 1) * step) - np.maximum(begin[which], slot * step)
    return Pieces(subject[which], slot, ms, value[which])


def consolidate(fine: Finest, policy: Policy, archive: Archive) -> Slots:
    """Slots of an archive."""
    many = archive.step_ms // policy.step_ms
    numbers = fine.numbers // many
    if many == 1:
        value, known = fine.mean, fine.known_ms
    else:
        starts = np.flatnonzero(np.append(True, numbers[1:] != numbers[:-1])) if numbers.size else numbers
        known = np.add.reduceat(fine.known_ms, starts, axis=1) if numbers.size else fine.known_ms
        value = _coarse(fine, starts, known, archive.cf) if numbers.size else fine.mean
    first = int(numbers[0]) if numbers.size else 0
    return Slots(first, archive.step_ms, np.where(known >= archive.least_known_ms, value, np.nan))


def _coarse(fine: Finest, starts: Ints, known: Floats, cf: str) -> Floats:
    is_known = fine.known_ms > 0
    match cf:
        case "wmean":
            with np.errstate(invalid="ignore"):
                return np.add.reduceat(np.where(is_known, fine.mean * fine.known_ms, 0.0), starts, axis=1) / known
        case "sum":
            return np.add.reduceat(np.where(is_known, fine.mean, 0.0), starts, axis=1)
        case "min":
            return np.minimum.reduceat(np.where(is_known, fine.mean, np.inf), starts, axis=1)
        case "max":
            return np.maximum.reduceat(np.where(is_known, fine.mean, -np.inf), starts, axis=1)
        case _:
            column = np.where(is_known, np.arange(fine.mean.shape[1]), 0)
            return np.take_along_axis(fine.mean, np.maximum.reduceat(column, starts, axis=1), axis=1)


def _set(points: Arrivals, subjects: int, policy: Policy) -> Finest:
    """Whisper mode: the last point of a slot is its value, or the sum of its points."""
    slot = points.t_ms // policy.step_ms
    first, columns = _extent(slot)
    value = np.full((subjects, columns), np.nan)
    at = points.subject, slot - first
    if policy.finest == SUM:
        value[at] = 0.0
        np.add.at(value, at, points.value)
    else:
        value[at] = points.value  # the last of equal indexes wins
    return Finest(first, value, np.where(np.isnan(value), 0.0, float(policy.step_ms)))


def _extent(slot: Ints) -> tuple[int, int]:
    """First slot and number of slots."""
    if not slot.size:
        return 0, 0
    first = int(slot.min())
    return first, int(slot.max()) - first + 1
