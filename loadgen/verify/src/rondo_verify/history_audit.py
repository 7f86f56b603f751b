"""Compares plans whose policies changed with the tables: every slot of every archive of every location period."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

import numpy as np
import psycopg

from . import tables
from .arrays import Bools, Floats, Ints
from .arrivals import planned
from .audit import ShowProgress, key_of, other_bundles
from .batches import CELLS
from .compare import NO_SEGMENT, RELATIVE, Comparison, Locations, values_at, well_placed
from .findings import Example, Findings
from .idents import Idents
from .order import NEVER
from .plan import Plan
from .policies import Archive
from .prefixes import OpenSlots, is_close
from .promises import History, Promise
from .slots import Slots
from .tables import BundleKey, Bundles, Rows, StoredPeriod
from .versions import Version, policies_of


@dataclass(frozen=True)
class HistoryGroup:
    """Subjects with one history, and the location periods of each, oldest first; none if it is not stored."""

    history: History
    idents: list[str]
    periods: list[list[StoredPeriod]]

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for the same series in the same periods."""
        return tuple(self.idents), tuple(map(tuple, self.periods))

    @property
    def are_unstored(self) -> Bools:
        """Whether each series is not stored."""
        return np.array([not periods for periods in self.periods], dtype=np.bool_)

    def locations(self, policy: str, number: int) -> tuple[Locations, Ints, Ints]:
        """Return location, ``ends_at_ms`` and ``reassigned_ms`` of each subject's period with the number and policy."""
        none = StoredPeriod("", NO_SEGMENT, 1, NEVER)
        at = [each[number] if number < len(each) and each[number].policy == policy else none for each in self.periods]

        def column(name: str) -> Ints:
            return np.array([getattr(each, name) for each in at], dtype=np.int64)

        locations = Locations(column("seg"), column("pos"), column("starts_at_ms"))
        return locations, column("ends_at_ms"), column("reassigned_ms")


@dataclass(frozen=True)
class Layer:
    """Values found in one archive of one policy, of all periods, by subject and slot.

    ``filled``: by slot, whether values may come from finer archives, or from old points.
    """

    key: BundleKey
    found: Floats
    overwritten: Bools
    filled: Bools


