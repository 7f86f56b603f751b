"""What several versions of the policies promise of a slot.

A task takes a version between two points of a series, at a time that is known only as a range, its border. A slot is of
one version if no border can lie between the point before it and the point that closes it; then its archive in that
version, and no other, has the value of the model, or there is no such archive and no value. A slot with a border is
promised if all versions that it may be of have an archive of its function and step, and the model gives the same value
under each of them: the open slot continues. Any other slot with a border may be unknown, or have a value of a part::

    versions               a |border| b
    points                 .  .  .  .  .  .
    10 s slots          a  |  a  |a b  |  b  |
    10 s in a and b        5     6     7        promised
    10 s only in b               ?     7        not promised where it has a border
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from .arrays import Bools, Floats, Ints
from .arrivals import Subjects
from .compare import RELATIVE
from .model import Model
from .order import NEVER
from .plan import Plan
from .policies import Archive, Policy
from .prefixes import is_close
from .slots import Slots
from .versions import Version


@dataclass(frozen=True)
class Promise:
    """Slots of one function and step, a row for each subject.

    ``version`` is the only version that a slot is of, -1 if there may be several; ``promised`` whether ``value``, NaN
    if unknown, is what must be stored; ``exists`` whether the only version has such an archive, by version.
    """

    slots: Slots
    version: Ints
    promised: Bools
    exists: Bools


@dataclass(frozen=True)
class History:
    """Subjects that have had the same policies, one in each version, from ``starts_at_ms`` on."""

    plans: Sequence[Plan]
    versions: Sequence[Version]
    policies: Sequence[Policy]
    subjects: Subjects
    starts_at_ms: Ints
    _models: dict[tuple[int, int, int], Model] = field(default_factory=dict)

    def uncached(self) -> "History":
        """Return a copy without cached models, which take hundreds of bytes a point."""
        return replace(self, _models={})

    def take(self, n: int) -> "History":
        """Select one subject."""
        subjects = self.subjects.take(slice(n, n + 1))
        return History(self.plans, self.versions, self.policies, subjects, self.starts_at_ms[n : n + 1])

    def model(self, version: int) -> Model:
        """Model of all points under the policy of a version."""
        policy = self.policies[version]
        key = policy.step_ms, policy.heartbeat_ms, policy.reorder_ms
        if key not in self._models:
            self._models[key] = Model(self.plans, policy, self.subjects, self.starts_at_ms)
        return self._models[key]

    @property
    def last(self) -> Model:
        """Model under the newest version."""
        return self.model(len(self.versions) - 1)

    @cached_property
    def closed_until_ms(self) -> Ints:
        """Time by which slots that end are final, by subject."""
        every = [self.model(n).stored.closed_until_ms for n in range(len(self.versions))]
        return np.asarray(np.min(every, axis=0))

    def archive(self, version: int, cf: str, step_ms: int) -> Archive | None:
        """Archive of a function and step in a version."""
        archives = self.policies[version].archives
        return next((each for each in archives if (each.cf, each.step_ms) == (cf, step_ms)), None)

    def kinds(self) -> list[tuple[str, int]]:
        """List function and step (ms) of all archives of all versions."""
        return list(dict.fromkeys((each.cf, each.step_ms) for policy in self.policies for each in policy.archives))

    def extent(self, step_ms: int) -> tuple[int, int]:
        """Find the ends of the first and the last slot of a step that planned points reach."""
        t_ms = [self.model(n).stored.points.t_ms for n in range(len(self.versions))]
        low = min((int(each.min()) for each in t_ms if each.size), default=0)
        high = max((int(each.max()) for each in t_ms if each.size), default=0)
        return (low // step_ms + 1) * step_ms, -(-high // step_ms) * step_ms

    def promise(self, cf: str, step_ms: int, first_end_ms: int, last_end_ms: int) -> Promise:
        """Return the promises for the slots from one end to another, both included."""
        first = first_end_ms // step_ms - 1
        count = max(0, last_end_ms // step_ms - first)
        shape = self.subjects.size, count
        low, high = self._range(step_ms, first, count)
        value, fits = np.full(shape, np.nan), np.ones(shape, dtype=np.bool_)
        exists = np.zeros(len(self.versions), dtype=np.bool_)
        for n in range(len(self.versions)):
            archive = self.archive(n, cf, step_ms)
            exists[n] = archive is not None
            of = self._values(n, archive, first, count) if archive else np.full(shape, np.nan)
            inside = (low <= n) & (n <= high)
            value = np.where(low == n, of, value)
            same = is_close(of, value, RELATIVE) | (np.isnan(of) & np.isnan(value))
            fits &= ~inside | (low == high) | (same & exists[n])
        return Promise(Slots(first, step_ms, value), np.where(low == high, low, -1), fits, exists)

    def _range(self, step_ms: int, first: int, count: int) -> tuple[Ints, Ints]:
        """First and last version that each slot may be of."""
        begin_ms = (first + np.arange(count)) * step_ms
        low = np.zeros((self.subjects.size, count), dtype=np.int64)
        high = low.copy()
        for n in range(1, len(self.versions)):
            reorder_ms = max(policy.reorder_ms for policy in self.policies[n - 1 : n + 1])
            low[:, begin_ms >= self.versions[n].until_ms + reorder_ms] = n
            closed_ms = self._newest(self.versions[n].from_ms - reorder_ms)
            high[begin_ms[None, :] + step_ms > closed_ms[:, None]] = n
        return low, np.maximum(low, high)

    def _newest(self, until_ms: int) -> Ints:
        """Time of the newest point of each subject until a time."""
        points = self.model(0).stored.points
        newest = np.full(self.subjects.size, NEVER)
        before = points.t_ms <= until_ms
        np.maximum.at(newest, points.subject[before], points.t_ms[before])
        return newest

    def _values(self, version: int, archive: Archive, first: int, count: int) -> Floats:
        model = self.model(version)
        slots = model.slots(archive)
        values = np.full((self.subjects.size, count), np.nan)
        column = np.arange(count) + first - slots.first
        inside = (column >= 0) & (column < slots.end_ms.size)
        values[:, inside] = slots.value[:, column[inside]]
        return values
