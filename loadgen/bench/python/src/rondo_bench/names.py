"""Half a million realistic names, written into ds as a sink writes them."""

import json
from collections.abc import Iterator
from itertools import islice, product

import psycopg

MACHINES = 5_000
GROUPS = {
    "cpu": ["user", "system", "idle", "iowait", "irq", "softirq", "steal", "nice", "guest", "load"],
    **{f"disk{n}": [f"{kind}{m}" for kind in ("reads", "writes") for m in range(5)] for n in range(4)},
    **{f"net{n}": [f"{kind}{m}" for kind in ("rx", "tx") for m in range(5)] for n in range(4)},
    "mem": ["used", "free", "cached", "buffers", "slab", "active", "dirty", "mapped", "swap", "total"],
}
WIDE = {"shop.orders": 2_500, "shop.carts": 5_000}
TAGGED_NAMES = [f"http.{what}" for what in ("requests", "errors", "bytes", "seconds")]
TAGGED = 100_000
A_STATEMENT = 2_000


def machine(n: int) -> str:
    """Name of the machine."""
    return f"m{n:04}"


def idents(machines: int, tagged: int) -> Iterator[dict[str, str]]:
    """100 names for each machine, two wide levels, and tagged series: by metric, host, data centre and code."""
    for group, metrics in GROUPS.items():  # a machine's series do not lie side by side
        for metric, n in product(metrics, range(machines)):
            yield {"name": f"load.{machine(n)}.{group}.{metric}"}
    for level, leaves in WIDE.items():
        yield from ({"name": f"{level}.c{n:04}"} for n in range(leaves))
    for n in range(tagged):
        name, host = TAGGED_NAMES[n % 4], n // 20
        yield {"name": name, "host": machine(host), "dc": f"dc{host % 7}", "code": str(200 + n % 20 // 4)}


def fill(connection: psycopg.Connection, machines: int, tagged: int) -> int:
    """Write the series, 2,000 in each transaction, analyze as autovacuum would, and return their number."""
    every = idents(machines, tagged)
    count = 0
    while some := list(islice(every, A_STATEMENT)):
        add(connection, some, count)
        count += len(some)
    connection.execute("vacuum analyze ds, location_period, branch, tag_value")
    return count


def add(connection: psycopg.Connection, some: list[dict[str, str]], first: int) -> None:
    """Write these series; ``first`` is the number of the first one."""
    connection.execute(
        "insert into ds (ident, policy, seg, pos, starts_at)"
        " select ident::jsonb, 'bench', (%s + n) / 116, (%s + n) %% 116 + 1, now()"
        " from unnest(%s::text[]) with ordinality as new (ident, n) on conflict (ident) do nothing",
        (first, first, [json.dumps(ident) for ident in some]),
    )
