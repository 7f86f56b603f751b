"""Compares responses of /render over the borders of versions with what the versions promise, piece by piece.

A response has one step. Where the version of a slot has an archive of this step, the slot has its value. Where it has
none, or no value, the slot is unknown, or has a finer archive's slots, consolidated, or the slot of a coarser one.
Slots that `./rondo policies fill` has added to an archive are not compared.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from .api import Api
from .arrays import Floats
from .audit import key_of
from .compare import DIFFERENCES, RELATIVE
from .findings import Example, Findings
from .history_audit import HistoryGroup
from .plan import Plan
from .policies import WMEAN, Policy
from .prefixes import is_close
from .promises import History, Promise
from .render import reduced, target
from .tables import Bundles
from .versions import Version

AROUND_SLOTS = 2  # queried before and after a border, in slots of the coarsest archive


@dataclass(frozen=True)
class HistorySample:
    """``count`` series of the plans, chosen by the seed of the first, queried from ``api``."""

    plans: Sequence[Plan]
    versions: Sequence[Version]
    api: Api
    count: int
    show: int

    def run(self, groups: Sequence[HistoryGroup], bundles: Bundles) -> Findings:
        """Query each series over each border, and over the whole load, for each function of its last policy."""
        findings = Findings(self.show)
        random = np.random.default_rng(self.plans[0].seed & 0xFFFFFFFF)
        stored = [(each, n) for each in groups for n in range(len(each.idents)) if each.periods[n]]
        for index in np.sort(random.permutation(len(stored))[: self.count]):
            each, n = stored[index]
            one = each.history.take(n)
            findings.series += 1
            policy = one.policies[-1]
            for cf in dict.fromkeys(archive.cf for archive in policy.archives if key_of(policy, archive) in bundles):
                for start_ms, until_ms in self.ranges(one):
                    self._check(one, each.idents[n], cf, bundles, start_ms, until_ms, findings)
        return findings

    def ranges(self, history: History) -> Iterator[tuple[int, int]]:
        """List the time of the whole load, and the times around each border."""
        begin_ms, end_ms = int(history.starts_at_ms[0]), int(history.closed_until_ms[0])
        around_ms = AROUND_SLOTS * max(step_ms for _, step_ms in history.kinds())
        yield begin_ms, end_ms
        for version in self.versions[1:]:
            start_ms, until_ms = max(begin_ms, version.from_ms - around_ms), min(end_ms, version.until_ms + around_ms)
            if start_ms < until_ms:
                yield start_ms, until_ms

    def _check(
        self,
        history: History,
        ident: str,
        cf: str,
        bundles: Bundles,
        start_ms: int,
        until_ms: int,
        findings: Findings,
    ) -> None:
        query = _query(history.policies[-1], cf, start_ms, until_ms)
        points = self.api.render(query | {"target": target(ident, cf, history.policies[-1].aggregate)})
        step_ms = _step_ms(points, cf, history)
        if not points or (cf, step_ms) not in history.kinds():
            findings.differ(
                "not-rendered", [f"{ident}: {cf} gives {len(points)} points, all {step_ms / 1000:g} s apart"]
            )
            return
        name = f"/render {cf}:{step_ms / 1000:g}s"
        counts = findings.rendered.setdefault(name, Counter())
        filled_ms = max((b.points_from_ms for (_, *kind, _), b in bundles.items() if kind == [cf, step_ms]), default=0)
        pieces = _Pieces.of(history, cf, step_ms, points[0][1] * 1000, points[-1][1] * 1000)
        for column, (value, end_s) in enumerate(points):
            kind, expected = pieces.judge(column, value)
            kind = "border" if kind == "extra" and end_s * 1000 <= filled_ms else kind
            kind = "open" if end_s * 1000 > history.closed_until_ms[0] and kind != "equal" else kind
            if kind:
                counts[kind] += 1
            if kind in DIFFERENCES:
                findings.add_example(Example(kind, ident, name, end_s * 1000, expected, value))


def _query(policy: Policy, cf: str, start_ms: int, until_ms: int) -> dict[str, Any]:
    """Query that reads the finest archive of the function, although finest slots answer for any function, too."""
    query = {"format": "json", "maxDataPoints": 1 << 20}
    if cf != WMEAN:
        step_ms = min((each.step_ms for each in policy.archives if each.cf == cf), default=1000)
        start_ms, until_ms = start_ms // step_ms * step_ms, until_ms // step_ms * step_ms
        query["maxDataPoints"] = max(1, (until_ms - start_ms) // step_ms)
    return query | {"from": start_ms // 1000, "until": until_ms // 1000}


def _step_ms(points: Sequence[tuple[float | None, int]], cf: str, history: History) -> int:
    """Return the step of a response; a single point has that of the function's only archive. 0: unknown."""
    steps = {1000 * (b - a) for (_, a), (_, b) in pairwise(points)}
    if len(points) == 1:
        steps = {step_ms for function, step_ms in history.kinds() if function == cf}
    return steps.pop() if len(steps) == 1 else 0


