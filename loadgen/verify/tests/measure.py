"""Measures an audit: fills a database's empty tables with what the model itself expects, then audits them.

    python measure.py postgresql://... SERIES TICKS        (of ten seconds each)

It does not test correctness: the stored values come from the model.
"""

import json
import resource
import sys
import time
from contextlib import nullcontext

import numpy as np
import psycopg

from rondo_verify import plan as plans
from rondo_verify import policies as policy_files
from rondo_verify.arrays import Ints
from rondo_verify.arrivals import Subjects
from rondo_verify.audit import Audit
from rondo_verify.idents import Idents
from rondo_verify.model import Model

WIDTH = 116
START = 1_700_000_000_000
SEGMENTS_AT_ONCE = 40


class NoProgress:
    def update(self, n_steps: int) -> None:
        pass


def plan_of(series: int, ticks: int) -> plans.Plan:
    document = {"version": 1, "run": "measured", "seed": 1, "shape": "steady", "rate": series / 10, "series": series}
    document |= {"metrics": 100, "start_ms": START, "points": series * ticks, "sent": series * ticks, "acked": 0}
    document |= {"failed": 0, "finished": True, "time_unit_ms": 1}
    return plans.parse(document | {"names": {"ident": "load.measured.m{machine:05d}.metric{metric:02d}"}})


def fill(connection: psycopg.Connection, plan: plans.Plan, policy: policy_files.Policy) -> None:
    idents = Idents(plan)
    with connection.cursor().copy("copy ds (ident, policy, seg, pos, starts_at) from stdin") as copy:
        for n in range(plan.series):
            starts_at = np.datetime64(START + int(n * 1000.0 / plan.rate), "ms")
            copy.write_row(
                (json.dumps({"name": idents.text(n, 0)}), policy.name, n // WIDTH, n % WIDTH + 1, f"{starts_at}Z")
            )
    for number, archive in enumerate(policy.archives, 1):
        shape = (number, policy.name, archive.cf, archive.step_ms, archive.size, WIDTH, archive.xff)
        connection.execute(
            "insert into rra_bundle (id, policy, cf, step_ms, size, width, xff) overriding system value"
            " values (%s, %s, %s, %s, %s, %s, %s)",
            shape,
        )
    at_once = WIDTH * SEGMENTS_AT_ONCE
    for first in range(0, plan.series, at_once):
        series = np.arange(first, min(first + at_once, plan.series))
        model = Model([plan], policy, Subjects(series, np.zeros_like(series)), np.full(series.size, START))
        with connection.cursor().copy("copy ts from stdin (format binary)") as copy:
            copy.write(b"PGCOPY\n\xff\r\n\0" + bytes(8))
            for number, archive in enumerate(policy.archives, 1):
                slots = model.slots(archive)
                for at in range(0, series.size, WIDTH):
                    segment = (first + at) // WIDTH
                    copy.write(
                        rows(
                            number, segment, slots.end_ms, archive.step_ms, archive.size, slots.value[at : at + WIDTH].T
                        )
                    )
            copy.write(b"\xff\xff")


def rows(
    bundle: int,
    segment: int,
    end_ms: Ints,
    step_ms: int,
    size: int,
    values: "np.ndarray[tuple[int, int], np.dtype[np.float64]]",
) -> bytes:
    """Rows of one segment, in PostgreSQL's binary format."""
    width = values.shape[1]
    numbers = [(f"{name}_len", ">i4") for name in "bsitd"]
    kind = np.dtype(
        [
            *(("fields", ">i2"), numbers[0], ("b", ">i4"), numbers[1], ("s", ">i4"), numbers[2], ("i", ">i4")),
            *(numbers[3], ("t", ">i8"), numbers[4], ("head", ">i4", 5), ("dp", [("len", ">i4"), ("v", ">f8")], width)),
        ]
    )
    out = np.zeros(end_ms.size, dtype=kind)
    out["fields"] = 5
    out["b_len"] = out["s_len"] = out["i_len"] = 4
    out["t_len"], out["d_len"], out["dp"]["len"] = 8, 20 + 12 * width, 8
    out["b"], out["s"], out["i"] = bundle, segment, end_ms // step_ms % size
    out["t"] = (end_ms - 946_684_800_000) * 1000
    out["head"] = [1, 0, 701, width, 1]
    out["dp"]["v"] = values
    return out.tobytes()


def main(url: str, series: int, ticks: int) -> None:
    plan, [policy] = plan_of(series, ticks), policy_files.parse(policy_files.DEFAULT_YAML)[-1:]
    with psycopg.connect(url, autocommit=True) as connection:
        began = time.monotonic()
        fill(connection, plan, policy)
        print(f"filled in {time.monotonic() - began:.0f} s")
    began, cpu = time.monotonic(), time.process_time()
    found = Audit([plan], [policy], url, 10).run(lambda _: nullcontext(NoProgress()))
    took, cpu = time.monotonic() - began, time.process_time() - cpu
    print(found.text())
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{found.counts.total()} slots in {took:.0f} s, {cpu:.0f} s of CPU, at most {memory} MB")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
