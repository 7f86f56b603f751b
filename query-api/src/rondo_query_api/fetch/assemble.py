"""Assembles the values of each series from stored slots.

A coarser slot stands for all finer slots that it covers; a sum is divided among them. Finer slots are consolidated as
in an archive of the policy.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..reductions import Values, reduce_columns
from .archives import REDUCTION, SUM, Archive, TimeRange
from .load import Loaded
from .location_periods import LocationPeriods
from .plan import ReadPiece, ReadPlan
from .series import SeriesKey
from .slots import StoredSlots

Stored = Mapping[Archive, StoredSlots]


class Fetched(NamedTuple):
    """``(from, until, step)``, epoch seconds, ends snapped outward; values by slot, NaN where unknown.

    ``cf`` is the function that consolidated them.
    """

    time: tuple[int, int, int]
    values: Values
    cf: str


def assemble(plans: Iterable[ReadPlan], loaded: Loaded, now: int) -> dict[SeriesKey, Fetched]:
    """Values at the time ``now``, epoch seconds, of each series of the plans; a series that is not loaded is absent."""
    fetched = {}
    for plan in plans:
        moves = plan.group.moves
        by_archive = [(each, loaded.get((each.id, each.moves_ago, moves), {})) for each in plan.reads]
        for key, periods in plan.group.series.items():
            if all(key in slots for _, slots in by_archive):
                stored = {archive: _valid(archive, slots[key], periods, now) for archive, slots in by_archive}
                fetched[key] = Fetched(plan.slots.graphite, _values(plan, stored, periods), plan.cf)
    return fetched


def _valid(archive: Archive, stored: StoredSlots, periods: LocationPeriods, now: int) -> StoredSlots:
    """Omit expired slots, which a retired archive keeps for a while, and those after a former period."""
    final: float = stored.slots.final
    if archive.moves_ago:
        [final] = [each.between(archive.step)[1] for each in periods if each.moves_ago == archive.moves_ago]
    return stored.within(now - archive.span, final)


def _values(plan: ReadPlan, stored: Stored, periods: LocationPeriods) -> Values:
    """Values of a series. A coarser slot in which the series began does not stand for finer slots before that."""
    pieces = [_of_piece(piece, stored, plan.cf) for piece in reversed(plan.pieces)]
    values = pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
    if len(stored) == 1:
        return values
    began = min(period.start for period in periods) if periods else next(iter(stored.values())).starts_at
    return StoredSlots(plan.slots, values, began).within(began, plan.slots.final).values


def _of_piece(piece: ReadPiece, stored: Stored, cf: str) -> Values:
    first, *others = piece.archives
    known = _in_step(piece.read, first, stored[first], cf)
    for archive in others:
        fills = np.isnan(known)
        if archive.step != first.step and archive.moves_ago == first.moves_ago:
            fills &= _outside(known, piece.read, archive.step)
        known = np.where(fills, _in_step(piece.read, archive, stored[archive], cf), known)
    return known[len(known) - piece.slots.slots :]


def _outside(known: Values, slots: TimeRange, step: int) -> NDArray[np.bool_]:
    """Mask of the slots whose slot of ``step`` ends before the first known value, or begins after the last one."""
    wider = -(-_ends(slots) // step)
    with_value = wider[~np.isnan(known)]
    if not len(with_value):
        return np.ones(len(known), bool)
    outside: NDArray[np.bool_] = (wider < with_value[0]) | (wider > with_value[-1])
    return outside


def _in_step(slots: TimeRange, archive: Archive, stored: StoredSlots, cf: str) -> Values:
    """Values of the slots: as stored, consolidated from finer slots, or spread from coarser ones."""
    if archive.step == slots.step:
        return stored.part(slots)
    covering = archive.covering(slots)
    values = stored.part(covering)
    if archive.step < slots.step:
        return reduce_columns(REDUCTION[cf], values.reshape(slots.slots, -1).T, archive.xff)
    spread: Values = values[-(-_ends(slots) // archive.step) - 1 - covering.start // archive.step]
    return spread * slots.step / archive.step if cf == SUM else spread


def _ends(slots: TimeRange) -> NDArray[np.int64]:
    return np.arange(slots.start + slots.step, slots.final + 1, slots.step)
