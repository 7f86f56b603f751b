"""Expected slots of some series of one policy."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .arrays import Bools, Ints
from .arrivals import Arrivals, Subjects, arrivals
from .order import NEVER, Stored, store
from .plan import Plan
from .policies import Archive, Policy
from .prefixes import OpenSlots, are_prefixes
from .slots import Finest, Pieces, Slots, consolidate, finest, pieces


@dataclass(frozen=True)
class Model:
    """The subjects are all of one policy.

    A subject whose ``starts_at`` is before its first planned point also has older points. If series ``are_refused``
    temporarily, planned points before ``starts_at`` are missing.
    """

    plans: Sequence[Plan]
    policy: Policy
    subjects: Subjects
    starts_at_ms: Ints
    are_refused: bool = False

    @cached_property
    def _arrivals(self) -> tuple[Arrivals, int]:
        """Points that arrived after the series was created, and the certain number of earlier points."""
        points = arrivals(self.plans, self.subjects)
        if not self.are_refused:
            return points, 0
        too_early = points.t_ms < self.starts_at_ms[points.subject]
        return points.take(~too_early), int((too_early & points.sure).sum())

    @property
    def refused(self) -> int:
        """Number of points that arrived before their series was created."""
        return self._arrivals[1]

    @cached_property
    def stored(self) -> Stored:
        """The points that are not dropped."""
        return store(self._arrivals[0], self.subjects.size, self.policy)

    @cached_property
    def finest(self) -> Finest:
        """Finest slots after all planned points, including the final silence."""
        return finest(self.stored.points, self.subjects.size, self.policy)

    @cached_property
    def _pieces(self) -> Pieces:
        return pieces(self.stored.points, self.policy)

    def slots(self, archive: Archive) -> Slots:
        """Slots of an archive of the policy."""
        return consolidate(self.finest, self.policy, archive)

    @cached_property
    def _uncertain_spans(self) -> list[tuple[Ints, Ints]]:
        """Time range of each subject, from and until, in which points are uncertain."""
        points, size = self.stored.points, self.subjects.size
        first, sure_after, sure_before = np.full(size, -NEVER), np.full(size, -NEVER), np.full(size, NEVER)
        np.minimum.at(first, points.subject, points.t_ms)
        first_unsure, last_unsure = np.full(size, -NEVER), np.full(size, NEVER)
        unsure = ~points.sure
        np.minimum.at(first_unsure, points.subject[unsure], points.t_ms[unsure])
        np.maximum.at(last_unsure, points.subject[unsure], points.t_ms[unsure])
        after = points.sure & (points.t_ms > last_unsure[points.subject]) & (last_unsure[points.subject] > NEVER)
        before = points.sure & (points.t_ms < first_unsure[points.subject])
        np.minimum.at(sure_after, points.subject[after], points.t_ms[after])
        np.maximum.at(sure_before, points.subject[before], points.t_ms[before])
        is_older = (self.starts_at_ms > NEVER) & (self.starts_at_ms < first)
        continues = sure_after < -NEVER  # another plan sent points after the uncertain ones
        return [
            (np.full(size, NEVER), np.where(is_older, first, NEVER)),
            (np.where(continues, sure_before, NEVER), np.where(continues, sure_after, NEVER)),
        ]

    def are_uncertain(self, end_ms: Ints, step_ms: int) -> Bools:
        """For each subject and slot end, whether it depends on uncertain points."""
        uncertain = np.zeros((self.subjects.size, end_ms.size), dtype=np.bool_)
        for low, high in self._uncertain_spans:
            if (high > NEVER).any():
                uncertain |= (end_ms[None, :] > low[:, None]) & (end_ms[None, :] - step_ms < high[:, None])
        return uncertain

    def are_final(self, end_ms: Ints) -> Bools:
        """For each subject (row) and slot end (column), whether neither points nor silence can still change it."""
        return np.asarray(end_ms[None, :] <= self.stored.closed_until_ms[:, None])

    def may_hold(self, slots: OpenSlots, archive: Archive) -> Bools:
        """Whether the values found in open slots are possible intermediate or final values."""
        if self.policy.reorder_ms and not all(plan.finished for plan in self.plans):
            return np.ones(slots.subject.size, dtype=np.bool_)  # any buffered point may be missing
        accepted = np.zeros(slots.subject.size, dtype=np.bool_)
        for slot in np.unique(slots.slot):
            here = np.flatnonzero(slots.slot == slot)
            part = OpenSlots(slots.subject[here], slots.slot[here], slots.found[here])
            accepted[here] = are_prefixes(part, self._pieces, self.finest, self.policy, archive)
        return accepted
