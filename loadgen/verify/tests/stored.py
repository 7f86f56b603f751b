"""Fills the tables with the slots that a plan should leave, computed by the oracle point by point."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

import psycopg
from tests.consolidation_oracle import Function, Points, consolidate

from rondo_verify.arrivals import arrivals, planned
from rondo_verify.idents import Idents
from rondo_verify.plan import Plan
from rondo_verify.policies import Archive, Policy

WIDTH = 4
NAN = float("nan")


@dataclass
class Tables:
    """Rows to write: (policy, archive, segment, index) → end, values."""

    series: list[tuple[str, str, int, int, int]] = field(default_factory=list)
    rows: dict[tuple[Policy, Archive, int, int], tuple[int, list[float]]] = field(default_factory=dict)

    def add(self, ident: str, policy: Policy, points: Points, silence: bool = True) -> None:
        """Add a series at the next location, in segments of two partitions; ``silence`` closes its open slots."""
        n = len(self.series)
        seg, pos = n // WIDTH % 2 << 16 | n // WIDTH // 2, n % WIDTH + 1
        name, *tags = ident.split(";")
        document = json.dumps({"name": name} | dict(tag.split("=") for tag in tags))
        self.series.append((document, policy.name, seg, pos, points[0][0]))
        after = max(t for t, _ in points) + policy.heartbeat_ms + 2 * max(each.step_ms for each in policy.archives)
        for archive in policy.archives:
            rule = (policy.step_ms, policy.heartbeat_ms, cast("Function", archive.cf), archive.step_ms, archive.xff)
            for end, value in sorted(consolidate([*points, (after, 0.0)] if silence else points, *rule).items()):
                key = (policy, archive, seg, end // archive.step_ms % archive.size)
                stored, values = self.rows.get(key, (end, []))
                if stored < end:
                    values = []
                if stored <= end:
                    values = values + [NAN] * (WIDTH - len(values))
                    values[pos - 1] = value
                    self.rows[key] = (end, values)

    def write(self, connection: psycopg.Connection) -> None:
        """Write everything into empty tables."""
        connection.execute("truncate ts, ds, rra_bundle restart identity")
        shapes = {
            (policy.name, each.cf, each.step_ms, each.size, WIDTH, each.xff, policy.whisper, policy.aggregate): n
            for n, (policy, each) in enumerate({(policy, each): 0 for policy, each, _, _ in self.rows}, 1)
        }
        ids = {(policy, cf, step, size): n for (policy, cf, step, size, *_), n in shapes.items()}
        rows = [
            (ids[policy.name, each.cf, each.step_ms, each.size], seg, i, end, values)
            for (policy, each, seg, i), (end, values) in self.rows.items()
        ]
        with connection.cursor() as cursor:
            cursor.executemany(
                "insert into rra_bundle (policy, cf, step_ms, size, width, xff, whisper, aggregate)"
                " values (%s, %s, %s, %s, %s, %s, %s, %s)",
                list(shapes),
            )
            cursor.executemany(
                "insert into ds (ident, policy, seg, pos, starts_at)"
                " values (%s, %s, %s, %s, to_timestamp(%s / 1000.0))",
                self.series,
            )
            cursor.executemany("insert into ts values (%s, %s, %s, to_timestamp(%s / 1000.0), %s)", rows)


def tables_of(plan: Plan, policies: Sequence[Policy], left: int | None = None, silence: bool = True) -> Tables:
    """Tables after all points of turns before ``left`` have arrived."""
    tables = Tables()
    subjects = planned([plan])
    points = arrivals([plan], subjects)
    for n in range(subjects.size):
        ident = Idents(plan).text(int(subjects.series[n]), int(subjects.generation[n]))
        mine = points.subject == n
        came = list(zip(points.t_ms[mine].tolist(), points.value[mine].tolist(), strict=True))
        if left is not None:
            came = came[: sum(plan.series * k + int(subjects.series[n]) < left for k in range(plan.ticks))]
        policy = next((policy for policy in policies if policy.covers(ident)), None)
        if policy and came:
            tables.add(ident, policy, came, silence)
    return tables
