"""Series for both servers: full archives in PostgreSQL, laid out as the sink does, and whisper files."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
import psycopg
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

NOW = 1_700_053_200  # a multiple of an hour: the newest point of each series
TEN_SECONDS, MINUTE = 10, 60
SIX_HOURS = 6 * 3600
ARCHIVES = ((TEN_SECONDS, 2160), (MINUTE, 10_080))
WIDTH = 116
CHUNK = 28  # slots of a segment that the sink reserves side by side
PARTITIONS = 16
PG_EPOCH = 946_684_800


@dataclass(frozen=True)
class Group:
    """Series ``name.000`` …; in segments by the hash of their names as the topology gives them, or one in each."""

    name: str
    count: int
    archives: tuple[tuple[int, int], ...] = ARCHIVES
    apart: bool = False

    @property
    def paths(self) -> list[str]:
        """Names of the series."""
        return [f"{self.name}.{n:03}" for n in range(self.count)]

    def locations(self) -> dict[str, tuple[int, int]]:
        """(seg, pos) by name."""
        if self.apart:
            return {path: (n << 16, 1 + n % WIDTH) for n, path in enumerate(self.paths)}
        taken = [0] * PARTITIONS
        locations = {}
        for path in self.paths:
            partition = crc32(path.encode()) % PARTITIONS
            n, pos = divmod(taken[partition], WIDTH)
            locations[path] = (partition << 16 | n, pos + 1)
            taken[partition] += 1
        return locations


GROUPS = (
    Group("fifty", 50),
    Group("raw", 500),
    Group("minutes", 24, archives=ARCHIVES[1:]),
    Group("apart", 50, archives=ARCHIVES[:1], apart=True),
)


def six_hours(target: str | list[str], **more: str | int) -> dict[str, str | int | list[str]]:
    """Query of /render for the newest six hours."""
    return {"target": target, "from": NOW - SIX_HOURS, "until": NOW, "now": NOW, "format": "json", **more}


def values(path: str, step: int, size: int) -> Matrix:
    """Values of a series' newest ``size`` slots, the newest last: numbers of three decimals."""
    random = np.random.default_rng(crc32(f"{path} {step}".encode()))
    return np.round(random.random(size) * 1000, 3)


def store(connection: psycopg.Connection, names: int) -> None:
    """Store the groups, and ``names`` series more that have no values, 50 in each of ``names.r00.h00`` …."""
    for group in GROUPS:
        locations = group.locations()
        store_series(connection, group.name, locations)
        for step, size in group.archives:
            store_archive(connection, group.name, locations, step, size)
    store_series(connection, "names", locations_of_names(names))
    connection.execute("vacuum analyze")


def locations_of_names(names: int) -> dict[str, tuple[int, int]]:
    """(seg, pos) by name, of series without values."""
    paths = (f"names.r{n // 5000:02}.h{n // 50 % 100:02}.m{n % 50:02}" for n in range(names))
    return {path: (n // WIDTH, n % WIDTH + 1) for n, path in enumerate(paths)}


def store_series(connection: psycopg.Connection, policy: str, locations: dict[str, tuple[int, int]]) -> None:
    """Store series of a policy at these (seg, pos)."""
    with connection.cursor().copy("copy ds (ident, policy, seg, pos, starts_at) from stdin") as copy:
        for path, (seg, pos) in locations.items():
            copy.write_row((f'{{"name": "{path}"}}', policy, seg, pos, "1970-01-01 00:00:00+00"))


def store_archive(
    connection: psycopg.Connection, policy: str, locations: dict[str, tuple[int, int]], step: int, size: int
) -> None:
    """Store an archive of a policy, full, with the values of these series."""
    [(bundle,)] = connection.execute(
        "insert into rra_bundle (policy, cf, step_ms, size, width, xff) values (%s, 'wmean', %s, %s, %s, 0.5)"
        " returning id",
        (policy, step * 1000, size, WIDTH),
    ).fetchall()
    segments: dict[int, Matrix] = {}
    for path, (seg, pos) in locations.items():
        if seg not in segments:  # all positions are taken, as in a segment of long ago
            segments[seg] = np.random.default_rng(seg).random((size, WIDTH))
        segments[seg][:, pos - 1] = values(path, step, size)
    with connection.cursor().copy("copy ts from stdin (format binary)") as copy:
        copy.write(b"PGCOPY\n\xff\r\n\0" + bytes(8))
        for low in range(0, size, CHUNK):
            for seg in sorted(segments):
                copy.write(_rows(bundle, seg, np.arange(low, min(low + CHUNK, size)), segments[seg], step))
        copy.write(b"\xff\xff")


def _rows(bundle: int, seg: int, indexes: NDArray[np.int64], stored: Matrix, step: int) -> bytes:
    """Rows of these i in PostgreSQL's binary format."""
    size = len(stored)
    newest = NOW // step
    ends = newest - (newest - indexes) % size
    array = np.dtype([("dims", ">i4", 5), ("values", [("length", ">i4"), ("value", ">f8")], WIDTH)])
    rows = np.zeros(
        len(indexes),
        np.dtype(
            [
                ("fields", ">i2"),
                *((f"{name}{part}", kind) for name, kind in KEY for part, kind in (("_length", ">i4"), ("", kind))),
                ("dp_length", ">i4"),
                ("dp", array),
            ]
        ),
    )
    rows["fields"] = 5
    for name, kind in KEY:
        rows[f"{name}_length"] = np.dtype(kind).itemsize
    rows["bundle"], rows["seg"], rows["i"] = bundle, seg, indexes
    rows["t"] = (ends * step - PG_EPOCH) * 1_000_000
    rows["dp_length"] = array.itemsize
    rows["dp"]["dims"] = (1, 0, 701, WIDTH, 1)  # dimensions, nulls, type float8, length, first
    rows["dp"]["values"]["length"] = 8
    rows["dp"]["values"]["value"] = stored[ends - newest - 1]
    return rows.tobytes()


KEY = (("bundle", ">i4"), ("seg", ">i4"), ("i", ">i4"), ("t", ">i8"))


def whisper() -> Iterator[dict[str, Any]]:
    """List the series as graphite-web's loader takes them: points of six hours."""
    for group in GROUPS:
        step, size = group.archives[0]
        count = SIX_HOURS // step
        times = range(NOW - SIX_HOURS + step, NOW + 1, step)
        for path in group.paths:
            points = values(path, step, size)[-count:].tolist()
            yield {
                "path": path,
                "archives": group.archives,
                "points": list(zip(times, points, strict=True)),
                "aggregate": "average",
            }
