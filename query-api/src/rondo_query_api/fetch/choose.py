"""Chooses the archive whose step the values of a window have."""

from collections.abc import Sequence
from dataclasses import dataclass

from .archives import SUM, WMEAN, Archive, live
from .groups import Group

ANY = "any"


@dataclass(frozen=True)
class Wanted:
    """Which archives the calls around a path select.

    ``cf`` is the function of consolidateBy; None selects that of the policy. ``thinned_by`` is the function by which
    the values are thinned later: slots of a coarser archive of this function are exact, and may be read instead. ANY
    thins each series by the function that it was read with. None requires the finest slots.
    """

    cf: str | None = None
    thinned_by: str | None = ANY


AS_STORED = Wanted()  # outside of calls


@dataclass(frozen=True)
class Window:
    """Data in (start, end], epoch seconds, from the wanted archives."""

    start: int
    end: int
    wanted: Wanted = AS_STORED


@dataclass(frozen=True)
class Choice:
    """The archive whose step the values of a group have in a window.

    ``cf`` is the function that the window selects, or its substitute if no archive of that function reaches back to
    the start. None is the function of the policy.
    """

    group: Group
    window: Window
    archive: Archive
    cf: str | None


def choose(group: Group, window: Window, now: int, max_points: int | None = None) -> Choice:
    """Choose an archive of the group at the time ``now``, epoch seconds.

    A retired archive, or one of a former location, is chosen only if no other one reaches back to the start.
    """
    living = live([each for each in group.archives if not each.moves_ago])
    archive = best_archive(living or group.archives, window, now, max_points)
    if now - window.start > archive.span:
        archive = best_archive(group.archives, window, now, max_points)
    return Choice(group, window, archive, archive.function(window.wanted.cf) if window.wanted.cf else None)


def best_archive(archives: Sequence[Archive], window: Window, now: int, max_points: int | None = None) -> Archive:
    """Return the best of the archives for a window.

    This is the finest archive of the wanted function that reaches back to the start. If slots of that function may
    replace thinned values, it is the coarsest one that still has ``max_points`` slots in the window.

    Without a wanted function, or if no archive of it reaches back, the function is that of the policy. If that does not
    reach back either, it is the weighted mean, then the function of the finest archive that does. If no archive reaches
    back, the longest one is returned.

    Sums are read from the finest archive unless the window selects sums: a coarser slot has a larger sum.
    """
    cf = window.wanted.cf

    def fits(each: Archive) -> tuple[bool, bool, bool]:
        return each.has(cf), each.has(each.aggregate), each.cf == WMEAN

    covering = sorted((each for each in archives if now - window.start <= each.span), key=lambda each: each.step)
    if not covering:
        return max(archives, key=lambda each: (each.span, *fits(each)))
    function = max(covering, key=fits).function(cf)  # the first, thus finest, of the best
    alike = [each for each in covering if each.has(function)]
    if (cf is None and function == SUM) or window.wanted.thinned_by not in (ANY, function):
        return alike[0]
    length = window.end - window.start
    enough = [each for each in alike if max_points is not None and length // each.step >= max_points]
    return enough[-1] if enough else alike[0]
