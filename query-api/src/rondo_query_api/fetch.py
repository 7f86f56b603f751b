"""Values of series: one statement per archive for all the series that are wanted together."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from . import allowance
from .archives import WMEAN, Archive, TimeRange, choose
from .db import Database

TimeInfo = tuple[int, int, int]
Values = list[float | None]


@dataclass(frozen=True)
class Series:
    """A series as found: ``path`` is its canonical text."""

    id: int
    path: str
    policy: str


class Fetch:
    """Reads for one request, at ``now``; with ``max_points``, archives that give no more points than needed."""

    def __init__(self, database: Database, now: int, max_points: int | None = None) -> None:
        self._database = database
        self._now = now
        self._max_points = max_points
        self._chosen: dict[tuple[str, str, int], Archive | None] = {}

    def values(
        self, series_list: Sequence[Series], start: int, end: int, cf: str = WMEAN
    ) -> dict[int, tuple[TimeInfo, Values]]:
        """``((from, until, step), values)`` by id, epoch seconds, ends snapped outward; ``None`` is an unknown slot.

        Series without an archive for the range are left out.
        """
        policies = sorted({each.policy for each in series_list})
        archives = [Archive(*row) for row in self._database.rows("archives", policies=policies)] if policies else []
        loaded: dict[int, tuple[TimeInfo, Values]] = {}
        for policy in policies:
            archive = self._choose(archives, policy, cf, start, end)
            slots = archive.clip(start, end, self._now) if archive else None
            if archive and slots:
                ids = [each.id for each in series_list if each.policy == policy]
                allowance.current().take_points(len(ids) * slots.slots)
                loaded |= {id_: (slots.graphite, values) for id_, values in self._slots(archive, slots, ids).items()}
        return loaded

    def _choose(self, archives: Sequence[Archive], policy: str, cf: str, start: int, end: int) -> Archive | None:
        """Archive of the policy; the first choice for an end stays, so that a moving window keeps its step."""
        key = (policy, cf, end)
        if key not in self._chosen:
            own = [each for each in archives if each.policy == policy]
            self._chosen[key] = choose(own, start, end, self._now, cf, self._max_points)
        return self._chosen[key]

    def _slots(self, archive: Archive, slots: TimeRange, ids: list[int]) -> dict[int, Values]:
        low, high = zip(*archive.index_ranges(slots), strict=True)
        rows = self._database.rows(
            "slots",
            series=ids,
            archive=archive.id,
            low=list(low),
            high=list(high),
            start=slots.start,
            final=slots.final,
            first=low[0],
            size=archive.size,
        )
        known = {id_: (places, values) for id_, places, values in rows}
        return {id_: _arrange(slots.slots, *known.get(id_, ([], []))) for id_ in ids}


def _arrange(length: int, places: Sequence[int], known: Sequence[float]) -> Values:
    values = np.full(length, None, dtype=object)
    values[np.asarray(places, dtype=np.intp)] = known
    arranged: Values = values.tolist()
    return arranged
