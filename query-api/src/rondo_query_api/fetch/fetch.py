"""Fetches the values of series over time ranges, for one request."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..db import Database
from .archives import Archive
from .assemble import Fetched, assemble
from .choose import Choice, Wanted, Window, choose
from .groups import Group, groups_of
from .load import Loaded, load, load_archives, load_periods
from .location_periods import LocationPeriods
from .plan import plan
from .series import Series, SeriesKey


class Fetch:
    """Fetches at the time ``now``, epoch seconds; what the request has loaded is not loaded again.

    With ``max_points``, prefers coarser archives that still have that many slots.
    """

    def __init__(self, database: Database, now: int, max_points: int | None = None) -> None:
        self._database, self._now, self._max_points = database, now, max_points
        self._chosen: dict[tuple[str, tuple[tuple[int, str], ...], Wanted, int], Archive] = {}
        self._periods: Mapping[Series, LocationPeriods] = {}
        self._loaded: Loaded = {}

    def values(self, requested: Sequence[tuple[Sequence[Series], Window]]) -> list[dict[SeriesKey, Fetched]]:
        """Fetch the values of each series in each window, by its key; one statement reads all slots.

        Series without an archive for the window are absent, as are deleted ones.
        """
        choices = [[self._choose(group, window) for group in groups] for groups, window in self._groups(requested)]
        plans = [[each for choice in of_window if (each := plan(choice, self._now))] for of_window in choices]
        self._loaded = load(self._database, [each for of_window in plans for each in of_window], self._loaded)
        return [assemble(of_window, self._loaded, self._now) for of_window in plans]

    def _groups(self, requested: Sequence[tuple[Sequence[Series], Window]]) -> list[tuple[list[Group], Window]]:
        """Group the series of each window, with archives and periods as they are now."""
        every = [series for series_list, _ in requested for series in series_list]
        self._periods = load_periods(self._database, (series for series in every if series.moves), self._periods)
        former = {period.policy for series in every if series.moves for period in self._periods[series]}
        archives = load_archives(self._database, {series.policy for series in every}, former, self._now)
        return [
            (groups_of(series_list, archives, self._periods, self._now), window) for series_list, window in requested
        ]

    def _choose(self, group: Group, window: Window) -> Choice:
        """Choose an archive, for the same end always the same one, so that a moving window keeps its step."""
        choice = choose(group, window, self._now, self._max_points)
        locations = tuple((period.moves_ago, period.policy) for period in group.periods if period.moves_ago)
        key = group.policy, locations, window.wanted, window.end
        return replace(choice, archive=self._chosen.setdefault(key, choice.archive))
