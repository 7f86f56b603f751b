"""Reads the tables: locations of the series of a plan, and all rows of their segments."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import psycopg
from numpy.typing import NDArray

from .arrays import Bools, Floats, Ints
from .errors import InputError

SERIES = """
select concat_ws(';', ident ->> 'name', (select string_agg(key || '=' || value, ';' order by key collate "C")
                                         from jsonb_each_text(ident - 'name'))),
       policy, seg, pos, (extract(epoch from starts_at) * 1000)::bigint
from ds
where starts_with(ident ->> 'name', %s)
"""
PERIODS = """
select concat_ws(';', ident ->> 'name', (select string_agg(key || '=' || value, ';' order by key collate "C")
                                         from jsonb_each_text(ident - 'name'))),
       period.policy, period.seg, period.pos, (extract(epoch from period.starts_at) * 1000)::bigint,
       (extract(epoch from nullif(ends_at, 'infinity')) * 1000)::bigint,
       (extract(epoch from nullif(reassigned_at, 'infinity')) * 1000)::bigint
from ds join location_period as period on period.ds_id = ds.id and period.number <= ds.period
where starts_with(ident ->> 'name', %s) and coalesce(period.fill, 'none') = 'none' -- not copies
order by ds.id, period.number
"""
COUNTS = "select policy, seg >> 16, count(*) from ds group by 1, 2"
BUNDLES = """
select policy, cf, step_ms, size, id, whisper, aggregate, xff, coalesce(extract(epoch from until) * 1000, 0)::bigint
from rra_bundle left join archive_fill on rra_bundle_id = id
"""
ROWS = """
copy (
  select seg, i, (extract(epoch from t) * 1000)::bigint, dp
  from ts
  where rra_bundle_id = %s and seg = any(%s) and t > %s and t > '-infinity' and t < 'infinity'
) to stdout (format binary)
"""
HEADER = 19  # bytes before the first row of a binary copy
TRAILER = b"\xff\xff"
ROW_BYTES = 2 + (4 + 4) + (4 + 4) + (4 + 8) + 4 + 20
VALUE_BYTES = 12
FLOAT8 = 701
FOREVER = np.iinfo(np.int64).max // 4


@dataclass(frozen=True)
class StoredSeries:
    """A row of ds."""

    ident: str
    policy: str
    seg: int
    pos: int
    starts_at_ms: int


@dataclass(frozen=True)
class StoredPeriod:
    """A row of location_period: slots that begin before ``ends_at_ms`` and end no later than ``reassigned_ms``."""

    policy: str
    seg: int
    pos: int
    starts_at_ms: int
    ends_at_ms: int = FOREVER
    reassigned_ms: int = FOREVER


@dataclass(frozen=True)
class Bundle:
    """A row of rra_bundle; slots that end before ``points_from_ms`` may be filled from finer archives."""

    id: int
    whisper: bool
    aggregate: str
    xff: float
    points_from_ms: int = 0


BundleKey = tuple[str, str, int, int]
Bundles = dict[BundleKey, Bundle]


@dataclass(frozen=True)
class Rows:
    """Rows of ts: segment, index, end (epoch ms) and values by position - 1, as wide as the widest."""

    seg: Ints
    i: Ints
    t_ms: Ints
    dp: Floats

    def take(self, which: Bools) -> "Rows":
        """Select some of them."""
        return Rows(self.seg[which], self.i[which], self.t_ms[which], self.dp[which])


def series(connection: psycopg.Connection, prefix: str) -> list[StoredSeries]:
    """Series whose name begins with ``prefix``, which ends before the first tag."""
    return [StoredSeries(*row) for row in connection.execute(SERIES, (prefix.partition(";")[0],)).fetchall()]


def periods(connection: psycopg.Connection, prefix: str) -> dict[str, list[StoredPeriod]]:
    """Location periods of the same series as :func:`series`, by ident, oldest first."""
    found: dict[str, list[StoredPeriod]] = {}
    rows = connection.execute(PERIODS, (prefix.partition(";")[0],)).fetchall()
    for ident, policy, seg, pos, starts_at, *until in rows:
        ends = (FOREVER if each is None else each for each in until)
        found.setdefault(ident, []).append(StoredPeriod(policy, seg, pos, starts_at, *ends))
    return found


def counts(connection: psycopg.Connection) -> dict[tuple[str, int], int]:
    """Count the series of each policy in each partition."""
    return {(policy, partition): n for policy, partition, n in connection.execute(COUNTS).fetchall()}


def bundles(connection: psycopg.Connection) -> Bundles:
    """Bundles by policy, function, step (ms) and size; an archive has one from its first slot on."""
    found = connection.execute(BUNDLES).fetchall()
    return {(policy, cf, step, size): Bundle(*rest) for policy, cf, step, size, *rest in found}


def rows(connection: psycopg.Connection, bundle: int, segments: Sequence[int], after_ms: int) -> Rows:
    """Rows of some segments that end after a time, without preallocated rows."""
    by_bytes: dict[int, list[bytes]] = {}
    with connection.cursor() as cursor, cursor.copy(ROWS, (bundle, list(segments), _timestamp(after_ms))) as copy:
        first = True
        for data in copy:
            row = bytes(data)
            if first:
                row, first = row[HEADER:], False
            if row != TRAILER:
                by_bytes.setdefault(len(row), []).append(row)
    groups = [_parse(b"".join(of), size) for size, of in sorted(by_bytes.items())]
    width = max((group["dp"].shape[1] for group in groups), default=0)
    values = np.full((sum(group.size for group in groups), width), np.nan)
    at = 0
    for group in groups:
        values[at : at + group.size, : group["dp"].shape[1]] = group["dp"]["value"]
        at += group.size

    def column(name: str) -> Ints:
        return np.concatenate([np.zeros(0, dtype=np.int64), *(group[name].astype(np.int64) for group in groups)])

    return Rows(column("seg"), column("i"), column("t"), values)


def _timestamp(ms: int) -> str:
    return f"{np.datetime64(ms, 'ms')}Z"


def _parse(data: bytes, size: int) -> NDArray[np.void]:
    """Rows of one length, in PostgreSQL's binary format."""
    count = (size - ROW_BYTES) // VALUE_BYTES
    kind = np.dtype(
        [
            ("fields", ">i2"),
            *(("seg_len", ">i4"), ("seg", ">i4")),
            *(("i_len", ">i4"), ("i", ">i4")),
            *(("t_len", ">i4"), ("t", ">i8")),
            *(("dp_len", ">i4"), ("dimensions", ">i4"), ("has_null", ">i4"), ("type", ">i4")),
            *(("length", ">i4"), ("lower", ">i4")),
            ("dp", [("length", ">i4"), ("value", ">f8")], (count,)),
        ]
    )
    if kind.itemsize != size:
        raise InputError(f"a row of ts has {size} bytes: its dp is empty, or not a one-dimensional array")
    found = np.frombuffer(data, dtype=kind)
    whole = (found["dimensions"] == 1) & (found["has_null"] == 0) & (found["type"] == FLOAT8)
    if not np.all(whole & (found["length"] == count) & (found["lower"] == 1)):
        odd = found[~whole][0] if not whole.all() else found[0]
        raise InputError(f"dp of segment {odd['seg']}, i {odd['i']}, contains nulls, or its lower bound is not 1")
    return found