@dataclass
class HistoryAudit:
    """Compares repeatedly; series that were clean once are not read again."""

    plans: Sequence[Plan]
    versions: Sequence[Version]
    url: str
    show: int
    groups: list[HistoryGroup] = field(default_factory=list)
    bundles: Bundles = field(default_factory=dict)
    _clean: dict[tuple[object, ...], Findings] = field(default_factory=dict)

    def run(self, show_progress: ShowProgress) -> Findings:
        """Read and compare all series that have not been clean before."""
        total = Findings(self.show)
        idents = Idents(self.plans[0])
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("set default_transaction_read_only = on")
            self.bundles = tables.bundles(connection)
            periods = tables.periods(connection, idents.prefix)
            self.groups = list(self._divide(idents, periods))
            known = {ident for group in self.groups for ident in group.idents}
            total.differ("unplanned-series", (ident for ident in periods if idents.parse(ident) and ident not in known))
            total.differ("other-bundle", other_bundles(self.versions[-1].policies, self.bundles))
            with show_progress(len(known)) as progress:
                for group in self.groups:
                    uncached = replace(group, history=group.history.uncached())
                    findings = self._clean.get(group.key) or self._check(connection, uncached)
                    if findings.is_clean:
                        self._clean[group.key] = findings
                    total.add(findings)
                    progress.update(len(group.idents))
        return total

    def _divide(self, idents: Idents, periods: dict[str, list[StoredPeriod]]) -> Iterator[HistoryGroup]:
        """Group series by their policies in all versions and by partition, so that a group has few segments."""
        wanted = planned(self.plans)
        texts = idents.texts(wanted)
        policies = [policies_of(text, self.versions) for text in texts]

        def key(n: int) -> tuple[tuple[str, ...], int]:
            of = periods.get(texts[n])
            return tuple(policy.name for policy in policies[n]), of[-1].seg >> 16 if of else -1

        at_once = max(1, CELLS // max(1, sum(plan.ticks for plan in self.plans)))
        for _, members in groupby(sorted(range(len(texts)), key=lambda n: (key(n), n)), key):
            of_group = list(members)
            for start in range(0, len(of_group), at_once):
                some = np.array(of_group[start : start + at_once])
                of_some = [periods.get(texts[n], []) for n in some]
                starts_at = np.array([each[0].starts_at_ms if each else NEVER for each in of_some], dtype=np.int64)
                history = History(self.plans, self.versions, policies[some[0]], wanted.take(some), starts_at)
                yield HistoryGroup(history, [texts[n] for n in some], of_some)

    def _check(self, connection: psycopg.Connection, group: HistoryGroup) -> Findings:
        history, findings = group.history, Findings(self.show)
        stored = history.last.stored
        planned_here = np.bincount(stored.points.subject, minlength=len(group.idents)) > 0
        findings.series, findings.points = int(planned_here.sum()), int(stored.sure.sum())
        dropped = {"late": stored.late.sum(), "duplicate-time": stored.duplicate.sum()}
        findings.dropped = Counter({why: int(n) for why, n in dropped.items() if n})
        names = [name for name, _ in groupby(policy.name for policy in history.policies)]
        findings.differ(
            "missing-series", (group.idents[n] for n in np.flatnonzero(group.are_unstored & (stored.sure > 0)))
        )
        findings.differ("other-periods", _other_periods(group, names))
        for cf, step_ms in history.kinds():
            comparison = self._compare(connection, group, cf, step_ms)
            kind = f"{cf}:{step_ms / 1000:g}s"
            findings.archives[kind] = comparison.counts
            for what in comparison.misplaced:
                findings.add_example(Example("wrong", f"{kind} {what}"))
            for each in comparison.differences:
                values = (None if np.isnan(value) else value for value in (each.expected, each.found))
                findings.add_example(Example(each.kind, group.idents[each.subject], kind, each.end_ms, *values))
        return findings

    def _compare(self, connection: psycopg.Connection, group: HistoryGroup, cf: str, step_ms: int) -> Comparison:
        comparison = Comparison(self.show)
        stored: dict[BundleKey, Rows] = {}
        start_ms = min(plan.earliest_ms for plan in self.plans)
        first_end_ms, last_end_ms = group.history.extent(step_ms)
        for key, bundle in self.bundles.items():
            policy, *kind, size = key
            segments = {period.seg for of in group.periods for period in of if period.policy == policy}
            if tuple(kind) == (cf, step_ms) and segments:
                rows = tables.rows(connection, bundle.id, sorted(segments), start_ms)
                rows = well_placed(rows, Archive(cf, step_ms, size, bundle.xff, ""), comparison)
                stored[key] = rows
                if rows.t_ms.size:
                    first_end_ms = min(first_end_ms, int(rows.t_ms.min()))
                    last_end_ms = max(last_end_ms, int(rows.t_ms.max()))
        promise = group.history.promise(cf, step_ms, first_end_ms, last_end_ms)
        layers = [
            _layer(group, key, rows, promise.slots, self.bundles[key].points_from_ms) for key, rows in stored.items()
        ]
        _judge(group, cf, promise, layers, comparison)
        return comparison


def _other_periods(group: HistoryGroup, names: Sequence[str]) -> Iterator[str]:
    """Series in a location of another policy, or whose periods have another order of policies than the versions."""
    for ident, periods in zip(group.idents, group.periods, strict=True):
        rest = iter(names)
        if periods and (periods[-1].policy != names[-1] or not all(period.policy in rest for period in periods)):
            yield f"{ident}: {', '.join(period.policy for period in periods)}, not {', '.join(names)}"


def _layer(group: HistoryGroup, key: BundleKey, rows: Rows, slots: Slots, points_from_ms: int) -> Layer:
    """Values in an archive; if two periods have one, that of the later period."""
    policy, cf, step_ms, size = key
    shape = len(group.idents), slots.end_ms.size
    found, overwritten = np.full(shape, np.nan), np.zeros(shape, dtype=np.bool_)
    for number in range(max(map(len, group.periods), default=0)):
        locations, ends_at_ms, reassigned_ms = group.locations(policy, number)
        if not locations.segments.size:
            continue
        values, newer = values_at(locations, Archive(cf, step_ms, size, 0, ""), rows, slots)
        ends = slots.end_ms[None, :]
        inside = (ends > locations.starts_at_ms[:, None]) & (ends - step_ms < ends_at_ms[:, None])
        inside &= (ends <= reassigned_ms[:, None]) & (locations.seg != NO_SEGMENT)[:, None]
        found = np.where(inside & ~np.isnan(values), values, found)
        overwritten |= inside & newer
    return Layer(key, found, overwritten, slots.end_ms < points_from_ms)


def _judge(group: HistoryGroup, cf: str, promise: Promise, layers: Sequence[Layer], result: Comparison) -> None:
    history, slots = group.history, promise.slots
    model = history.last
    compared = ~group.are_unstored[:, None] & ~model.are_uncertain(slots.end_ms, slots.step_ms)
    final = slots.end_ms[None, :] <= history.closed_until_ms[:, None]
    single, crossed = compared & (promise.version >= 0), compared & (promise.version < 0)
    expects = ~np.isnan(slots.value) & (~single | promise.exists[promise.version])
    expected = Slots(slots.first, slots.step_ms, np.where(expects, slots.value, np.nan))
    found, over = np.full(slots.value.shape, np.nan), np.zeros(slots.value.shape, dtype=np.bool_)
    for layer in layers:
        own = single & _are_own(history, cf, layer.key)[promise.version]
        fits = is_close(slots.value, layer.found, RELATIVE)
        nearer = crossed & (np.isnan(found) | fits) & ~np.isnan(layer.found)
        found = np.where((own | nearer) & (fits | ~layer.filled), layer.found, found)
        over |= (own | crossed) & layer.overwritten
        other = single & ~own & ~np.isnan(layer.found) & ~layer.filled
        result.add("extra", other, expected, layer.found)
    finds = ~np.isnan(found)
    same = is_close(expected.value, found, RELATIVE)
    judged = compared & promise.promised
    over &= expects & ~finds
    result.add("border", compared & ~promise.promised, expected, found)
    result.add("equal", judged & final & expects & same, expected, found)
    result.add("overwritten", judged & over, expected, found)
    result.add("open", judged & expects & ~final & ~over, expected, found)
    result.add("missing", judged & final & expects & ~finds & ~over, expected, found)
    result.add("extra", judged & finds & ~expects, expected, found)
    wrong = judged & final & expects & finds & ~same
    wrong |= _are_odd(history, cf, promise, single & expects & finds & ~final & ~same, found)
    result.add("wrong", wrong, expected, found)


def _are_own(history: History, cf: str, key: BundleKey) -> Bools:
    """Whether each version has this archive."""
    archives = (history.archive(n, cf, key[2]) for n in range(len(history.versions)))
    return np.array(
        [
            archive is not None and key_of(policy, archive) == key
            for policy, archive in zip(history.policies, archives, strict=True)
        ],
        dtype=np.bool_,
    )


def _are_odd(history: History, cf: str, promise: Promise, which: Bools, found: Floats) -> Bools:
    """Whether values of open slots of the newest version are none of its intermediate values."""
    newest = len(history.versions) - 1
    archive = history.archive(newest, cf, promise.slots.step_ms)
    subject, column = np.nonzero(which & (promise.version == newest))
    odd = np.zeros_like(which)
    if subject.size and archive:
        open_slots = OpenSlots(subject, column + promise.slots.first, found[subject, column])
        odd[subject, column] = ~history.last.may_hold(open_slots, archive)
    return odd
