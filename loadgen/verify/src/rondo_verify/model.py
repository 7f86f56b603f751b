"""What the slots of some series of one policy must hold."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .arrays import Bools, Ints
from .arrivals import Subjects, arrivals
from .order import Stored, store
from .plan import Plan
from .policies import Archive, Policy
from .prefixes import OpenSlots, are_prefixes
from .slots import Finest, Pieces, Slots, consolidate, finest, pieces


@dataclass(frozen=True)
class Model:
    """The subjects are all of one policy."""

    plan: Plan
    policy: Policy
    subjects: Subjects

    @cached_property
    def stored(self) -> Stored:
        """The points that the rules keep."""
        return store(arrivals(self.plan, self.subjects), self.subjects.size, self.policy)

    @cached_property
    def finest(self) -> Finest:
        """Finest slots as all planned points leave them, silence included."""
        return finest(self.stored.points, self.subjects.size, self.policy)

    @cached_property
    def _pieces(self) -> Pieces:
        return pieces(self.stored.points, self.policy)

    def slots(self, archive: Archive) -> Slots:
        """Slots of one of the policy's archives."""
        return consolidate(self.finest, self.policy, archive)

    def are_final(self, end_ms: Ints) -> Bools:
        """For each subject (row) and each slot's end (column), whether no point and no silence changes it any more."""
        return np.asarray(end_ms[None, :] <= self.stored.closed_until_ms[:, None])

    def may_hold(self, asked: OpenSlots, archive: Archive) -> Bools:
        """Whether what was found in slots that are not final is something that they held or will hold on the way."""
        if self.policy.reorder_ms and not self.plan.finished:
            return np.ones(asked.subject.size, dtype=np.bool_)  # any of the points that wait may be missing
        accepted = np.zeros(asked.subject.size, dtype=np.bool_)
        for slot in np.unique(asked.slot):
            here = np.flatnonzero(asked.slot == slot)
            part = OpenSlots(asked.subject[here], asked.slot[here], asked.found[here])
            accepted[here] = are_prefixes(part, self._pieces, self.finest, self.policy, archive)
        return accepted
