"""The series of a plan in batches that fit into memory: whole segments of a policy, or series not stored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from .arrays import Bools, Ints
from .arrivals import Subjects, planned
from .compare import NO_SEGMENT, Places
from .errors import InputError
from .idents import Idents
from .order import NEVER
from .plan import Plan
from .policies import Policy, first_match
from .tables import StoredSeries

CELLS = 1 << 21
WIDTH = 116  # default positions per segment: a row contains as many series


@dataclass(frozen=True)
class Batch:
    """Series of one policy and their locations."""

    policy: Policy
    subjects: Subjects
    places: Places

    @property
    def key(self) -> tuple[str, bytes]:
        """Equal for batches of the same series at the same locations."""
        return self.policy.name, np.stack([*vars(self.subjects).values(), *vars(self.places).values()]).tobytes()

    def take(self, which: Bools) -> "Batch":
        """Select some of its series."""
        places = Places(self.places.seg[which], self.places.pos[which], self.places.starts_at_ms[which])
        return Batch(self.policy, self.subjects.take(np.flatnonzero(which)), places)


@dataclass(frozen=True)
class Division:
    """All series of plans; ``strangers`` match the name template but are not planned."""

    batches: list[Batch]
    strangers: list[str]
    other_policy: list[str]


def divide(
    plans: Sequence[Plan], policies: Sequence[Policy], given: Policy | None, stored: Sequence[StoredSeries]
) -> Division:
    """Find stored and expected series; ``given`` is the policy that their source assigns."""
    idents = Idents(plans[0])
    by_name = {policy.name: policy for policy in policies}
    wanted = planned(plans)
    keys = wanted.series << 32 | wanted.generation
    most = max(min(plan.series, plan.points) for plan in plans)
    lives: dict[str, list[tuple[int, int, int, int, int]]] = {}
    strangers, other_policy = [], []
    for each in stored:
        subject = idents.parse(each.ident)
        if subject is None:
            continue
        if subject[0] >= most:
            strangers.append(each.ident)
            continue
        if each.policy not in by_name:
            raise InputError(f"series {each.ident} is stored under policy '{each.policy}', which --policies lacks")
        covering = given or first_match(policies, each.ident)
        if covering is None or covering.name != each.policy:
            other_policy.append(f"{each.ident}: policy {each.policy}, not {covering.name if covering else 'any'}")
        lives.setdefault(each.policy, []).append((each.seg, each.pos, each.starts_at_ms, *subject))
    batches = []
    found = np.zeros(keys.size, dtype=np.bool_)
    for name, rows in lives.items():
        seg, pos, starts_at, series, generation = np.array(sorted(rows), dtype=np.int64).T
        at = np.minimum(np.searchsorted(keys, series << 32 | generation), max(0, keys.size - 1))
        if keys.size:
            found[at[keys[at] == series << 32 | generation]] = True
        for part in _segments(plans, seg):
            batches.append(_batch(by_name[name], series[part], generation[part], seg[part], pos[part], starts_at[part]))
    batches.extend(_homeless(plans, policies, given, idents, wanted.take(np.flatnonzero(~found))))
    return Division(batches, strangers, other_policy)


def _segments(plans: Sequence[Plan], seg: Ints) -> Iterator[slice]:
    """Split into runs of whole segments; ``seg`` ascends."""
    at_once = max(1, CELLS // (WIDTH * max(1, sum(plan.ticks for plan in plans))))
    starts = np.flatnonzero(np.append(True, seg[1:] != seg[:-1]))[::at_once]
    for start, end in zip(starts, [*starts[1:], seg.size], strict=True):
        yield slice(int(start), int(end))


def _homeless(
    plans: Sequence[Plan], policies: Sequence[Policy], given: Policy | None, idents: Idents, subjects: Subjects
) -> Iterator[Batch]:
    """Group series without a location; a series that no policy covers needs none."""
    by_policy: dict[str, list[int]] = {}
    for n in range(subjects.size):
        policy = given or first_match(policies, idents.text(int(subjects.series[n]), int(subjects.generation[n])))
        if policy:
            by_policy.setdefault(policy.name, []).append(n)
    at_once = max(1, CELLS // max(1, sum(plan.ticks for plan in plans)))
    for policy in policies:
        which = np.array(by_policy.get(policy.name, []), dtype=np.int64)
        for start in range(0, which.size, at_once):
            some = subjects.take(which[start : start + at_once])
            nowhere, never_valid = np.full(some.size, NO_SEGMENT), np.full(some.size, NEVER)
            yield _batch(policy, some.series, some.generation, nowhere, np.ones_like(nowhere), never_valid)


def _batch(policy: Policy, series: Ints, generation: Ints, seg: Ints, pos: Ints, starts_at: Ints) -> Batch:
    order = np.lexsort((generation, series))
    return Batch(
        policy,
        Subjects(series[order], generation[order]),
        Places(seg[order], pos[order], starts_at[order]),
    )
