"""Writes series and slots directly into the tables, as the sink does."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

import psycopg

NAN = float("nan")


@dataclass
class Policy:
    """A policy for one test: its archives by (cf, step s) and its next free position."""

    connection: psycopg.Connection
    name: str
    width: int = 200
    whisper: bool = False
    aggregate: str = "wmean"
    bundles: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)
    series_made: int = 0

    def archive(
        self, step: int, size: int, cf: str = "wmean", written: tuple[int | None, int | None] = (None, None)
    ) -> "Policy":
        """Add an archive; ``written`` are the ends of its oldest and newest slot, epoch seconds."""
        row = self.connection.execute(
            "insert into rra_bundle (policy, cf, step_ms, size, width, xff, whisper, aggregate, first, latest)"
            " values (%s, %s, %s, %s, %s, 0.5, %s, %s, to_timestamp(%s), to_timestamp(%s)) returning id",
            (self.name, cf, step * 1000, size, self.width, self.whisper, self.aggregate, *written),
        ).fetchone()
        assert row
        self.bundles[cf, step] = (row[0], size)
        return self

    def series(
        self,
        ident: str | Mapping[str, str],
        at: tuple[int, int] | None = None,
        starts_at: int = 0,
        source: str | None = None,
    ) -> "StoredSeries":
        """A new series, at the next position or at (seg, pos); ``starts_at`` in epoch seconds."""
        seg, pos = at or (self.series_made // self.width, self.series_made % self.width + 1)
        self.series_made += 1
        document = {"name": ident} if isinstance(ident, str) else dict(ident)
        row = self.connection.execute(
            "insert into ds (ident, policy, seg, pos, starts_at, source)"
            " values (%s::jsonb, %s, %s, %s, to_timestamp(%s), %s) returning id",
            (json.dumps(document), self.name, seg, pos, starts_at, source),
        ).fetchone()
        assert row
        return StoredSeries(self, row[0], seg, pos)


@dataclass
class StoredSeries:
    policy: Policy
    id: int
    seg: int
    pos: int

    def slots(self, step: int, values: Mapping[int, float], cf: str = "wmean") -> "StoredSeries":
        """Store values by the end of their slot, epoch seconds."""
        bundle, size = self.policy.bundles[cf, step]
        for end, value in values.items():
            assert end % step == 0
            dp = [NAN] * (self.pos - 1) + [value]
            self.policy.connection.execute(
                "insert into ts (rra_bundle_id, seg, i, t, dp) values (%s, %s, %s, to_timestamp(%s), %s)"
                " on conflict (rra_bundle_id, seg, i) do update set t = excluded.t, dp = case"
                " when ts.t = excluded.t then rondo_merge(ts.dp, excluded.dp) else excluded.dp end",
                (bundle, self.seg, end // step % size, end, dp),
            )
        return self

    def moved(self, policy: Policy, starts_at: float, at: tuple[int, int] | None = None) -> "StoredSeries":
        """Move the series to the next position of the policy, or to (seg, pos); ``starts_at`` in epoch seconds."""
        seg, pos = at or (policy.series_made // policy.width, policy.series_made % policy.width + 1)
        policy.series_made += at is None
        policy.connection.execute(
            "update ds set policy = %s, seg = %s, pos = %s, starts_at = to_timestamp(%s) where id = %s",
            (policy.name, seg, pos, starts_at, self.id),
        )
        return StoredSeries(policy, self.id, seg, pos)
