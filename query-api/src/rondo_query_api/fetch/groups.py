"""Groups of series whose values are in the same archives at the same times."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from .archives import Archive
from .series import Series, SeriesKey
from .stays import Stay, Stays


@dataclass(frozen=True)
class Group:
    """Series of one policy that have moved together, with the archives of their current and former locations.

    ``stays`` are snapped to the finest step of the policy; ``series`` has the exact stays of each series. Both are
    empty for series that have never moved.
    """

    policy: str
    moves: int
    stays: Stays
    archives: Sequence[Archive]
    series: Mapping[SeriesKey, Stays]


def groups_of(
    series_list: Iterable[Series], archives: Mapping[str, Sequence[Archive]], stays: Mapping[Series, Stays], now: int
) -> list[Group]:
    """Group the series that have an archive at ``now``, epoch seconds; ``stays`` are those of all that have moved."""
    finest = {policy: min((each.step for each in of_policy), default=1) for policy, of_policy in archives.items()}
    groups: dict[tuple[str, int, Stays], dict[SeriesKey, Stays]] = {}
    for series in series_list:
        moved = stays[series] if series.moves else ()
        exact = moved and tuple(each for each in moved if not each.place or _has_slots(each, archives, now))
        shared = exact and tuple(each.snapped(finest.get(series.policy, 1)) for each in exact)
        groups.setdefault((series.policy, series.moves, shared), {})[series.key] = exact
    return [
        Group(policy, moves, shared, found, members)
        for (policy, moves, shared), members in groups.items()
        if (found := _archives(policy, shared, archives, now))
    ]


def _has_slots(stay: Stay, archives: Mapping[str, Sequence[Archive]], now: int) -> bool:
    return any(stay.reaches(each, now) for each in archives.get(stay.policy, ()))


def _archives(policy: str, stays: Stays, archives: Mapping[str, Sequence[Archive]], now: int) -> list[Archive]:
    """Return the archives of the policy and of former stays; all are shown by the function of the policy."""
    current = archives.get(policy, [])
    former = [
        replace(each, place=stay.place, aggregate=current[0].aggregate if current else each.aggregate)
        for stay in stays
        if stay.place
        for each in archives.get(stay.policy, [])
        if stay.reaches(each, now)
    ]
    return [*current, *former]