@dataclass(frozen=True)
class _Pieces:
    """The promises for the slots of a response, and the values of other archives of the function for each slot."""

    promise: Promise
    others: list[Floats]

    @classmethod
    def of(cls, history: History, cf: str, step_ms: int, first_end_ms: int, last_end_ms: int) -> "_Pieces":
        promise = history.promise(cf, step_ms, first_end_ms, last_end_ms)
        others = []
        finest_ms = min(other_ms for _, other_ms in history.kinds())
        for function, other_ms in history.kinds():
            may_answer = function == cf or (function, other_ms) == (WMEAN, finest_ms)
            if may_answer and other_ms != step_ms and (other_ms % step_ms == 0 or step_ms % other_ms == 0):
                coarsest = max(step_ms, other_ms)
                first_ms = (first_end_ms - step_ms) // coarsest * coarsest + other_ms
                of = history.promise(function, other_ms, first_ms, -(-last_end_ms // coarsest) * coarsest)
                others.append(
                    _spread(of, promise, cf)
                    if other_ms > step_ms
                    else _consolidated(of, promise, history, function, cf)
                )
        return cls(promise, others)

    def judge(self, column: int, value: float | None) -> tuple[str | None, float | None]:
        """Kind of a value in the response, and the expected value."""
        version, expected = int(self.promise.version[0, column]), float(self.promise.slots.value[0, column])
        found = np.nan if value is None else value
        exists = version < 0 or bool(self.promise.exists[version])
        if self.promise.promised[0, column] and exists and not np.isnan(expected):
            same = bool(is_close(np.array(expected), np.array(found), RELATIVE))
            return "equal" if same else "missing" if value is None else "wrong", expected
        if value is None:
            return (None if self.promise.promised[0, column] and exists else "border"), None
        candidates = [float(other[column]) for other in self.others]
        if any(bool(is_close(np.array(each), np.array(found), RELATIVE)) for each in candidates):
            return "equal", None
        unsure = not self.promise.promised[0, column] or any(np.isinf(each) for each in candidates)
        return ("border", None) if unsure else ("extra", None)


def _spread(coarse: Promise, fine: Promise, cf: str) -> Floats:
    """Values of coarser slots in each slot; infinite where the coarser slot is not promised."""
    many = coarse.slots.step_ms // fine.slots.step_ms
    numbers = (fine.slots.first + np.arange(fine.slots.value.shape[1])) // many - coarse.slots.first
    values = _promised(coarse)[numbers]
    return values / many if cf == "sum" else values


def _consolidated(fine: Promise, coarse: Promise, history: History, function: str, cf: str) -> Floats:
    """Values of finer slots of ``function`` for each slot, as an archive of ``cf`` has them; infinite as above."""
    many = coarse.slots.step_ms // fine.slots.step_ms
    found = _promised(fine).reshape(-1, many)
    values = np.full(found.shape[0], np.nan)
    for n, parts in enumerate(found):
        archive = history.archive(max(0, int(coarse.version[0, n])), function, fine.slots.step_ms)
        if np.isinf(parts).any():
            values[n] = np.inf
        elif archive:
            values[n] = reduced(parts, archive.xff * many, cf)
    return values


def _promised(promise: Promise) -> Floats:
    exists = (promise.version[0] < 0) | promise.exists[promise.version[0]]
    value = np.where(exists, promise.slots.value[0], np.nan)
    return np.where(promise.promised[0], value, np.inf)
