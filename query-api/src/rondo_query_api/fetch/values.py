"""Values of series over a time range: from the best archive, and from coarser ones where that has expired."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ..db import Database
from .archives import AS_STORED, Archive, TimeRange, Wanted, choose, live, of_policy, readable
from .read_plan import ReadPlan
from .reductions import Values
from .series import Series, SeriesKey
from .slots import SlotRead, Slots
from .stays import Stay, Stays, readable_stays, snapped, stays_of

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
class Window:
    """Data in (start, end], epoch seconds, from the wanted archives."""

    start: int
    end: int
    wanted: Wanted = AS_STORED


class Fetch:
    """Reads values for one request at the time ``now``.

    With ``max_points``, it prefers archives that give no more points than needed.
    """

    def __init__(self, database: Database, now: int, max_points: int | None = None) -> None:
        self._database = database
        self._slots = Slots(database)
        self._now = now
        self._max_points = max_points
        self._chosen: dict[tuple[str, tuple[tuple[int, str], ...], Wanted, int], Archive | None] = {}
        self._moves: dict[SeriesKey, int] = {}
        self._stays: dict[SeriesKey, Stays] = {}

    def values(self, series_list: Sequence[Series], window: Window) -> dict[SeriesKey, Fetched]:
        """As :meth:`many`, for one list of series."""
        return self.many([(series_list, window)])[0]

    def many(self, wanted: Sequence[tuple[Sequence[Series], Window]]) -> list[dict[SeriesKey, Fetched]]:
        """Read the values of each series in each window, by its key.

        Series without an archive for the window are absent, as are those that no longer exist. One statement reads all
        of them.
        """
        moved = {series.key: series.moves for series_list, _ in wanted for series in series_list if series.moves}
        if new := {key: moves for key, moves in moved.items() if self._moves.get(key) != moves}:
            self._read_stays(new)
        archives = self._archives(
            {series.policy for series_list, _ in wanted for series in series_list},
            {stay.policy for key in moved for stay in self._stays.get(key, ())},
        )
        self._stays.update({key: readable_stays(self._stays.get(key, ()), archives, self._now) for key in moved})
        plans = [self._plans(series_list, window, archives) for series_list, window in wanted]
        self._slots.load(_reads([plan for of_window in plans for plan in of_window], moved))
        return [
            {
                key: Fetched(plan.slots.graphite, self._values(plan, key), plan.cf)
                for plan, keys in of_window
                for key in keys
                if all(self._slots.exists(archive, key) for archive in plan.reads)
            }
            for of_window in plans
        ]

    def _read_stays(self, moves: Mapping[SeriesKey, int]) -> None:
        """Read where these series live and have lived; what was read of them before their last move is forgotten."""
        self._slots.forget(moves.keys())
        self._stays.update(stays_of(self._database, moves))
        self._moves.update(moves)

    def _archives(self, policies: set[str], former: set[str]) -> dict[str, list[Archive]]:
        """Return the archives by policy, at most ``MAX_AGE_S`` old; an unknown policy causes an immediate read.

        Retired archives whose slots are all older than their span are left out. ``former`` are policies that series
        have left: they may have no archives any more.
        """
        by_policy: dict[str, list[Archive]] = {}
        for age in (MAX_AGE_S, 0.0):
            by_policy = {}
            for row in self._database.recent_rows("archives", age):
                by_policy.setdefault(row[1], []).append(Archive(*row).at(self._now))
            if policies <= by_policy.keys():
                break
        return {
            policy: of_policy(readable(by_policy[policy], self._now))
            for policy in (policies | former) & by_policy.keys()
        }

    def _plans(
        self, series_list: Sequence[Series], window: Window, archives: Mapping[str, Sequence[Archive]]
    ) -> list[tuple[ReadPlan, list[SeriesKey]]]:
        """Read plans, one for each policy and history of locations, with the keys of its series."""
        groups: dict[tuple[str, int, Stays], list[SeriesKey]] = {}
        for series in series_list:
            stays = self._snapped_stays(series, archives) if series.moves else ()
            groups.setdefault((series.policy, series.moves, stays), []).append(series.key)
        plans = ((self._plan(policy, archives, stays, window), keys) for (policy, _, stays), keys in groups.items())
        return [(plan, keys) for plan, keys in plans if plan]

    def _snapped_stays(self, series: Series, archives: Mapping[str, Sequence[Archive]]) -> Stays:
        """Stays snapped to the finest step of the policy: one plan then serves all series that moved together."""
        finest = min((each.step for each in archives.get(series.policy, [])), default=1)
        return snapped(self._stays.get(series.key, ()), finest)

    def _plan(
        self, policy: str, archives: Mapping[str, Sequence[Archive]], stays: Stays, window: Window
    ) -> ReadPlan | None:
        """Read plan for a policy. The first choice for an end time stays, so that a moving window keeps its step.

        Its function does not: where no archive of the one that is asked for reaches back, the range is read as without.
        """
        former = [stay for stay in stays if stay.place]
        current = archives.get(policy, [])
        places = [
            *current,
            *(
                _left(each, stay, current)
                for stay in former
                for each in archives.get(stay.policy, [])
                if stay.reaches(each, self._now)
            ),
        ]
        key = (policy, tuple((stay.place, stay.policy) for stay in former), window.wanted, window.end)
        reaching = self._choose(places, window)
        archive = self._chosen.setdefault(key, reaching)
        if archive is None or reaching is None:
            return None
        cf = reaching.function(window.wanted.cf) if window.wanted.cf else None
        return ReadPlan.of(archive, places, window.start, window.end, self._now, cf, stays)

    def _choose(self, archives: Sequence[Archive], window: Window) -> Archive | None:
        """Archive that gives the step: a retired one, or one of a former location, only if no other reaches back."""
        living = live([each for each in archives if not each.place])
        chosen = choose(living, window.start, window.end, self._now, window.wanted, self._max_points)
        if chosen is None or self._now - window.start > chosen.span:
            chosen = choose(archives, window.start, window.end, self._now, window.wanted, self._max_points)
        return chosen

    def _values(self, plan: ReadPlan, key: SeriesKey) -> Values:
        """Values of a series; a coarser slot in which it began stands for none before that."""
        values = plan.values(lambda archive, slots: self._stored(archive, slots, key))
        stays = self._stays.get(key)
        began = min(stay.start for stay in stays) if stays else self._slots.valid_from(key)
        before = max(0, int((began - plan.slots.start) // plan.slots.step))
        return np.concatenate((np.full(before, np.nan), values[before:])) if before and len(plan.reads) > 1 else values

    def _stored(self, archive: Archive, slots: TimeRange, key: SeriesKey) -> Values:
        """Values of stored slots within the span of the archive; of a former location, those of the stay.

        The slots before the span of a retired archive stay stored for a while.
        """
        values = self._slots.values(archive, slots, key)
        expired = (self._now - archive.span - slots.start) // archive.step
        if expired > 0:
            values = np.concatenate((np.full(min(expired, len(values)), np.nan), values[expired:]))
        if archive.place:
            [stay] = [each for each in self._stays[key] if each.place == archive.place]
            _, final = stay.between(archive.step)
            values = np.where(np.arange(1, len(values) + 1) <= (final - slots.start) // archive.step, values, np.nan)
        return values


def _left(archive: Archive, stay: Stay, current: Sequence[Archive]) -> Archive:
    """Archive of a location that a series has left; it is shown by the function of the policy that the series has."""
    return replace(archive, place=stay.place, aggregate=current[0].aggregate if current else archive.aggregate)


def _reads(plans: Sequence[tuple[ReadPlan, list[SeriesKey]]], moves: Mapping[SeriesKey, int]) -> Iterator[SlotRead]:
    """Return the reads of the plans, each for its series; of an archive that several plans read, all the same slots."""
    slots: dict[Archive, TimeRange] = {}
    for plan, _ in plans:
        for archive, read in plan.reads.items():
            slots[archive] = slots.get(archive, read).joined(read)
    return (
        SlotRead(archive, slots[archive], keys, moves.get(keys[0], 0)) for plan, keys in plans for archive in plan.reads
    )
