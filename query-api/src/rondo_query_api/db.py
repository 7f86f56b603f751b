"""The only place that runs SQL: the statements of ``sql/`` on a pool that each process opens for itself."""

import math
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import psycopg
from numpy.typing import NDArray
from psycopg import Connection, errors
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.pq import Format
from psycopg_pool import ConnectionPool, PoolTimeout

from . import allowance, measures
from .errors import BadRequestError, DatabaseUnavailableError, ForbiddenError
from .settings import Settings

Row = tuple[Any, ...]
EMPTY_ARRAY = 12  # bytes


@cache
def statement(name: str) -> str:
    """Text of ``sql/<name>.sql``."""
    return resources.files(__package__).joinpath("sql", f"{name}.sql").read_text(encoding="utf-8")


class Database:
    """PostgreSQL, read only but for :meth:`write`; opened by the first statement, so it may be made before a fork."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._opening = threading.Lock()
        self._recent: dict[str, tuple[float, list[Row]]] = {}
        self._pool: ConnectionPool[Connection[Row]] | None = None

    def rows(self, name: str, /, **parameters: object) -> list[Row]:
        """All rows of the statement ``sql/<name>.sql``.

        Raises :class:`DatabaseUnavailableError` when PostgreSQL is away, too slow or not migrated,
        :class:`RequestTimeoutError` when the request has no time left,
        :class:`BadRequestError` when it finds a regular expression too complex.
        """
        with self._in_own_words():
            return self._rows(name, parameters)

    def write(self, name: str, /, **parameters: object) -> list[Row]:
        """Rows of a statement that writes; raises :class:`ForbiddenError` where the user may not, or nobody may."""
        with self._in_own_words():
            return self._written(name, parameters)

    def recent_rows(self, name: str, max_age_s: float) -> list[Row]:
        """All rows of a statement without parameters, as they were at most so many seconds ago."""
        read_at, rows = self._recent.get(name, (-math.inf, []))
        if time.monotonic() - read_at > max_age_s:
            read_at, rows = time.monotonic(), self.rows(name)
            self._recent[name] = read_at, rows
        return rows

    @contextmanager
    def _in_own_words(self) -> Iterator[None]:
        """Tell what goes wrong with PostgreSQL in the API's words."""
        try:
            yield
        except errors.InvalidRegularExpression as e:
            raise BadRequestError(f"the pattern is too complex: {e.diag.message_primary}") from e
        except (errors.UndefinedTable, errors.UndefinedColumn) as e:
            raise DatabaseUnavailableError("the database lacks its migrations (schemas/sql)") from e
        except errors.InsufficientPrivilege as e:
            message = "its user may not read the tables: make it a member of rondo_reader (schemas/sql/roles.sql)"
            raise DatabaseUnavailableError(f"the database answers, but {message}") from e
        except errors.QueryCanceled as e:
            allowance.current().seconds_left()
            limit = self._settings.statement_timeout_ms
            message = f"the database took longer than {limit} ms (RONDO_API_STATEMENT_TIMEOUT_MS)"
            raise DatabaseUnavailableError(message) from e
        except (psycopg.OperationalError, PoolTimeout) as e:
            raise DatabaseUnavailableError("the database does not answer (RONDO_API_DATABASE_URL)") from e

    def _rows(self, name: str, parameters: Mapping[str, object]) -> list[Row]:
        """All rows; of another connection if one was lost since it was used last, which only its next use shows."""
        connection: Connection[Row] | None = None
        try:
            with self._lent() as connection:
                return self._run(connection, name, parameters)
        except psycopg.OperationalError:
            if connection is None or not connection.closed:
                raise
        self._open().check()
        with self._lent() as connection:
            return self._run(connection, name, parameters)

    def _written(self, name: str, parameters: Mapping[str, object]) -> list[Row]:
        self._open().check()  # what writes is not tried twice
        with self._lent() as connection:
            try:
                with connection.transaction():
                    connection.execute(statement("writing"))
                    return self._run(connection, name, parameters)
            except errors.InsufficientPrivilege as e:
                grant = "make it a member of rondo_event_writer (schemas/sql/roles.sql)"
                raise ForbiddenError(f"the database's user may not store events: {grant}") from e
            except (errors.ReadOnlySqlTransaction, errors.FeatureNotSupported) as e:
                raise ForbiddenError(f"the database cannot be written to: {e.diag.message_primary}") from e

    def _lent(self) -> AbstractContextManager[Connection[Row]]:
        seconds = allowance.current().seconds_left()
        return self._open().connection(min(seconds, self._settings.connect_timeout_ms / 1000))

    def _run(self, connection: Connection[Row], name: str, parameters: Mapping[str, object]) -> list[Row]:
        """Run it for no longer than the request may still take, rounded up to whole milliseconds."""
        left_ms = allowance.current().seconds_left() * 1000
        with measures.STATEMENT_SECONDS.labels(name).time():
            if left_ms >= self._settings.statement_timeout_ms:
                return connection.execute(statement(name), parameters or None, binary=True).fetchall()
            with connection.transaction():
                connection.execute(statement("within"), {"milliseconds": str(int(left_ms) + 1)})
                return connection.execute(statement(name), parameters or None, binary=True).fetchall()

    def close(self) -> None:
        """Close the connections; a later statement opens new ones."""
        with self._opening:
            if self._pool is not None:
                self._pool.close()
                self._pool = None

    def _open(self) -> ConnectionPool[Connection[Row]]:
        with self._opening:
            if self._pool is None:
                self._pool = ConnectionPool(
                    self._settings.database_url,
                    min_size=1,
                    max_size=self._settings.threads,
                    timeout=self._settings.connect_timeout_ms / 1000,
                    # Short, so that a database that comes back is found at once and not after a long back-off.
                    reconnect_timeout=1,
                    kwargs={"autocommit": True, "application_name": "rondo-query-api", "connect_timeout": 2},
                    configure=lambda connection: prepare(connection, self._settings.statement_timeout_ms),
                    open=True,
                )
            return self._pool


class _NumbersLoader(Loader):
    """Reads an array of one dimension without nulls into NumPy: 20 bytes of head, then each with its length."""

    format = Format.BINARY
    number: str

    def load(self, data: Buffer) -> NDArray[Any]:
        if len(data) <= EMPTY_ARRAY:
            return np.empty(0, self.number)
        return np.frombuffer(data, [("length", ">i4"), ("number", self.number)], offset=20)["number"]


class _DoublesLoader(_NumbersLoader):
    number = ">f8"


class _IntegersLoader(_NumbersLoader):
    number = ">i4"


def prepare(connection: Connection[Row], statement_timeout_ms: int) -> None:
    """Set the session as the statements want it; arrays of float8 and integer come as NumPy's."""
    for array, loader in (("float8[]", _DoublesLoader), ("int4[]", _IntegersLoader)):
        connection.adapters.register_loader(connection.adapters.types.get_oid(array), loader)
    session = {
        "statement_timeout": str(statement_timeout_ms),
        "default_transaction_read_only": "on",
        "jit": "off",
        # Each statement is made for an index; without statistics on idents the planner would at times sort instead.
        "enable_seqscan": "off",
        "enable_bitmapscan": "off",
    }
    connection.execute(statement("session"), {"names": list(session), "values": list(session.values())})
