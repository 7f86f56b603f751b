"""Compares plans of the same series with the tables, batch by batch."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
import psycopg

from . import tables
from .arrays import Bools
from .batches import Batch, Division, divide
from .compare import NO_SEGMENT, Comparison, compare
from .findings import Example, Findings
from .idents import Idents
from .limits import Limits
from .model import Model
from .order import NEVER
from .plan import Plan
from .policies import Archive, Policy
from .tables import BundleKey, Bundles

REFUSED = "too-many-series"  # or too many new series at a time


class Progress(Protocol):
    """Receives the number of compared series."""

    def update(self, n_steps: int) -> None:
        """Add a number of series."""


ShowProgress = Callable[[int], AbstractContextManager[Progress]]


@dataclass
class Audit:
    """Compares repeatedly; batches that were clean once are not read again.

    ``given`` is the policy that the source of the plans assigns to all series, if any.
    """

    plans: Sequence[Plan]
    policies: Sequence[Policy]
    url: str
    show: int
    given: Policy | None = None
    limits: Limits = field(default_factory=Limits)
    division: Division = field(default_factory=lambda: Division([], [], []))
    bundles: Bundles = field(default_factory=dict)
    _clean: dict[tuple[str, bytes], Findings] = field(default_factory=dict)

    def run(self, show_progress: ShowProgress) -> Findings:
        """Read and compare every batch that has not been clean before."""
        total = Findings(self.show)
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("set default_transaction_read_only = on")
            self.bundles = tables.bundles(connection)
            self.division = division = divide(
                self.plans, self.policies, self.given, tables.series(connection, Idents(self.plans[0]).prefix)
            )
            self.limits = replace(self.limits, stored=tables.counts(connection))
            total.differ("beyond-max-series", self._overfull())
            total.differ("unplanned-series", division.unplanned)
            total.differ("other-policy", division.other_policy)
            total.differ("other-bundle", other_bundles(self.policies, self.bundles))
            with show_progress(sum(batch.subjects.size for batch in division.batches)) as progress:
                for batch in division.batches:
                    findings = self._clean.get(batch.key) or self._check(connection, batch)
                    if findings.is_clean:
                        self._clean[batch.key] = findings
                    total.add(findings)
                    progress.update(batch.subjects.size)
        return total

    def _overfull(self) -> list[str]:
        return [f"{policy.name}: partition {n}" for policy in self.policies for n in self.limits.overfull(policy)]

    def _check(self, connection: psycopg.Connection, batch: Batch) -> Findings:
        model = Model(self.plans, batch.policy, batch.subjects, batch.locations.starts_at_ms, self.limits.is_limited)
        findings = Findings(self.show)
        unstored = batch.locations.seg == NO_SEGMENT
        retired = unstored & self._may_be_retired(model)
        if retired.any():
            findings = self._check(connection, batch.take(~retired))
            findings.dropped["of series retired since"] += int(model.stored.sure[retired].sum())
            return findings
        refused = unstored & self._may_be_refused(batch, unstored)
        if refused.any():
            findings = self._check(connection, batch.take(~refused))
            findings.dropped[REFUSED] += int(model.stored.sure[refused].sum())
            return findings
        planned = np.bincount(model.stored.points.subject, minlength=batch.subjects.size) > 0
        findings.series = int((~unstored & planned).sum())
        findings.points = int(model.stored.sure.sum())
        dropped = {
            "late": int(model.stored.late.sum()),
            "duplicate-time": int(model.stored.duplicate.sum()),
            REFUSED: model.refused,
        }
        findings.dropped = Counter({why: n for why, n in dropped.items() if n})
        findings.differ("missing-series", self._texts(batch, unstored & (model.stored.sure > 0)))
        findings.differ("unplanned-series", self._texts(batch, ~unstored & ~planned))
        start_ms = min(plan.earliest_ms for plan in self.plans)
        for archive in batch.policy.archives:
            bundle = self.bundles.get(key_of(batch.policy, archive))
            segments = batch.locations.segments.tolist() if bundle else []
            rows = tables.rows(connection, bundle.id if bundle else 0, segments, start_ms)
            comparison = compare(model, archive, batch.locations, rows, self.show)
            self._add(findings, f"{batch.policy.name} {archive.text}", comparison, batch)
        return findings

    def _may_be_refused(self, batch: Batch, unstored: Bools) -> Bools:
        texts = (self._text(batch, n) if unstored[n] else "" for n in range(batch.subjects.size))
        return np.array([bool(text) and self.limits.may_refuse(batch.policy, text) for text in texts], dtype=np.bool_)

    def _may_be_retired(self, model: Model) -> Bools:
        newest = np.full(model.subjects.size, NEVER)
        points = model.stored.points
        np.maximum.at(newest, points.subject, points.t_ms)
        return np.asarray(newest + model.policy.expire_after_ms < time.time() * 1000)

    def _add(self, findings: Findings, archive: str, comparison: Comparison, batch: Batch) -> None:
        findings.archives[archive] = comparison.counts
        for what in comparison.misplaced:
            findings.add_example(Example("wrong", f"{archive} {what}"))
        for each in comparison.differences:
            ident = self._text(batch, each.subject)
            values = (None if np.isnan(value) else value for value in (each.expected, each.found))
            findings.add_example(Example(each.kind, ident, archive, each.end_ms, *values))

    def _texts(self, batch: Batch, which: Bools) -> list[str]:
        return [self._text(batch, int(n)) for n in np.flatnonzero(which)]

    def _text(self, batch: Batch, n: int) -> str:
        return Idents(self.plans[0]).text(int(batch.subjects.series[n]), int(batch.subjects.generation[n]))


def key_of(policy: Policy, archive: Archive) -> BundleKey:
    """Return the key of an archive's bundle."""
    return policy.name, archive.cf, archive.step_ms, archive.size


def other_bundles(policies: Sequence[Policy], bundles: Bundles) -> list[str]:
    """Differences of mode, aggregate and xff between policies and the archives in the database."""
    differences = []
    for policy in policies:
        for archive in policy.archives:
            bundle = bundles.get(key_of(policy, archive))
            if bundle and bundle.whisper != policy.whisper:
                differences.append(
                    f"{policy.name} {archive.text}: whisper is {bundle.whisper}, heartbeat {policy.heartbeat_ms} ms"
                )
            if bundle and bundle.aggregate != policy.aggregate:
                differences.append(
                    f"{policy.name} {archive.text}: aggregate is {bundle.aggregate}, not {policy.aggregate}"
                )
            if bundle and bundle.xff != archive.xff:
                differences.append(f"{policy.name} {archive.text}: xff is {bundle.xff}, not {archive.xff}")
    return differences
