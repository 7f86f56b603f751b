"""Plans which slots of which archives make up the values of a group of series.

An archive may lack a part of the window: its old slots have expired, it was created later, or it was removed from the
policy. Other archives of the same function fill in. An archive of the same step comes before a finer one, a finer one
before a coarser one, and one that still receives slots before a retired one::

    10 s archive, retired   |         | 5 | 7 | 6 | 8 |
    10 s archive            |                         | 4 | 3 |
    30 s archive            |     2     |     6     |     4     |
    result, 10 s            | 2 | 2 | 2 | 5 | 7 | 6 | 8 | 4 | 3 |

Archives of a former location count as retired; they have the slots of one period.

Archives begin and end for a policy, but for a series a change applies from its next point on, which may be earlier or
later. Where an archive may have ended, or has begun late, other archives therefore answer before the first and after
the last value that a series has there. A coarser slot never answers for a finer slot of the same points that has a
value::

    10 s archive, removed   | 5 | 7 | 6 | 8 |   |   |   |   |   |
    30 s archive            |     6     |     8     |     4     |
    result, 10 s            | 5 | 7 | 6 | 8 |   |   | 4 | 4 | 4 |
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from .archives import Archive, TimeRange, live
from .choose import Choice
from .groups import Group
from .location_periods import LocationPeriod


@dataclass(frozen=True)
class ReadPiece:
    """``slots`` of the result; each has the value of the first of the archives that has one.

    ``read`` begins with a whole slot of the coarsest archive, which may be before ``slots``.
    """

    slots: TimeRange
    read: TimeRange
    archives: list[Archive]


@dataclass(frozen=True)
class ReadPlan:
    """Slots of the result, as values of the function ``cf``, and the pieces that they consist of, newest first."""

    group: Group
    slots: TimeRange
    cf: str
    pieces: list[ReadPiece]

    @cached_property
    def reads(self) -> dict[Archive, TimeRange]:
        """Slots to read, by archive."""
        reads: dict[Archive, TimeRange] = {}
        for piece in self.pieces:
            for archive in piece.archives:
                slots = archive.covering(piece.read)
                reads[archive] = reads.get(archive, slots).joined(slots)
        return reads


def plan(choice: Choice, now: int) -> ReadPlan | None:
    """Plan the reads at the time ``now``, epoch seconds; None if no archive can have a slot of the window."""
    cf = choice.archive.function(choice.cf)
    layers = _layers(choice, cf)
    reach = max(layer.archive.span for layer in layers)
    slots = choice.archive.clip(choice.window.start, choice.window.end, now, reach)
    if slots is None:
        return None
    return ReadPlan(choice.group, slots, cf, [_piece(slots, *each) for each in _pieces(layers, slots, now, reach)])


def _piece(result: TimeRange, slots: TimeRange, archives: list[Archive]) -> ReadPiece:
    """Read the slots from a whole slot of the coarsest archive on, if all archives still have that."""
    coarsest = max(each.step for each in archives) if len(archives) > 1 else slots.step
    oldest = result.final - min(each.span for each in archives) // slots.step * slots.step
    start = min(slots.start, max(slots.start // coarsest * coarsest, oldest))
    return ReadPiece(slots, slots.between(start, slots.final), archives)


@dataclass(frozen=True)
class _Layer:
    """An archive that can be shown in the step of the result."""

    archive: Archive
    retired: bool
    period: LocationPeriod | None = None

    def time_range(self, slots: TimeRange, now: int, reach: int) -> TimeRange:
        """Part of the slots for which the archive has data."""
        each, step = self.archive, slots.step
        low, high = slots.start, slots.final
        if each.span < reach:
            low = max(low, (now - each.span) // step * step + slots.lead)
        if each.first is not None:
            low = max(low, self.begin(step))
        if self.retired and each.latest is not None:
            high = min(high, -(-each.latest // step) * step)
        if self.period is not None:
            # A coarser slot stands for finer ones only while the period lasts.
            began, ended = (int(max(low, min(time, high))) for time in self.period.between(min(each.step, step)))
            low, high = max(low, began // step * step), min(high, -(-ended // step) * step)
        return slots.between(low, high) if low < high else slots.between(slots.start, slots.start)

    def begin(self, step: int) -> int:
        """Start of the first slot of ``step`` that the archive has, with all finer slots in it; 0 if unknown."""
        each = self.archive
        part = step - each.step if each.step < step else 0
        began = 0 if each.first is None else (each.first - each.step + part) // step * step
        return began if self.period is None else max(began, int(self.period.start) // step * step)

    def continues(self, other: "_Layer", now: int) -> bool:
        """Whether slots that are unknown in the other archive may be known here, as each was in use for a while."""
        here, there = self.archive, other.archive
        if here.moves_ago or there.moves_ago:
            return self.retired and (here.step == there.step or here.moves_ago > there.moves_ago)
        return here.step == there.step or not there.written(now) or other.began_after(self, now)

    def began_after(self, other: "_Layer", now: int) -> bool:
        """Whether it was created after the other archive, and may lack slots within its span.

        The first slots of archives that were created together differ by at most a slot of the coarser one.
        """
        here, there = self.archive.first, other.archive.first
        is_recent = here is not None and here > now - 2 * self.archive.span
        return is_recent and there is not None and self.begin(1) >= there + max(self.archive.step, other.archive.step)


def _layers(choice: Choice, cf: str) -> list[_Layer]:
    """Find the archives of ``cf`` that can be shown in the step of the chosen one; the first has precedence."""
    chosen, archives = choice.archive, choice.group.archives
    step = chosen.step
    living = set(live([each for each in archives if not each.moves_ago]))

    def order(each: Archive) -> tuple[bool, int, int, int, bool, int]:
        nearness = 0 if each.step == step else 1 if each.step < step else 2
        return each != chosen, nearness, abs(each.step - step), each.moves_ago, each not in living, -(each.latest or 0)

    fitting = [each for each in archives if each.has(cf) and (each.step % step == 0 or step % each.step == 0)]
    period_at = {period.moves_ago: period for period in choice.group.periods}
    return [_Layer(each, each not in living, period_at.get(each.moves_ago)) for each in sorted(fitting, key=order)]


def _pieces(layers: Sequence[_Layer], slots: TimeRange, now: int, reach: int) -> list[tuple[TimeRange, list[Archive]]]:
    """Divide the slots into pieces, newest first, each with the archives to read it from."""
    ranges = {layer: layer.time_range(slots, now, reach) for layer in layers}
    begin = layers[0].begin(slots.step)
    # Before the first archive began, only whole slots of coarser archives are certain to lack its points.
    wholes = {layer: begin // layer.archive.step * layer.archive.step for layer in layers}
    borders = {slots.start, slots.final}
    borders |= {each for each in wholes.values() if slots.start < each < slots.final}
    borders |= {border for each in ranges.values() for border in (each.start, each.final)}

    def answers(layer: _Layer, piece: TimeRange) -> bool:
        if layer.archive.moves_ago == layers[0].archive.moves_ago and wholes[layer] < piece.final <= begin:
            return False
        return ranges[layer].start <= piece.start and piece.final <= ranges[layer].final

    pieces: list[tuple[TimeRange, list[Archive]]] = []
    for final, start in pairwise(sorted(borders, reverse=True)):
        piece = slots.between(start, final)
        first, *others = [layer for layer in layers if answers(layer, piece)] or layers[:1]
        archives = [first.archive, *(each.archive for each in others if each.continues(first, now))]
        if pieces and pieces[-1][1] == archives:
            pieces[-1] = pieces[-1][0].joined(piece), archives
        else:
            pieces.append((piece, archives))
    return pieces
