"""Series of a search: names, or descriptions with creation, locations and last value."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..db import Database, array
from ..fetch.series import SeriesKey
from . import idents
from .series import SeriesFinder
from .tag_expressions import TagQuery

# Newest slots of each archive that are searched for the last value.
LAST_SLOTS = 60
# Maximum number of series, with the tags or stored last, that are searched for those of a policy or for new ones.
MAX_SERIES = 10_000


@dataclass(frozen=True)
class LastValue:
    """Value of the newest known slot; ``time`` as Graphite names it, epoch seconds, ``step`` in seconds."""

    value: float
    time: float
    step: float


@dataclass(frozen=True)
class DescribedPeriod:
    """Time that a series lived at a location: (since, until], epoch seconds; None: until now."""

    policy: str
    segment: int
    position: int
    since: float
    until: float | None


@dataclass(frozen=True)
class Described:
    """A series at its location since ``since``, epoch seconds; ``periods`` are all of a series that has moved.

    The ``id`` is the text of its key: a series that was deleted and sends again has another one. ``source`` is the
    topic of its first point, None if unknown.
    """

    id: str
    name: str
    policy: str
    source: str | None
    segment: int
    position: int
    since: float
    last: LastValue | None
    periods: list[DescribedPeriod] = field(default_factory=list)


@dataclass(frozen=True)
class Named:
    """Name of a series, and its id as in :class:`Described`."""

    id: str
    name: str


@dataclass(frozen=True)
class Found:
    """Series found, the last stored first; ``more`` if there may be more."""

    series: Sequence[Described | Named]
    more: bool


class SeriesDescriber:
    """Finds ids of series; names or describes those of a policy (None: any) since ``since`` (epoch s, None: ever)."""

    def __init__(self, database: Database, finder: SeriesFinder) -> None:
        self._database = database
        self._finder = finder

    def matching(self, pattern: str) -> list[int]:
        """Return the series that have this name or match this pattern."""
        return [series.key.id for series in self._finder.series(pattern)]

    def tagged(self, query: TagQuery) -> list[int]:
        """Return the first ``MAX_SERIES`` series that match the query."""
        return [series.key.id for series in self._finder.tags.series(query, MAX_SERIES)]

    def newest(self, policy: str | None, since: float | None) -> list[int]:
        """Return the ``MAX_SERIES`` series that were stored last; for a policy without ``since``, any of its series."""
        if policy is not None and since is None:
            rows = self._database.rows("series_of_policy", policy=policy, most=MAX_SERIES)
        else:
            rows = self._database.rows("newest_series", most=MAX_SERIES)
        return [id_ for (id_,) in rows]

    def named(self, ids: Sequence[int], most: int, policy: str | None, since: float | None) -> Found:
        """Name at most ``most`` of these series."""
        rows = self._database.rows("named_series", ids=array(ids), policy=policy, since=since, most=most + 1)
        named = [Named(SeriesKey(*key).text, idents.text_of(ident)) for *key, ident in rows[:most]]
        return Found(named, more=_is_more(rows, most, ids))

    def described(self, ids: Sequence[int], most: int, policy: str | None, since: float | None) -> Found:
        """Describe at most ``most`` of these series."""
        rows = self._database.rows(
            "described_series", ids=array(ids), policy=policy, since=since, most=most + 1, slots=LAST_SLOTS
        )
        periods = self._periods([row[0] for row in rows[:most] if row[7]])
        series = [
            Described(
                SeriesKey(id_, ident_hash).text,
                idents.text_of(ident),
                policy_name,
                source,
                segment,
                position,
                starts_at,
                None if value is None else LastValue(value, *slot),
                periods.get(id_, []),
            )
            for id_, ident_hash, ident, policy_name, source, segment, position, _, starts_at, value, *slot in rows[
                :most
            ]
        ]
        return Found(series, more=_is_more(rows, most, ids))

    def _periods(self, ids: Sequence[int]) -> dict[int, list[DescribedPeriod]]:
        """All periods of series that have moved, the newest first."""
        periods: dict[int, list[DescribedPeriod]] = {id_: [] for id_ in ids}
        for id_, *described in self._database.rows("locations", series=list(ids)) if ids else ():
            periods[id_].append(DescribedPeriod(*described))
        return periods


def _is_more(rows: Sequence[object], most: int, ids: Sequence[int]) -> bool:
    return len(rows) > most or len(ids) == MAX_SERIES
