"""Which archive a range is read from, and where its slots lie."""

from collections.abc import Sequence
from dataclasses import dataclass

WMEAN = "wmean"


@dataclass(frozen=True)
class TimeRange:
    """Slots of one step that end after ``start`` and at or before ``final``; epoch seconds, multiples of the step.

    Answers name a slot by the time ``lead`` seconds before its end: 0, or a step in Whisper mode, by its start.
    """

    start: int
    final: int
    step: int
    lead: int = 0

    @property
    def slots(self) -> int:
        """Number of slots."""
        return (self.final - self.start) // self.step

    def between(self, start: int, final: int) -> "TimeRange":
        """Slots that end after ``start`` and at or before ``final``."""
        return TimeRange(start, final, self.step, self.lead)

    def part(self, number: int, parts: int) -> "TimeRange":
        """Slots of one, from 0 on, of so many parts; all are as long, but for a slot, one after the other."""
        start, final = (self.start + self.slots * n // parts * self.step for n in (number, number + 1))
        return self.between(start, final)

    @property
    def graphite(self) -> tuple[int, int, int]:
        """Graphite's ``(first, end, step)``: the first slot's name, the time after the last one's, the step."""
        return self.start + self.step - self.lead, self.final + self.step - self.lead, self.step


@dataclass(frozen=True)
class Archive:
    """One archive of a policy: ``size`` slots of ``step`` seconds by the consolidation function ``cf``.

    In Whisper mode, ``whisper``, answers name a slot by its start, else by its end.
    """

    id: int
    policy: str
    cf: str
    step: int
    size: int
    whisper: bool = False

    @property
    def span(self) -> int:
        """Time that the archive holds, seconds."""
        return self.step * self.size

    def clip(self, start: int, end: int, now: int, reach: int | None = None) -> TimeRange | None:
        """Slots with names in (start, end], as Whisper: at least one, else None.

        They are no more than fit into ``reach``, seconds, by default what the archive holds.
        """
        reach = self.span if reach is None else reach
        lead = self.step if self.whisper else 0
        start = max(start, now - reach)
        end = min(end, now + self.step - lead)  # the slot that is still open ends after now
        if start > end:
            return None
        first = start // self.step * self.step
        final = max(end // self.step * self.step, first + self.step)
        first = max(first, final - reach)  # the open slot lies where the oldest one lay
        return TimeRange(first + lead, final + lead, self.step, lead)

    def index(self, end: int) -> int:
        """Index i, 0..size-1, of the slot that ends at ``end``, a multiple of the step."""
        return end // self.step % self.size

    def index_ranges(self, slots: TimeRange) -> list[tuple[int, int]]:
        """Ranges of i, both ends included, from the first slot's on: two where the archive wraps."""
        low, high = self.index(slots.start + self.step), self.index(slots.final)
        return [(low, high)] if low <= high else [(low, self.size - 1), (0, high)]


def choose(
    archives: Sequence[Archive], start: int, end: int, now: int, cf: str = WMEAN, max_points: int | None = None
) -> Archive | None:
    """Archive for data in (start, end], epoch seconds; None when there is none at all.

    The finest of function ``cf`` whose span reaches back to ``start``, or the coarsest that still gives ``max_points``
    points. Where none of ``cf`` reaches back, the weighted mean is read; where none of these does, the longest.
    """
    wanted = _of(archives, cf)
    covering = [each for each in wanted if now - start <= each.span]
    if not covering and cf != WMEAN:
        return choose(archives, start, end, now, WMEAN, max_points)
    if not covering:
        return max(wanted, key=lambda each: each.span, default=None)
    enough = [each for each in covering if max_points is not None and (end - start) // each.step >= max_points]
    return enough[-1] if enough else covering[0]


def _of(archives: Sequence[Archive], cf: str) -> list[Archive]:
    return sorted((each for each in archives if each.cf == cf), key=lambda each: each.step)
