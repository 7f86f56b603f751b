"""Which archive a time range is read from, and which of its slots."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

WMEAN, MIN, MAX, LAST, SUM = FUNCTIONS = ("wmean", "min", "max", "last", "sum")
ANY = "any"
LAG_S = 60  # by which the rows of archives with one step may be apart


@dataclass(frozen=True)
class TimeRange:
    """Slots of one step that end after ``start`` and at or before ``final``; epoch seconds, multiples of the step.

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
class Wanted:
    """What the calls around a path want of its archives.

    ``cf`` is the function that consolidateBy asks for; None is that of the policy. Instead of values that are thinned
    later, coarser slots may be read only if their function is ``thinned_by``: that is exact. It is a function, ANY if
    each series is thinned by the function that it was read with, or None if the calls need the finest slots.
    """

    cf: str | None = None
    thinned_by: str | None = ANY


AS_STORED = Wanted()  # inside no call


@dataclass(frozen=True)
class Archive:
    """One archive of a policy: ``size`` slots of ``step`` seconds, consolidated by the function ``cf``.

    In Whisper mode (``whisper``) responses name a slot by its start, else by its end. ``first`` and ``latest`` are the
    ends of the oldest and the newest slot written since the archive was made, epoch seconds; None where not known.

    ``aggregate`` is the function that the policy is shown by. ``stands_for`` are other functions that it is read for:
    as a slot of a Whisper file's first archive, each finest slot of a policy stands for the points in it, whatever the
    function, unless another archive of the same step has that.

    ``place`` is the location of the series that is read: 0 the current one, n the one before n moves.
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
    place: int = 0

    @property
    def span(self) -> int:
        """Time that the archive covers, seconds."""
        return self.step * self.size

    def reaches(self, end: float, now: int) -> bool:
        """Whether a slot that ends at ``end`` is within the span of the archive before ``now``; epoch seconds."""
        return end > now - self.span

    def written(self, now: int) -> bool:
        """Whether it received a slot lately: the newest one ended less than two slots and a minute before ``now``."""
        return self.latest is None or self.latest + 2 * self.step + LAG_S >= now

    def at(self, now: int) -> "Archive":
        """Return the archive without slots that end after the open one at ``now``: senders were ahead of the clock."""
        open_end = now // self.step * self.step + self.step
        return self if self.latest is None or self.latest <= open_end else replace(self, latest=open_end)

    def has(self, cf: str | None) -> bool:
        """Whether it is read for the function ``cf``."""
        return cf == self.cf or cf in self.stands_for

    def function(self, cf: str | None) -> str:
        """Return the function that its values are of, for a query that asks for ``cf`` or for none."""
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

    def index(self, end: int) -> int:
        """Index i, 0..size-1, of the slot that ends at ``end``, a multiple of the step."""
        return end // self.step % self.size

    def index_ranges(self, slots: TimeRange) -> list[tuple[int, int]]:
        """Ranges of the index i, both ends included, from the first slot on: two where the archive wraps."""
        low, high = self.index(slots.start + self.step), self.index(slots.final)
        return [(low, high)] if low <= high else [(low, self.size - 1), (0, high)]


def of_policy(archives: Sequence[Archive]) -> list[Archive]:
    """Set ``aggregate`` and ``stands_for``, which depend on all archives of a policy; its newest slots tell."""
    newest = max(archives, key=lambda each: 0 if each.latest is None else each.latest - each.step)
    living = live(archives)
    finest = min(each.step for each in living)

    def standing(each: Archive) -> frozenset[str]:
        own = {other.cf for other in living if other.step == each.step}
        return frozenset(FUNCTIONS).difference(own) if each.cf == WMEAN and each.step <= finest else frozenset()

    return [replace(each, aggregate=newest.aggregate, stands_for=standing(each)) for each in archives]


def live(archives: Sequence[Archive]) -> list[Archive]:
    """Find the archives of a policy that receive slots.

    A retired one, which the policy no longer has, stays behind the others by more than two of its slots and a minute,
    or behind one of the same function and step by more than two slots.
    """
    newest = max((each.latest - each.step for each in archives if each.latest is not None), default=0)
    return [
        each
        for each in archives
        if each.latest is None
        or (
            each.latest + 2 * each.step + LAG_S >= newest
            and all(each.latest + 2 * each.step >= other for other in _latest_alike(each, archives))
        )
    ]


def _latest_alike(archive: Archive, archives: Sequence[Archive]) -> list[int]:
    alike = (each.latest for each in archives if (each.cf, each.step) == (archive.cf, archive.step))
    return [latest for latest in alike if latest is not None]


def readable(archives: Sequence[Archive], now: int) -> list[Archive]:
    """Find the archives of a policy that are live, or still have a slot within their span before ``now``."""
    living = live(archives)
    return [each for each in archives if each in living or each.reaches(each.latest or 0, now)]


def choose(
    archives: Sequence[Archive],
    start: int,
    end: int,
    now: int,
    wanted: Wanted = AS_STORED,
    max_points: int | None = None,
) -> Archive | None:
    """Archive of a policy for data in (start, end], epoch seconds; None when there is none.

    The finest archive of the wanted function whose span reaches back to ``start``, or the coarsest one that still gives
    ``max_points`` points, if slots of that function may be read instead of thinned values. If no function is wanted or
    no archive of it reaches back, the function of the policy is used; if that does not reach back either, the weighted
    mean, then the function with the finest archive that does. If none does, it is the longest archive.

    Sums that no target asked for are read from the finest archive only: the coarser the slot, the larger the sum.
    """
    cf = wanted.cf

    def fits(each: Archive) -> tuple[bool, bool, bool]:
        return each.has(cf), each.has(each.aggregate), each.cf == WMEAN

    covering = sorted((each for each in archives if now - start <= each.span), key=lambda each: each.step)
    if not covering:
        return max(archives, key=lambda each: (each.span, *fits(each)), default=None)
    function = max(covering, key=fits).function(cf)  # the first, thus finest, of the best
    alike = [each for each in covering if each.has(function)]
    if (cf is None and function == SUM) or wanted.thinned_by not in (ANY, function):
        return alike[0]
    enough = [each for each in alike if max_points is not None and (end - start) // each.step >= max_points]
    return enough[-1] if enough else alike[0]
