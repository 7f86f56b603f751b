"""Checks whether an open slot has its value after some of its points: rows are emitted before a slot is closed."""

from dataclasses import dataclass

import numpy as np

from .arrays import Bools, Floats, Ints, begins_run, index_in_run
from .policies import LAST, SUM, Archive, Policy
from .slots import Finest, Pieces

RELATIVE = 1e-6  # running sums are less exact than the model's


@dataclass(frozen=True)
class OpenSlots:
    """One slot of each of some subjects, by its number in the archive, and the value found."""

    subject: Ints
    slot: Ints
    found: Floats


def are_prefixes(open_slots: OpenSlots, parts: Pieces, fine: Finest, policy: Policy, archive: Archive) -> Bools:
    """For each slot, whether ``found`` is its value after one of its ``parts``. A subject may occur only once."""
    many = archive.step_ms // policy.step_ms
    order = np.argsort(open_slots.subject)
    at = np.minimum(np.searchsorted(open_slots.subject[order], parts.subject), order.size - 1)
    which = order[at]
    mine = (open_slots.subject[which] == parts.subject) & (open_slots.slot[which] == parts.slot // many)
    which, slot, ms, value = which[mine], parts.slot[mine], parts.ms[mine], parts.value[mine]
    pdp, pdp_ms = _so_far(which, slot, ms, value, policy)
    before, before_ms = _earlier(open_slots, fine, many, archive.cf)
    column = slot % many
    earlier, earlier_ms = before[which, column], before_ms[which, column]
    known_ms = earlier_ms + pdp_ms
    match archive.cf:
        case "wmean":
            so_far = (earlier * earlier_ms + pdp * pdp_ms) / known_ms
        case "sum":
            so_far = earlier + pdp
        case "min":
            so_far = np.minimum(earlier, pdp)
        case "max":
            so_far = np.maximum(earlier, pdp)
        case _:
            so_far = pdp
    fits = is_close(so_far, open_slots.found[which], RELATIVE) & (known_ms >= archive.least_known_ms)
    return np.bincount(which[fits], minlength=open_slots.subject.size) > 0


def is_close(a: Floats, b: Floats, relative: float) -> Bools:
    """Whether they differ by at most a share of the greater one; false if one is NaN."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.abs(a - b) <= relative * np.maximum(np.abs(a), np.abs(b)))


def _so_far(which: Ints, slot: Ints, ms: Ints, value: Floats, policy: Policy) -> tuple[Floats, Floats]:
    """Mean and known time of the finest slot of each part, after it."""
    if policy.finest == LAST:
        return value, ms.astype(np.float64)
    run = np.cumsum(begins_run(which) | begins_run(slot)) - 1
    index = index_in_run(run)
    table = np.zeros((2, int(run.max(initial=-1)) + 1, int(index.max(initial=-1)) + 1))
    table[0, run, index], table[1, run, index] = ms, ms * value
    known, integral = np.cumsum(table, axis=2)[:, run, index]
    if policy.finest == SUM:
        return integral / ms, ms.astype(np.float64)
    return integral / known, known


def _earlier(open_slots: OpenSlots, fine: Finest, many: int, cf: str) -> tuple[Floats, Floats]:
    """Return, for each slot and each of its ``many`` finest slots, value and known time of the preceding ones."""
    columns = open_slots.slot[:, None] * many + np.arange(many) - fine.first
    inside = (columns >= 0) & (columns < fine.mean.shape[1])
    columns = np.where(inside, columns, 0)
    known = np.where(inside, fine.known_ms[open_slots.subject[:, None], columns], 0.0)
    mean = np.where(known > 0, fine.mean[open_slots.subject[:, None], columns], np.nan)
    known_sum = np.cumsum(known, axis=1)
    match cf:
        case "wmean":
            with np.errstate(invalid="ignore"):
                upto = np.cumsum(np.where(known > 0, mean * known, 0.0), axis=1) / known_sum
            none = 0.0
        case "sum":
            upto, none = np.cumsum(np.where(known > 0, mean, 0.0), axis=1), 0.0
        case "min":
            none = np.inf
            upto = np.minimum.accumulate(np.where(known > 0, mean, none), axis=1)
        case "max":
            none = -np.inf
            upto = np.maximum.accumulate(np.where(known > 0, mean, none), axis=1)
        case _:
            upto, none = mean, np.nan
    upto = np.where(known_sum > 0, upto, none)
    edge = np.full((open_slots.slot.size, 1), none)
    return np.hstack([edge, upto[:, :-1]]), np.hstack([np.zeros_like(edge), known_sum[:, :-1]])
