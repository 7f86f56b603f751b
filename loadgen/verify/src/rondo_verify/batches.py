"""The series of a plan in batches that fit into memory: whole segments of a policy, or series not stored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from .arrays import Bools, Ints
from .arrivals import Subjects, planned
from .compare import NO_SEGMENT, Locations
from .errors import InputError
from .idents import Idents
from .order import NEVER
from .plan import Plan
from .policies import Policy, first_match
from .tables import StoredSeries

CELLS = 1 << 21
WIDTH = 116  # default positions per segment, which are the values of a row


@dataclass(frozen=True)
class Batch:
    """Series of one policy and their locations."""

    policy: Policy
    subjects: Subjects
    locations: Locations

    @property
    def key(self) -> tuple[str, bytes]:
        """Equal for batches of the same series at the same locations."""
        return self.policy.name, np.stack([*vars(self.subjects).values(), *vars(self.locations).values()]).tobytes()

    def take(self, which: Bools) -> "Batch":
        """Select some of its series."""
        locations = Locations(self.locations.seg[which], self.locations.pos[which], self.locations.starts_at_ms[which])
        return Batch(self.policy, self.subjects.take(np.flatnonzero(which)), locations)


@dataclass(frozen=True)
class Division:
    """All series of plans; ``unplanned`` ones match the name template only."""

    batches: list[Batch]
    unplanned: list[str]
    other_policy: list[str]


def divide(
    plans: Sequence[Plan], policies: Sequence[Policy], given: Policy | None, stored: Sequence[StoredSeries]
) -> Division:
    """Find stored and expected series; ``given`` is the policy that their source assigns, if any."""
    idents = Idents(plans[0])
    by_name = {policy.name: policy for policy in policies}
    wanted = planned(plans)
    keys = wanted.series << 32 | wanted.generation
    most = max(min(plan.series, plan.points) for plan in plans)
    by_policy: dict[str, list[tuple[int, int, int, int, int]]] = {}
    unplanned, other_policy = [], []
    for each in stored:
        subject = idents.parse(each.ident)
        if subject is None:
            continue
        if subject[0] >= most:
            unplanned.append(each.ident)
            continue
        if each.policy not in by_name:
            raise InputError(f"series {each.ident} is stored under policy '{each.policy}', which is not in --policies")
        covering = given or first_match(policies, each.ident)
        if covering is None or covering.name != each.policy:
            other_policy.append(f"{each.ident}: policy {each.policy}, not {covering.name if covering else 'any'}")
        by_policy.setdefault(each.policy, []).append((each.seg, each.pos, each.starts_at_ms, *subject))
    batches = []
    found = np.zeros(keys.size, dtype=np.bool_)
    for name, rows in by_policy.items():
        seg, pos, starts_at, series, generation = np.array(sorted(rows), dtype=np.int64).T
        at = np.minimum(np.searchsorted(keys, series << 32 | generation), max(0, keys.size - 1))
        if keys.size:
            found[at[keys[at] == series << 32 | generation]] = True
        for part in _segments(plans, seg):
            batches.append(_batch(by_name[name], series[part], generation[part], seg[part], pos[part], starts_at[part]))
    batches.extend(_unstored(plans, policies, given, idents, wanted.take(np.flatnonzero(~found))))
    return Division(batches, unplanned, other_policy)


def _segments(plans: Sequence[Plan], seg: Ints) -> Iterator[slice]:
    """Split into runs of whole segments; ``seg`` ascends."""
    at_once = max(1, CELLS // (WIDTH * max(1, sum(plan.ticks for plan in plans))))
    starts = np.flatnonzero(np.append(True, seg[1:] != seg[:-1]))[::at_once]
    for start, end in zip(starts, [*starts[1:], seg.size], strict=True):
        yield slice(int(start), int(end))


def _unstored(
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
            no_segment, never = np.full(some.size, NO_SEGMENT), np.full(some.size, NEVER)
            yield _batch(policy, some.series, some.generation, no_segment, np.ones_like(no_segment), never)


def _batch(policy: Policy, series: Ints, generation: Ints, seg: Ints, pos: Ints, starts_at: Ints) -> Batch:
    order = np.lexsort((generation, series))
    return Batch(
        policy,
        Subjects(series[order], generation[order]),
        Locations(seg[order], pos[order], starts_at[order]),
    )
