"""Compares responses of /render for some series with the model."""

import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from .api import Api
from .arrays import Floats
from .audit import key_of
from .batches import Division
from .compare import DIFFERENCES, NO_SEGMENT, RELATIVE
from .findings import Example, Findings
from .idents import Idents
from .model import Model
from .plan import Plan
from .policies import WMEAN, Archive
from .prefixes import OpenSlots, is_close
from .slots import Slots
from .tables import Bundles

REDUCTIONS: dict[str, Callable[[Floats], float]] = {
    **{"wmean": np.mean, "min": np.min, "max": np.max, "sum": np.sum},
    "last": lambda known: known[-1],
}


@dataclass(frozen=True)
class Sample:
    """``count`` series of the plans, chosen by the seed of the first, queried from ``api``."""

    plans: Sequence[Plan]
    api: Api
    count: int
    show: int
    are_refused: bool = False

    def run(self, division: Division, bundles: Bundles) -> Findings:
        """Query each series for each of its archives in the database."""
        findings = Findings(self.show)
        random = np.random.default_rng(self.plans[0].seed & 0xFFFFFFFF)
        stored = [batch for batch in division.batches if np.all(batch.locations.seg != NO_SEGMENT)]
        sizes = np.array([batch.subjects.size for batch in stored], dtype=np.int64)
        chosen = np.sort(random.permutation(sizes.sum())[: self.count])
        owner = np.searchsorted(np.cumsum(sizes), chosen, side="right")
        for n in np.unique(owner):
            which = chosen[owner == n] - sizes[:n].sum()
            batch = stored[n]
            model = Model(
                self.plans,
                batch.policy,
                batch.subjects.take(which),
                batch.locations.starts_at_ms[which],
                self.are_refused,
            )
            self._check(model, bundles, findings)
        return findings

    def _check(self, model: Model, bundles: Bundles, findings: Findings) -> None:
        now = int(time.time())
        texts = Idents(self.plans[0]).texts(model.subjects)
        findings.series += len(texts)
        for archive in model.policy.archives:
            expected = model.slots(archive)
            twins = [each for each in model.policy.archives if (each.cf, each.step_ms) == (archive.cf, archive.step_ms)]
            is_there = expected.end_ms.size and key_of(model.policy, archive) in bundles
            if archive.step_ms % 1000 or len(twins) > 1 or not is_there:
                continue  # Graphite has whole seconds only; of two equal archives either may be read
            query = _query(archive, expected, model.policy.whisper, now)
            if query is None:
                continue
            for n, ident in enumerate(texts):
                answer = self.api.render(query | {"target": target(ident, archive.cf, model.policy.aggregate)})
                self._compare(model, archive, expected, n, ident, answer, findings)

    def _compare(
        self,
        model: Model,
        archive: Archive,
        expected: Slots,
        subject: int,
        ident: str,
        points: Sequence[tuple[float | None, int]],
        findings: Findings,
    ) -> None:
        step = archive.step_ms // 1000
        name = f"/render {archive.text}"
        if not points or any(b - a != step for (_, a), (_, b) in pairwise(points)):
            findings.differ("not-rendered", [f"{ident}: {name} gives {len(points)} points, not all {step} s apart"])
            return
        counts = findings.rendered.setdefault(name, Counter())
        final = model.are_final(expected.end_ms)[subject]
        lead = step if model.policy.whisper else 0
        ends = np.array([(label + lead) * 1000 for _, label in points])
        uncertain = model.are_uncertain(ends, archive.step_ms)[subject]
        for value, end_ms in ((value, int(ends[n])) for n, (value, _) in enumerate(points) if not uncertain[n]):
            column = end_ms // archive.step_ms - 1 - expected.first
            inside = 0 <= column < expected.end_ms.size
            wanted = float(expected.value[subject, column]) if inside else np.nan
            kind = _kind(wanted, value, not inside or bool(final[column]))
            if kind == "unsure" and value is not None:
                open_slot = OpenSlots(np.array([subject]), np.array([column + expected.first]), np.array([value]))
                kind = "open" if model.may_hold(open_slot, archive)[0] else "wrong"
            if kind == "extra" and value is not None and _is_of_finer(model, archive, subject, end_ms, value):
                kind = "equal"
            if kind:
                counts[kind] += 1
            if kind in DIFFERENCES:
                known = None if np.isnan(wanted) else wanted
                findings.add_example(Example(kind, ident, name, end_ms, known, value))


def _is_of_finer(model: Model, archive: Archive, subject: int, end_ms: int, value: float) -> bool:
    """Whether a slot shows the slots of a finer archive, as where this one may have begun late.

    The finer slots count as known as a whole, so that they may reach xff where the known time does not.
    """
    for finer in model.policy.archives:
        many, rest = divmod(archive.step_ms, finer.step_ms)
        is_read = finer.cf == archive.cf or (finer.cf == WMEAN and finer.step_ms == model.policy.step_ms)
        if finer.step_ms >= archive.step_ms or rest or not is_read:
            continue
        slots = model.slots(finer)
        parts = slots.value[subject, (slots.end_ms > end_ms - archive.step_ms) & (slots.end_ms <= end_ms)]
        shown = reduced(parts, finer.xff * many, archive.cf)
        if not np.isnan(shown):
            return bool(is_close(np.array(shown), np.array(value), RELATIVE))
    return False


def reduced(parts: Floats, least: float, cf: str) -> float:
    """Value that finer slots (NaN: unknown) give a coarser one by ``cf``; NaN if fewer than ``least`` are known."""
    known = parts[~np.isnan(parts)]
    return REDUCTIONS[cf](known) if known.size and known.size >= least else np.nan


def target(ident: str, cf: str, aggregate: str) -> str:
    """Target that is read from the archives of ``cf``; without consolidateBy, sums come from the finest archive."""
    name = re.sub(r"[\\(){},'\"\s]", r"\\\g<0>", ident)
    function = "average" if cf == WMEAN else cf
    return name if cf == aggregate == WMEAN else f"consolidateBy({name},'{function}')"


def _query(archive: Archive, expected: Slots, whisper: bool, now: int) -> dict[str, Any] | None:
    """Build a query that reads this archive and no coarser one; None if the archive has no slot yet.

    The API reads up to now, without the slot that is open by the clock.
    """
    step, lead = archive.step_ms // 1000, archive.step_ms // 1000 if whisper else 0
    start = int(expected.end_ms[0]) // 1000 - step - lead
    until = min(int(expected.end_ms[-1]) // 1000 - lead, now // step * step)
    most = (until - start) // step
    covers = now - start < step * archive.size
    query = {"from": start, "until": until, "now": now, "format": "json", "maxDataPoints": most}
    return query if most > 0 and covers else None


def _kind(wanted: float, found: float | None, final: bool) -> str | None:
    if np.isnan(wanted):
        return None if found is None else "extra"
    if found is None:
        return "missing" if final else "open"
    if is_close(np.array(wanted), np.array(found), RELATIVE):
        return "equal" if final else "open"
    return "wrong" if final else "unsure"
