"""Values of series: one statement per archive for all the series that one pattern found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .archives import WMEAN, Archive, TimeRange, choose
from .db import Database
from .graphite import Interval, IntervalSet

TimeInfo = tuple[int, int, int]
Values = list[float | None]
PLAN = "rondo"


@dataclass(frozen=True)
class Series:
    """A series as found: ``path`` is its canonical text."""

    id: int
    path: str
    policy: str


@dataclass
class ReadPlan:
    """What one request says about reading; functions find it in Graphite's context under :data:`PLAN`."""

    max_points: int | None = None
    functions: Mapping[str, str] = field(default_factory=dict)
    """Pattern → the consolidation function that the target names for it."""
    _chosen: dict[tuple[str, str, int], Archive | None] = field(default_factory=dict)

    def choose(
        self, archives: Sequence[Archive], policy: str, cf: str, start: int, end: int, now: int
    ) -> Archive | None:
        """Archive of the policy; the first choice for an end stays, so that a moving window keeps its step."""
        key = (policy, cf, end)
        if key not in self._chosen:
            own = [each for each in archives if each.policy == policy]
            self._chosen[key] = choose(own, start, end, now, cf, self.max_points)
        return self._chosen[key]


class Batch:
    """The series that a pattern found; the first of them that is read loads them all."""

    def __init__(self, database: Database, pattern: str, series: Sequence[Series]) -> None:
        self._database = database
        self._pattern = pattern
        self._series = series
        self._loaded: dict[tuple[int, int], dict[int, tuple[TimeInfo, Values]]] = {}

    def read(self, series: Series, start: int, end: int, now: int, plan: ReadPlan) -> tuple[TimeInfo, Values] | None:
        """Values of one of the series, as :meth:`SeriesReader.fetch`; None when it has no archive for them."""
        if (start, end) not in self._loaded:
            self._loaded[start, end] = self._load(start, end, now, plan)
        return self._loaded[start, end].get(series.id)

    def _load(self, start: int, end: int, now: int, plan: ReadPlan) -> dict[int, tuple[TimeInfo, Values]]:
        policies = sorted({each.policy for each in self._series})
        archives = [Archive(*row) for row in self._database.rows("archives", policies=policies)]
        cf = plan.functions.get(self._pattern, WMEAN)
        loaded: dict[int, tuple[TimeInfo, Values]] = {}
        for policy in policies:
            archive = plan.choose(archives, policy, cf, start, end, now)
            slots = archive.clip(start, end, now) if archive else None
            if archive and slots:
                ids = [each.id for each in self._series if each.policy == policy]
                loaded |= {id_: (slots.graphite, values) for id_, values in self._values(archive, slots, ids).items()}
        return loaded

    def _values(self, archive: Archive, slots: TimeRange, ids: list[int]) -> dict[int, Values]:
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


class SeriesReader:
    """Graphite's reader of one series."""

    __slots__ = ("_batch", "_series")

    def __init__(self, series: Series, batch: Batch) -> None:
        self._series = series
        self._batch = batch

    def fetch(self, start: int, end: int, now: int, context: Mapping[str, Any]) -> tuple[TimeInfo, Values] | None:
        """``((from, until, step), values)``, epoch seconds, ends snapped outward; ``None`` is an unknown slot."""
        return self._batch.read(self._series, start, end, now, context[PLAN])

    def get_intervals(self) -> IntervalSet:
        """All of time: what is unknown shows when it is read."""
        return IntervalSet([Interval(float("-inf"), float("inf"))])


def _arrange(length: int, places: Sequence[int], known: Sequence[float]) -> Values:
    values = np.full(length, None, dtype=object)
    values[np.asarray(places, dtype=np.intp)] = known
    arranged: Values = values.tolist()
    return arranged
