"""Loads archives, periods and slots from PostgreSQL."""

from collections.abc import Iterable, Mapping, Sequence

from ..db import Database
from ..limits import request_budget
from .archives import Archive, TimeRange, of_policy, readable
from .location_periods import LocationPeriod, LocationPeriods
from .plan import ReadPlan
from .series import Series, SeriesKey
from .slots import SlotRead, StoredSlots, decoded, parameters

MAX_AGE_S = 5.0
# From this number of values on, a second connection saves more time than it costs.
PARALLEL_VALUES = 20_000

# By id of the archive, its moves_ago, and the number of moves of the series.
Loaded = Mapping[tuple[int, int, int], Mapping[SeriesKey, StoredSlots]]


def load_archives(
    database: Database, policies: set[str], former_policies: set[str], now: int
) -> dict[str, list[Archive]]:
    """Load the archives that have a slot within their span before ``now``, epoch seconds, by policy.

    They are at most ``MAX_AGE_S`` old; an unknown policy causes an immediate read. Former policies may have none.
    """
    rows = database.recent_rows("archives", MAX_AGE_S)
    if not policies <= {policy for _, policy, *_ in rows}:
        rows = database.recent_rows("archives", 0.0)
    by_policy: dict[str, list[Archive]] = {}
    for row in rows:
        if row[1] in policies or row[1] in former_policies:
            by_policy.setdefault(row[1], []).append(Archive(*row).at(now))
    return {policy: of_policy(readable(archives, now)) for policy, archives in by_policy.items()}


def load_periods(
    database: Database, series_list: Iterable[Series], loaded: Mapping[Series, LocationPeriods]
) -> Mapping[Series, LocationPeriods]:
    """Add the periods of each series, newest first, to those that are ``loaded``; a deleted series has none."""
    new = [each for each in dict.fromkeys(series_list) if each not in loaded]
    if not new:
        return loaded
    found: dict[Series, list[LocationPeriod]] = {each: [] for each in new}
    parameters = {"series": [each.key.id for each in new], "idents": [each.key.ident_hash for each in new]}
    for n, number, *described in database.rows("location_periods", **parameters):
        series = new[n - 1]
        if number <= series.moves:
            found[series].append(LocationPeriod(series.moves - number, *described))
    return {**loaded, **{each: tuple(periods) for each, periods in found.items()}}


def load(database: Database, plans: Sequence[ReadPlan], loaded: Loaded) -> Loaded:
    """Add the slots of the plans to those that are ``loaded``; one statement reads all that are missing.

    A series that was deleted, or has moved again, is absent. Raises :class:`LimitError` if the request may not read so
    many points.
    """
    reads = _missing(plans, loaded)
    if not reads:
        return loaded
    points = sum(len(each.series) * each.slots.slots for each in reads)
    request_budget.current().take_points(points)
    joined = dict(loaded)
    for read, found in zip(reads, _read(database, reads, points >= PARALLEL_VALUES), strict=True):
        at = read.archive.id, read.archive.moves_ago, read.moves
        later = joined.get(at, {})
        joined[at] = {**later, **{key: slots.joined(later.get(key)) for key, slots in found.items()}}
    return joined


def _missing(plans: Sequence[ReadPlan], loaded: Loaded) -> list[SlotRead]:
    """Return the reads of what is not loaded; plans that read the same archive read the same slots of it."""
    ranges: dict[Archive, TimeRange] = {}
    for archive, slots in (read for plan in plans for read in plan.reads.items()):
        ranges[archive] = ranges.get(archive, slots).joined(slots)
    missing: dict[tuple[Archive, int], dict[TimeRange, dict[SeriesKey, None]]] = {}
    for plan in plans:
        for archive in plan.reads:
            slots, moves = ranges[archive], plan.group.moves
            present = loaded.get((archive.id, archive.moves_ago, moves), {})
            by_gap = missing.setdefault((archive, moves), {})
            for key in plan.group.series:
                if gap := _gap(slots, present.get(key)):
                    by_gap.setdefault(gap, {})[key] = None
    return [
        SlotRead(archive, gap, list(series), moves)
        for (archive, moves), by_gap in missing.items()
        for gap, series in by_gap.items()
    ]


def _gap(slots: TimeRange, present: StoredSlots | None) -> TimeRange | None:
    """Slots to read: those before the loaded ones if only these are missing, else all; None if all are loaded."""
    if present is None or slots.final > present.slots.final or slots.final <= present.slots.start:
        return slots
    return slots.between(slots.start, present.slots.start) if slots.start < present.slots.start else None


def _read(database: Database, reads: Sequence[SlotRead], in_parts: bool) -> list[dict[SeriesKey, StoredSlots]]:
    """Slots of each read by series; parts of the time range are read in parallel."""
    statement = "slots_of_moved" if any(each.moves for each in reads) else "slots"
    used = 1

    def parameters_of(parts: int) -> list[dict[str, object]]:
        nonlocal used
        used = parts
        return [parameters(reads, part, parts) for part in range(parts)]

    if in_parts:
        rows = database.rows_of_parts(statement, parameters_of)
    else:
        rows = database.rows(statement, **parameters(reads))
    return decoded(rows, reads, used)
