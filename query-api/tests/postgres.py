"""A migrated PostgreSQL: a new database on the server of RONDO_TEST_DATABASE_URL, else on one that ./rondo starts."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import psycopg
from psycopg import sql

from . import journal, running

REPOSITORY = Path(__file__).parents[2]
MIGRATIONS = sorted((REPOSITORY / "schemas" / "sql").glob("V*.sql"))
# The databases of the tests end with the server, so it need not write them to disk.
WITHOUT_DURABILITY = ("fsync", "synchronous_commit", "full_page_writes")


@contextmanager
def folder() -> Iterator[Path]:
    """A new folder for a server's data. For root, each start of pytest locks the server's user out of pytest's own."""
    with TemporaryDirectory(prefix="rondo-tests-") as name:
        yield Path(name)


@contextmanager
def server(directory: Path) -> Iterator[str]:
    """URL of a database of the server."""
    if given := os.environ.get("RONDO_TEST_DATABASE_URL"):
        yield given
        return
    command = [str(REPOSITORY / "rondo"), "postgres", "--dir", str(directory), "--port", "0"]
    with (
        running.shown("postgres", lambda: {"postgres": directory / "postgres.log"}),
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process,
    ):
        try:
            with journal.starting("postgres"):
                assert process.stdout is not None
                url = process.stdout.readline().strip()
                assert url, f"{' '.join(command)} ended with {process.wait()}"
                _forgo_durability(url)
            yield url
        finally:
            process.terminate()
            process.wait()


def _forgo_durability(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for name in WITHOUT_DURABILITY:
            connection.execute(sql.SQL("alter system set {} = off").format(sql.Identifier(name)))
        connection.execute("select pg_reload_conf()")


def url_of(connection: psycopg.Connection, user: str, password: str) -> str:
    """URL of the database of a connection, for a user."""
    return f"postgresql://{user}:{password}@{connection.info.host}:{connection.info.port}/{connection.info.dbname}"


@contextmanager
def fresh_database(server_url: str, migrated: bool = True, properties: str = "encoding 'UTF8'") -> Iterator[str]:
    """URL of a new database, dropped at the end."""
    name = f"rondo_test_{uuid4().hex}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(
            sql.SQL("create database {} {} template template0").format(sql.Identifier(name), sql.SQL(properties))
        )
    url = urlunsplit(urlsplit(server_url)._replace(path=f"/{name}"))
    try:
        if migrated:
            with psycopg.connect(url) as connection:
                for migration in MIGRATIONS:
                    connection.execute(migration.read_bytes())
        yield url
    finally:
        with psycopg.connect(server_url, autocommit=True) as connection:
            connection.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))
