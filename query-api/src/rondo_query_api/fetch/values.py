"""Values of series over a time range: from the best archive, and from coarser ones where that has expired."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..db import Database
from .archives import Archive, TimeRange, choose, live, of_policy
from .read_plan import ReadPlan
from .reductions import Values
from .slots import SlotRead, Slots

TimeInfo = tuple[int, int, int]
MAX_AGE_S = 5.0


class Fetched(NamedTuple):
    """``(from, until, step)``, epoch seconds, ends snapped outward; values by slot, NaN where unknown.

    ``cf`` is the function that consolidated them.
    """

    time: TimeInfo
    values: Values
    cf: str


@dataclass(frozen=True)
class Series:
    """A series as found; ``path`` is its canonical name."""

    id: int
    path: str
    policy: str


@dataclass(frozen=True)
class Window:
    """Data in (start, end], epoch seconds, consolidated by ``cf``; None is the function of the policy."""

    start: int
    end: int
    cf: str | None = None


class Fetch:
    """Reads values for one request at the time ``now``.

    With ``max_points``, it prefers archives that give no more points than needed.
    """

    def __init__(self, database: Database, now: int, max_points: int | None = None) -> None:
        self._database = database
        self._slots = Slots(database)
        self._now = now
        self._max_points = max_points
        self._chosen: dict[tuple[str, str | None, int], Archive | None] = {}

    def values(self, series_list: Sequence[Series], window: Window) -> dict[int, Fetched]:
        """As :meth:`many`, for one list of series."""
        return self.many([(series_list, window)])[0]

    def many(self, wanted: Sequence[tuple[Sequence[Series], Window]]) -> list[dict[int, Fetched]]:
        """Read the values of each series in each window, by its id.

        Series without an archive for the window are absent, as are those that no longer exist. One statement reads all
        of them.
        """
        archives = self._archives({series.policy for series_list, _ in wanted for series in series_list})
        plans = [self._plans(series_list, window, archives) for series_list, window in wanted]
        self._slots.load(_reads([plan for of_window in plans for plan in of_window]))
        return [
            {
                id_: Fetched(plan.slots.graphite, self._values(plan, id_), plan.cf)
                for plan, ids in of_window
                for id_ in ids
                if all(self._slots.exists(archive, id_) for archive in plan.reads)
            }
            for of_window in plans
        ]

    def _archives(self, policies: set[str]) -> dict[str, list[Archive]]:
        """Return the archives by policy, at most ``MAX_AGE_S`` old; an unknown policy causes an immediate read."""
        by_policy: dict[str, list[Archive]] = {}
        for age in (MAX_AGE_S, 0.0):
            by_policy = {}
            for row in self._database.recent_rows("archives", age):
                by_policy.setdefault(row[1], []).append(Archive(*row))
            if policies <= by_policy.keys():
                break
        return {policy: of_policy(by_policy[policy]) for policy in policies & by_policy.keys()}

    def _plans(
        self, series_list: Sequence[Series], window: Window, archives: Mapping[str, Sequence[Archive]]
    ) -> list[tuple[ReadPlan, list[int]]]:
        """Read plans, one for each policy, with the ids of its series."""
        by_policy: dict[str, list[int]] = {}
        for series in series_list:
            by_policy.setdefault(series.policy, []).append(series.id)
        plans = ((self._plan(policy, archives.get(policy, []), window), ids) for policy, ids in by_policy.items())
        return [(plan, ids) for plan, ids in plans if plan]

    def _plan(self, policy: str, archives: Sequence[Archive], window: Window) -> ReadPlan | None:
        """Read plan for a policy. The first choice for an end time stays, so that a moving window keeps its step."""
        key = (policy, window.cf, window.end)
        if key not in self._chosen:
            self._chosen[key] = self._choose(archives, window)
        archive = self._chosen[key]
        return ReadPlan.of(archive, archives, window.start, window.end, self._now, window.cf) if archive else None

    def _choose(self, archives: Sequence[Archive], window: Window) -> Archive | None:
        """Archive that gives the step: a retired one only if no other reaches back to the start."""
        chosen = choose(live(archives), window.start, window.end, self._now, window.cf, self._max_points)
        if chosen is None or self._now - window.start > chosen.span:
            chosen = choose(archives, window.start, window.end, self._now, window.cf, self._max_points)
        return chosen

    def _values(self, plan: ReadPlan, id_: int) -> Values:
        """Values of a series; a coarser slot in which it began stands for none before that."""
        values = plan.values(lambda archive, slots: self._slots.values(archive, slots, id_))
        before = max(0, int((self._slots.valid_from(id_) - plan.slots.start) // plan.slots.step))
        return np.concatenate((np.full(before, np.nan), values[before:])) if before and len(plan.reads) > 1 else values


def _reads(plans: Sequence[tuple[ReadPlan, list[int]]]) -> Iterator[SlotRead]:
    """Return the reads of the plans, each for its series; of an archive that several plans read, all the same slots."""
    slots: dict[Archive, TimeRange] = {}
    for plan, _ in plans:
        for archive, read in plan.reads.items():
            slots[archive] = slots.get(archive, read).joined(read)
    return (SlotRead(archive, slots[archive], ids) for plan, ids in plans for archive in plan.reads)
