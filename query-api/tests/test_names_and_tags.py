"""The triggers on ds: branches and values of tags are those of the series, even with concurrent transactions."""

import json
from collections.abc import Iterator

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from . import postgres
from .examples import examples

NODES = st.sampled_from(["a", "b", "", "a-b", "x*"])
NAMES = st.lists(NODES, min_size=1, max_size=4).map(".".join).filter(bool)
TAGS = st.dictionaries(st.sampled_from(["dc", "host", "ö"]), st.sampled_from(["1", "2", "x.y"]), max_size=2)
IDENTS = st.builds(lambda name, tags: json.dumps({"name": name, **tags}), NAMES, TAGS)
CHANGES = st.lists(st.tuples(st.sampled_from(["insert", "delete", "rename"]), st.lists(IDENTS, min_size=1, max_size=4)))
Found = tuple[list[str], list[tuple[str, str]]]


@pytest.fixture(scope="module")
def url(server_url: str) -> Iterator[str]:
    with postgres.fresh_database(server_url) as url:
        yield url


@pytest.fixture
def writer(url: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(url) as connection:
        connection.execute("truncate ds")
        connection.commit()
        yield connection


@pytest.fixture
def other(url: str, writer: psycopg.Connection) -> Iterator[psycopg.Connection]:
    """A second sink, which fails instead of waiting."""
    with psycopg.connect(url, options="-c lock_timeout=1s") as connection:
        yield connection


def insert(connection: psycopg.Connection, *idents: str) -> None:
    """Insert series, by names or JSON idents."""
    documents = [ident if ident.startswith("{") else json.dumps({"name": ident}) for ident in idents]
    connection.execute(
        "insert into ds (ident, policy, seg, pos, starts_at)"
        " select ident::jsonb, ident, 0, 1, 'epoch' from unnest(%s::text[]) as ident on conflict do nothing",
        (documents,),
    )


def delete(connection: psycopg.Connection, *idents: str) -> None:
    documents = [ident if ident.startswith("{") else json.dumps({"name": ident}) for ident in idents]
    connection.execute("delete from ds where ident = any(%s::jsonb[])", (documents,))


def found(connection: psycopg.Connection) -> Found:
    """Branches and values as searches find them: unconfirmed ones are looked up."""
    branches = connection.execute(
        "select parent || node from branch group by parent, node"
        " having not bool_or(unconfirmed) or rondo_is_branch(parent, node)"
    )
    values = connection.execute(
        "select tag, value from tag_value group by tag, value"
        " having not bool_or(unconfirmed) or rondo_is_tag_value(tag, value)"
    )
    return sorted(path for (path,) in branches), sorted(values.fetchall())


def expected(connection: psycopg.Connection) -> Found:
    """Expected branches and values, computed from the series in Python."""
    branches, values = set(), set()
    for (ident,) in connection.execute("select ident from ds"):
        if ident.keys() == {"name"}:
            nodes = ident["name"].split(".")
            branches |= {".".join(nodes[:n]) for n in range(1, len(nodes))}
        else:
            values |= set(ident.items())
    return sorted(branches), sorted(values)


def rows(connection: psycopg.Connection) -> int:
    [(count,)] = connection.execute("select (select count(*) from branch) + (select count(*) from tag_value)")
    return int(count)


def test_branches_follow_their_series(writer: psycopg.Connection) -> None:
    insert(writer, "a.b.c", "a.b.d", "a", "x..y", '{"name": "a.t", "dc": "ams"}')
    assert found(writer) == (["a", "a.b", "x", "x."], [("dc", "ams"), ("name", "a.t")])
    delete(writer, "a.b.c")
    assert found(writer) == expected(writer)
    delete(writer, "a.b.d", '{"name": "a.t", "dc": "ams"}')
    assert found(writer) == (["x", "x."], [])
    assert rows(writer) == 2


def test_a_series_with_nothing_new_writes_nothing(writer: psycopg.Connection) -> None:
    insert(writer, "a.b.c", '{"name": "t", "dc": "ams"}')
    before = rows(writer)
    insert(writer, "a.b.d", "a.b", '{"name": "t", "dc": "ams", "name2": "t"}')
    delete(writer, '{"name": "t", "dc": "ams", "name2": "t"}')
    assert rows(writer) == before


def test_a_repeated_series_changes_nothing(writer: psycopg.Connection) -> None:
    insert(writer, "a.b", "c.d")
    writer.execute("update ds set pos = pos + 1")
    writer.execute("update ds set ident = ident")
    assert (found(writer), rows(writer)) == ((["a", "c"], []), 2)


def test_a_renamed_series_moves(writer: psycopg.Connection) -> None:
    insert(writer, "a.b", '{"name": "t", "dc": "ams"}')
    writer.execute("""update ds set ident = '{"name": "c.d"}' where ident = '{"name": "a.b"}'""")
    writer.execute("""update ds set ident = '{"name": "t", "dc": "fra"}' where ident ->> 'name' = 't'""")
    assert found(writer) == (["c"], [("dc", "fra"), ("name", "t")])


def test_other_sinks_are_followed(writer: psycopg.Connection) -> None:
    writer.execute("insert into series values ('a.b', 'p', 0, 1, 5), ('t;dc=ams', 'p', 0, 2, 5)")
    assert found(writer) == (["a"], [("dc", "ams"), ("name", "t")])
    writer.execute("delete from series")
    assert found(writer) == ([], [])


def test_concurrent_inserts_do_not_block(writer: psycopg.Connection, other: psycopg.Connection) -> None:
    insert(writer, "a.b.c", '{"name": "t", "dc": "ams"}')
    insert(other, "z.y", "a.b.d", '{"name": "t", "dc": "ams", "host": "1"}')
    insert(writer, "z.x")
    other.commit()
    writer.rollback()
    assert found(other) == expected(other)
    assert found(other)[0] == ["a", "a.b", "z"]


def test_an_insert_during_the_last_delete(writer: psycopg.Connection, other: psycopg.Connection) -> None:
    insert(writer, "a.b.c", '{"name": "t", "dc": "ams"}')
    writer.commit()
    delete(writer, "a.b.c", '{"name": "t", "dc": "ams"}')  # no other is visible, so its branches are deleted
    insert(other, "a.b.d", '{"name": "t", "dc": "ams", "host": "1"}')  # the visible branches may be deleted
    writer.commit()
    other.commit()
    assert found(other) == expected(other)
    assert found(other)[0] == ["a", "a.b"]


def test_the_last_delete_during_an_insert(writer: psycopg.Connection, other: psycopg.Connection) -> None:
    insert(writer, "a.b.c")
    writer.commit()
    insert(other, "a.b.d")  # the branches must not be deleted
    delete(writer, "a.b.c")
    assert found(writer) == ([], [])
    writer.commit()
    other.commit()
    assert found(other)[0] == ["a", "a.b"]


def test_concurrent_deletes_leave_unconfirmed_rows_and_no_branch(
    writer: psycopg.Connection, other: psycopg.Connection
) -> None:
    insert(writer, "a.b.c", "a.b.d", "k.l")
    writer.commit()
    delete(writer, "a.b.c")
    delete(other, "a.b.d")
    writer.commit()
    other.commit()
    assert found(other) == (["k"], [])
    delete(other, "k.l")
    assert rows(other) == 0


@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(CHANGES, CHANGES)
def test_any_changes_of_two_sinks(
    writer: psycopg.Connection,
    other: psycopg.Connection,
    first: list[tuple[str, list[str]]],
    second: list[tuple[str, list[str]]],
) -> None:
    """Each has separate series, as tasks have, below branches and with tags of both."""
    writer.execute("truncate ds")
    writer.commit()
    for n in range(max(len(first), len(second))):
        for connection, mark, changes in ((writer, "1", first), (other, "2", second)):
            if n < len(changes):
                change(connection, mark, *changes[n])
        if n % 2:
            writer.commit()
        if n % 3:
            other.commit()
    writer.commit()
    other.commit()
    assert found(writer) == expected(writer)
    insert(writer, "last.one")
    delete(writer, "last.one")
    assert rows(writer) <= 2 * sum(len(kind) for kind in expected(writer)), "each sink has inserted a name at most once"
    writer.commit()


def change(connection: psycopg.Connection, mark: str, what: str, idents: list[str]) -> None:
    own = []
    for text in idents:
        ident = json.loads(text)
        own.append(json.dumps({**ident, "name": ident["name"] + mark}))
    if what == "insert":
        insert(connection, *own)
    elif what == "delete":
        delete(connection, *own)
    else:
        connection.execute(
            "update ds set ident = %s where ident = %s and not exists (select from ds where ident = %s)",
            (own[-1], own[0], own[-1]),
        )
