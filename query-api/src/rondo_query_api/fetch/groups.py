"""Groups of series whose values are in the same archives at the same times."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from .archives import Archive
from .location_periods import LocationPeriod, LocationPeriods
from .series import Series, SeriesKey


@dataclass(frozen=True)
class Group:
    """Series of one policy that have moved together, with the archives of their current and former locations.

    ``periods`` are snapped to the finest step of the policy; ``series`` has the exact periods of each series. Both are
    empty for series that have never moved.
    """

    policy: str
    moves: int
    periods: LocationPeriods
    archives: Sequence[Archive]
    series: Mapping[SeriesKey, LocationPeriods]


def groups_of(
    series_list: Iterable[Series],
    archives: Mapping[str, Sequence[Archive]],
    periods: Mapping[Series, LocationPeriods],
    now: int,
) -> list[Group]:
    """Group the series that have an archive at ``now``, epoch seconds; ``periods`` are those of all that have moved."""
    finest = {policy: min((each.step for each in of_policy), default=1) for policy, of_policy in archives.items()}
    groups: dict[tuple[str, int, LocationPeriods], dict[SeriesKey, LocationPeriods]] = {}
    for series in series_list:
        moved = periods[series] if series.moves else ()
        exact = moved and tuple(each for each in moved if not each.moves_ago or _has_slots(each, archives, now))
        shared = exact and tuple(each.snapped(finest.get(series.policy, 1)) for each in exact)
        groups.setdefault((series.policy, series.moves, shared), {})[series.key] = exact
    return [
        Group(policy, moves, shared, found, members)
        for (policy, moves, shared), members in groups.items()
        if (found := _archives(policy, shared, archives, now))
    ]


def _has_slots(period: LocationPeriod, archives: Mapping[str, Sequence[Archive]], now: int) -> bool:
    return any(period.reaches(each, now) for each in archives.get(period.policy, ()))


def _archives(
    policy: str, periods: LocationPeriods, archives: Mapping[str, Sequence[Archive]], now: int
) -> list[Archive]:
    """Return the archives of the policy and of former periods; all are shown by the function of the policy."""
    current = archives.get(policy, [])
    former = [
        replace(each, moves_ago=period.moves_ago, aggregate=current[0].aggregate if current else each.aggregate)
        for period in periods
        if period.moves_ago
        for each in archives.get(period.policy, [])
        if period.reaches(each, now)
    ]
    return [*current, *former]
