"""Determines which points are stored, and until when the slots of a series are closed.

::

    window 10 s, arriving 5 3 12 14 16:   14 releases 3, 16 releases 5; 12 14 16 are buffered; from now on <= 5 is late
"""

from dataclasses import dataclass

import numpy as np

from .arrays import Bools, Ints, begins_run, running_max
from .arrivals import Arrivals
from .policies import Policy

NEVER = np.iinfo(np.int64).min // 4


@dataclass(frozen=True)
class Stored:
    """The stored points of each subject, in consolidation order.

    ``closed_until_ms``: by subject; slots that end by then are final. ``sure``, ``late`` and ``duplicate`` count sure
    points by subject.
    """

    points: Arrivals
    closed_until_ms: Ints
    sure: Ints
    late: Ints
    duplicate: Ints


def store(arrivals: Arrivals, subjects: int, policy: Policy) -> Stored:
    """Drop late and duplicate points; sort points within the reorder window."""
    newest = running_max(arrivals.subject, arrivals.t_ms)
    before = np.where(begins_run(arrivals.subject), NEVER, np.roll(newest, 1))
    late, duplicate = _dropped(arrivals, before, policy)
    kept = ~(late | duplicate)
    points, newest = arrivals.take(kept), newest[kept]

    def count(which: Bools) -> Ints:
        return np.bincount(arrivals.subject[which & arrivals.sure], minlength=subjects)

    return Stored(
        _in_order(points, newest, policy),
        _closed_until(points, arrivals, subjects, policy),
        count(np.ones_like(kept)),
        count(late),
        count(duplicate),
    )


def _dropped(arrivals: Arrivals, before: Ints, policy: Policy) -> tuple[Bools, Bools]:
    """Find late and duplicate points; ``before`` is the newest time before each point."""
    slot = policy.step_ms if policy.whisper else 1  # a point may still set the slot of the newest one in Whisper mode
    t = arrivals.t_ms // slot
    if policy.reorder_ms == 0:
        newest = before // slot
        return t < newest, (t == newest) & (not policy.whisper)
    late, duplicate = np.zeros_like(arrivals.sure), np.zeros_like(arrivals.sure)
    undecided = np.flatnonzero(t <= before // slot)
    back = 0
    # A point is late if one at least as new was released before it arrived, which is up to the newest minus the window.
    while undecided.size:
        back += 1
        undecided = undecided[undecided >= back]
        other = undecided - back
        same = arrivals.subject[other] == arrivals.subject[undecided]
        undecided, other = undecided[same], other[same]
        released = arrivals.t_ms[other] <= before[undecided] - policy.reorder_ms
        behind = t[undecided] < t[other] if policy.whisper else t[undecided] <= t[other]
        late[undecided[released & behind]] = True
        if not policy.whisper:
            duplicate[undecided[~released & (t[undecided] == t[other])]] = True
        newest_there = np.maximum(before[other], arrivals.t_ms[other]) // slot
        undecided = undecided[newest_there >= t[undecided]]
    return late, duplicate & ~late


def _in_order(points: Arrivals, newest: Ints, policy: Policy) -> Arrivals:
    if policy.reorder_ms == 0:
        return points
    if not policy.whisper:
        return points.take(np.lexsort((points.t_ms, points.subject)))
    released = np.arange(points.subject.size)
    undecided = released.copy()
    while undecided.size:  # until the point that releases each is found
        at = released[undecided]
        waits = (newest[at] < points.t_ms[undecided] + policy.reorder_ms) & (at + 1 < released.size)
        undecided, at = undecided[waits], at[waits]
        same = points.subject[at + 1] == points.subject[at]
        undecided = undecided[same]
        released[undecided] += 1
    buffered = newest[released] < points.t_ms + policy.reorder_ms
    return points.take(np.lexsort((points.t_ms, np.where(buffered, released.size, released), points.subject)))


def _closed_until(points: Arrivals, arrivals: Arrivals, subjects: int, policy: Policy) -> Ints:
    newest = np.full(subjects, NEVER)
    np.maximum.at(newest, arrivals.subject[arrivals.sure], arrivals.t_ms[arrivals.sure])
    if policy.reorder_ms:
        released = points.sure & (points.t_ms <= newest[points.subject] - policy.reorder_ms)
        newest = np.full(subjects, NEVER)
        np.maximum.at(newest, points.subject[released], points.t_ms[released])
    return newest // policy.step_ms * policy.step_ms if policy.whisper else newest
