"""Two tenants in one database, and for each a database with only its data: the oracle of its scope."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import psycopg
from flask.testing import FlaskClient

from . import postgres
from .archive_rows import Policy
from .in_process import client

T = 1_700_006_400
SLOTS = range(1, 40)
TOKENS = {"a": "token of a", "b": "token of b"}
SCOPES = f"""
[a]
tokens = ["{TOKENS["a"]}"]
prefixes = ["a.", "shared.a.", "a.sub."]
tags = ["team=a", "team=ops;dc=~ams|fra;name!=secret"]
events = "write"
delete = true

[b]
tokens = ["sha256:{sha256(TOKENS["b"].encode()).hexdigest()}"]
prefixes = ["b.", "shared.b.", "a.common."]
tags = ["team=b"]
events = "read"
"""
# Each series, and the tenants that see it: listed by hand, so that nothing is derived from the code under test.
SERIES = {
    "a.cpu.x": "a",
    "a.cpu.y": "a",
    "a.mem.x": "a",
    "a.common.x": "ab",
    "a.x": "a",
    "a": "",
    "ab.cpu.x": "",
    "b.cpu.x": "b",
    "b.cpu.z": "b",
    "b.mem.y": "b",
    "b.deep.er.and.deeper": "b",
    "shared.a.x": "a",
    "shared.a.cpu.x": "a",
    "shared.b.x": "b",
    "shared.b.cpu.x": "b",
    "shared.c.x": "",
    "shared.x": "",
    "hidden.cpu.x": "",
    "top": "",
    "cpu;dc=ams;team=a": "a",
    "cpu;dc=fra;team=a": "a",
    "cpu;dc=ams;team=b": "b",
    "cpu;dc=ber;host=b1;team=b": "b",
    "cpu;dc=ams;team=ops": "a",
    "cpu;dc=ber;team=ops": "",
    "secret;dc=ams;team=ops": "",
    "mem;host=a1;team=a": "a",
    "mem;host=c1;only=c;team=c": "",
    "a.cpu.x;host=t1": "a",
    "b.cpu.x;host=t1": "b",
    "a.common.y;host=t2;rack=r1": "ab",
    "ab.cpu.x;host=t1": "",
    "shared.c.x;host=t1;team=c": "",
}
GONE = ("a.gone.x", "shared.gone.x", "hidden.gone.x", "b.gone;zone=z1", "cpu;team=gone;zone=z2")
EVENTS = {
    ("deploy", "scope:a"): "a",
    ("deploy", "web", "scope:b"): "b",
    ("outage", "scope:a", "scope:b"): "ab",
    ("deploy", "a"): "",
    (): "",
    ("deploy", "scope:c"): "",
}
TABLES = ("rra_bundle", "ts", "ds", "location_period", "event")


@dataclass
class Tenants:
    """Clients of one API for both, and of an API for each tenant that serves a database with its own series only.

    ``ids`` are those of all series by the ids of their rows, which requests of the tests name.
    """

    shared: FlaskClient
    alone: Mapping[str, FlaskClient]
    ids: Mapping[int, str]

    def both(self, tenant: str, path: str, query: Mapping[str, object]) -> tuple[object, object]:
        """Responses to the tenant in the shared database, and in the one that holds nothing else."""
        headers = {"Authorization": f"Bearer {TOKENS[tenant]}"}
        if path == "/series/remaining":
            query = {"id": [self.ids.get(each, f"{each}-{0:016x}") for each in query["id"]]}  # type: ignore[attr-defined]
        return tuple(
            (response.status_code, response.mimetype, response.get_data())
            for response in (
                self.shared.post(path, data=query, headers=headers),
                self.alone[tenant].post(path, data=query),
            )
        )  # type: ignore[return-value]


@contextmanager
def databases(server_url: str) -> Iterator[dict[str, str]]:
    """URLs of the database with everything (key: empty) and of those of the tenants."""
    with (
        postgres.fresh_database(server_url) as every,
        postgres.fresh_database(server_url) as of_a,
        postgres.fresh_database(server_url) as of_b,
    ):
        urls = {"": every, "a": of_a, "b": of_b}
        with psycopg.connect(every, autocommit=True) as connection:
            ids = _fill(connection)
            for tenant in "ab":
                with psycopg.connect(urls[tenant], autocommit=True) as alone:
                    _copy(connection, alone, tenant, ids)
        yield urls


def clients(urls: Mapping[str, str], directory: Path, **settings: object) -> Tenants:
    """Clients of APIs with these settings."""
    file = directory / "scopes.toml"
    file.write_text(SCOPES)
    given = {"cache_seconds": 60, "client_rate": 1_000_000} | settings
    every = client(urls[""]).get("/series/names").get_json()["series"]
    return Tenants(
        client(urls[""], scopes_file=str(file), **given),
        {tenant: client(urls[tenant], **given) for tenant in "ab"},
        {int(each["id"].partition("-")[0]): each["id"] for each in every},
    )


def ident(name: str) -> dict[str, str]:
    first, *tags = name.split(";")
    return {"name": first} | dict(tag.split("=") for tag in tags)


def _fill(connection: psycopg.Connection) -> dict[str, int]:
    policies = [
        Policy(connection, "fine", width=7).archive(10, 360, written=(T, T + 390)).archive(60, 60),
        Policy(connection, "coarse", width=7).archive(60, 100, "max").archive(60, 100),
    ]
    ids = {}
    for n, name in enumerate(SERIES):
        policy = policies[n % 2]
        stored = policy.series(ident(name), source=f"topic-{len(SERIES[name])}{name[0]}", starts_at=T - 100 * (n % 5))
        ids[name] = stored.id
        for (cf, step), _ in policy.bundles.items():
            stored.slots(
                step, {T + step * slot: float((n * 37 + slot * (n % 7)) % 100) for slot in SLOTS if slot % (n + 2)}, cf
            )
    moving = policies[0].series(ident("a.moved"), starts_at=T - 600).slots(10, {T + 10: 5.0})
    ids["a.moved"] = moving.moved(policies[1], T + 100).id
    gone = [policies[0].series(ident(name)).id for name in GONE]
    connection.execute("delete from ds where id = any(%s)", (gone,))
    for n, tags in enumerate(EVENTS):
        connection.execute(
            "insert into event (id, t, what, tags, data) values (%s, to_timestamp(%s), %s, %s, '')",
            (n + 1, T + 30 * n, f"event {n}", list(tags)),
        )
    return ids


def _copy(every: psycopg.Connection, alone: psycopg.Connection, tenant: str, ids: Mapping[str, int]) -> None:
    series = [ids[name] for name, owners in {**SERIES, "a.moved": "a"}.items() if tenant in owners]
    events = [n for n, owners in enumerate(EVENTS.values(), 1) if tenant in owners]
    kept = {"ds": ("id", series), "location_period": ("ds_id", series), "event": ("id", events)}
    for table in TABLES:
        key, values = kept.get(table, ("1", [1]))
        alone.execute(f"delete from {table}")  # noqa: S608
        query = f"copy (select * from {table} where {key} = any('{{{','.join(map(str, values))}}}')) to stdout"  # noqa: S608
        with every.cursor().copy(query) as rows, alone.cursor().copy(f"copy {table} from stdin") as taken:
            for row in rows:
                taken.write(row)
    for other in "abc".replace(tenant, ""):
        alone.execute("update event set tags = array_remove(tags, %s)", (f"scope:{other}",))
