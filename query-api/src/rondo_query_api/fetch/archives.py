"""Archives of policies, and the arithmetic of their slots. Times are epoch seconds."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

WMEAN, MIN, MAX, LAST, SUM = CONSOLIDATIONS = ("wmean", "min", "max", "last", "sum")
# Reduction of columns by which an archive of each function consolidates.
REDUCTION = {WMEAN: "average", MIN: "min", MAX: "max", LAST: "last", SUM: "sum"}
ROW_SKEW_S = 60  # maximum delay between rows of one step


@dataclass(frozen=True)
class TimeRange:
    """Slots of one step that end after ``start`` and at or before ``final``, which are multiples of the step.

    Responses name a slot by the time ``lead`` seconds before its end: 0, or one step in Whisper mode (its start).
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

    def joined(self, other: "TimeRange") -> "TimeRange":
        """Shortest range with the slots of both."""
        return self.between(min(self.start, other.start), max(self.final, other.final))

    def part(self, number: int, parts: int) -> "TimeRange":
        """Part ``number``, from 0, of ``parts`` consecutive parts; their lengths differ by at most one slot."""
        start, final = (self.start + self.slots * n // parts * self.step for n in (number, number + 1))
        return self.between(start, final)

    @property
    def graphite(self) -> tuple[int, int, int]:
        """Graphite's ``(first, end, step)``: the name of the first slot, the time after the last one, the step."""
        return self.start + self.step - self.lead, self.final + self.step - self.lead, self.step


@dataclass(frozen=True)
class Archive:
    """One archive of a policy: ``size`` slots of ``step`` seconds, consolidated by the function ``cf``.

    In Whisper mode (``whisper``) responses name a slot by its start, else by its end. ``first`` and ``latest`` are the
    ends of the oldest and the newest slot written since the archive was created; None if unknown.

    ``aggregate`` is the function by which the policy is shown. ``stands_for`` are other functions for which the archive
    is read: as in Whisper, the finest slots of a policy stand for any function that no archive of the same step has.

    ``moves_ago`` selects the location of the series: 0 the current one, n the one before the last n moves.
    """

    id: int
    policy: str
    cf: str
    step: int
    size: int
    whisper: bool = False
    xff: float = 0.5
    first: int | None = None
    latest: int | None = None
    aggregate: str = WMEAN
    stands_for: frozenset[str] = frozenset()
    moves_ago: int = 0

    @property
    def span(self) -> int:
        """Time that the archive covers, seconds."""
        return self.step * self.size

    def reaches(self, end: float, now: int) -> bool:
        """Whether a slot that ends at ``end`` is within the span of the archive before ``now``."""
        return end > now - self.span

    def written(self, now: int) -> bool:
        """Whether its newest slot ended at most two slots and ``ROW_SKEW_S`` before ``now``."""
        return self.latest is None or self.latest + 2 * self.step + ROW_SKEW_S >= now

    def at(self, now: int) -> "Archive":
        """Limit ``latest`` to the open slot at ``now``; later slots are from senders with fast clocks."""
        open_end = now // self.step * self.step + self.step
        return self if self.latest is None or self.latest <= open_end else replace(self, latest=open_end)

    def has(self, cf: str | None) -> bool:
        """Whether it is read for the function ``cf``."""
        return cf == self.cf or cf in self.stands_for

    def function(self, cf: str | None) -> str:
        """Return the function of the values that a query for ``cf``, or for none, reads."""
        return next((each for each in (cf, self.aggregate) if each and self.has(each)), self.cf)

    def clip(self, start: int, end: int, now: int, reach: int | None = None) -> TimeRange | None:
        """Slots named in (start, end], as Whisper selects them: at least one, or None if the range holds no slot.

        The result covers at most ``reach`` seconds, by default the span of the archive.
        """
        reach = self.span if reach is None else reach
        lead = self.step if self.whisper else 0
        start = max(start, now - reach)
        end = min(end, now + self.step - lead)  # the open slot ends after now
        if start > end:
            return None
        first = start // self.step * self.step
        final = max(end // self.step * self.step, first + self.step)
        first = max(first, final - reach)  # the open slot overwrites the oldest one
        return TimeRange(first + lead, final + lead, self.step, lead)

    def covering(self, slots: TimeRange) -> TimeRange:
        """Slots of the archive that cover the slots of another step."""
        final = -(-slots.final // self.step) * self.step
        return TimeRange(slots.start // self.step * self.step, final, self.step, self.step if slots.lead else 0)

    def index(self, end: int) -> int:
        """Index i, 0..size-1, of the slot that ends at ``end``, a multiple of the step."""
        return end // self.step % self.size

    def index_ranges(self, slots: TimeRange) -> list[tuple[int, int]]:
        """Ranges of the index i, both ends included, from the first slot on: two where the archive wraps."""
        low, high = self.index(slots.start + self.step), self.index(slots.final)
        return [(low, high)] if low <= high else [(low, self.size - 1), (0, high)]


def of_policy(archives: Sequence[Archive]) -> list[Archive]:
    """Set ``aggregate``, by the newest slot, and ``stands_for``, which depend on all archives of a policy."""
    newest = max(archives, key=lambda each: 0 if each.latest is None else each.latest - each.step)
    living = live(archives)
    finest = min(each.step for each in living)

    def standing(each: Archive) -> frozenset[str]:
        own = {other.cf for other in living if other.step == each.step}
        return frozenset(CONSOLIDATIONS).difference(own) if each.cf == WMEAN and each.step <= finest else frozenset()

    return [replace(each, aggregate=newest.aggregate, stands_for=standing(each)) for each in archives]


def live(archives: Sequence[Archive]) -> list[Archive]:
    """Find the archives of a policy that receive slots.

    A retired archive, which was removed from the policy, lags behind the others by more than two of its slots and
    ``ROW_SKEW_S``, or behind one of the same function and step by more than two slots.

    The view ``live_archive`` has the same rule for statements. It knows no request, whose ``now`` limits ``latest``
    here (:meth:`Archive.at`), and finds no archive live in a policy that all series have left.
    """
    newest = max((each.latest - each.step for each in archives if each.latest is not None), default=0)

    def receives_slots(each: Archive) -> bool:
        alike = (other.latest or 0 for other in archives if (other.cf, other.step) == (each.cf, each.step))
        return each.latest is None or each.latest + 2 * each.step >= max(newest - ROW_SKEW_S, *alike)

    return [each for each in archives if receives_slots(each)]


def readable(archives: Sequence[Archive], now: int) -> list[Archive]:
    """Find the archives of a policy that are live, or still have a slot within their span before ``now``."""
    living = live(archives)
    return [each for each in archives if each in living or each.reaches(each.latest or 0, now)]
