"""Values of series over a time: from the archive that suits it, and from coarser ones where that has expired."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .archives import WMEAN, Archive, choose
from .columns import Values
from .db import Database
from .readings import Reading
from .slots import Slots, Wanted

TimeInfo = tuple[int, int, int]
MAX_AGE_S = 5.0
Fetched = dict[int, tuple[TimeInfo, Values]]


@dataclass(frozen=True)
class Series:
    """A series as found: ``path`` is its canonical text."""

    id: int
    path: str
    policy: str


@dataclass(frozen=True)
class Window:
    """Data in (start, end], epoch seconds, consolidated by ``cf``."""

    start: int
    end: int
    cf: str = WMEAN


class Fetch:
    """Reads for one request, at ``now``; with ``max_points``, archives that give no more points than needed."""

    def __init__(self, database: Database, now: int, max_points: int | None = None) -> None:
        self._database = database
        self._slots = Slots(database)
        self._now = now
        self._max_points = max_points
        self._chosen: dict[tuple[str, str, int], Archive | None] = {}

    def values(self, series_list: Sequence[Series], window: Window) -> Fetched:
        """Give what :meth:`many` gives of one."""
        return self.many([(series_list, window)])[0]

    def many(self, wanted: Sequence[tuple[Sequence[Series], Window]]) -> list[Fetched]:
        """``((from, until, step), values)`` by id, epoch seconds, ends snapped outward; NaN is an unknown slot.

        Series without an archive for the window are left out. All are read by one statement.
        """
        archives = self._archives({series.policy for series_list, _ in wanted for series in series_list})
        plans = [self._plan(series_list, window, archives) for series_list, window in wanted]
        self._slots.load(
            Wanted(piece.archive, piece.stored, ids)
            for plan in plans
            for reading, ids in plan
            for piece in reading.pieces
        )
        return [
            {id_: (reading.slots.graphite, self._assembled(reading, id_)) for reading, ids in plan for id_ in ids}
            for plan in plans
        ]

    def _archives(self, policies: set[str]) -> dict[str, list[Archive]]:
        """Find the archives of all policies; they hardly change, but those of a new policy are asked for at once."""
        by_policy: dict[str, list[Archive]] = {}
        for age in (MAX_AGE_S, 0.0):
            by_policy = {}
            for row in self._database.recent_rows("archives", age):
                by_policy.setdefault(row[1], []).append(Archive(*row))
            if policies <= by_policy.keys():
                break
        return by_policy

    def _plan(
        self, series_list: Sequence[Series], window: Window, archives: Mapping[str, Sequence[Archive]]
    ) -> list[tuple[Reading, list[int]]]:
        """Say what is to be read for the series of each policy."""
        by_policy: dict[str, list[int]] = {}
        for series in series_list:
            by_policy.setdefault(series.policy, []).append(series.id)
        readings = ((self._reading(policy, archives.get(policy, []), window), ids) for policy, ids in by_policy.items())
        return [(reading, ids) for reading, ids in readings if reading]

    def _reading(self, policy: str, archives: Sequence[Archive], window: Window) -> Reading | None:
        """Of the archive of the policy; the first choice for an end stays, so that a moving window keeps its step."""
        key = (policy, window.cf, window.end)
        if key not in self._chosen:
            self._chosen[key] = choose(archives, window.start, window.end, self._now, window.cf, self._max_points)
        archive = self._chosen[key]
        return Reading.of(archive, archives, window.start, window.end, self._now) if archive else None

    def _assembled(self, reading: Reading, id_: int) -> Values:
        """Values of all pieces, the oldest first."""
        parts = [
            piece.spread(self._slots.values(piece.archive, piece.stored, id_)) for piece in reversed(reading.pieces)
        ]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)
