"""The only place that runs SQL: the statements of ``sql/`` on a pool that each process opens for itself."""

import math
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager, suppress
from contextvars import copy_context
from functools import cache
from importlib import resources
from typing import Any

import psycopg
from psycopg import Connection, errors
from psycopg_pool import ConnectionPool, PoolTimeout

from . import allowance, measures
from .errors import BadRequestError, DatabaseUnavailableError, ForbiddenError
from .settings import Settings

Row = tuple[Any, ...]
Parameters = Mapping[str, object]
COMMON = re.compile(r"\{(\w+)\}")
AT_ONCE = 0.001  # seconds, the least that the pool takes
# Statements that look up idents by what they have. How many have it differs so much that each question has its plan,
# and the index is read by a kind of plan that no others have.
BY_IDENT = {"series_by_tags", "tags_of_series", "values_of_series", "values_with_series"}
BY_IDENT_SESSION = {
    "plan_cache_mode": "force_custom_plan",
    "enable_bitmapscan": "on",
    "enable_indexscan": "off",
    "enable_indexonlyscan": "off",
}


@cache
def statement(name: str) -> str:
    """Text of ``sql/<name>.sql``; what it has in common with others stands as ``{name}`` of a file of its own."""
    text = resources.files(__package__).joinpath("sql", f"{name}.sql").read_text(encoding="utf-8")
    return COMMON.sub(lambda common: statement(common[1]), text)


class Database:
    """PostgreSQL, read only but for :meth:`write`; opened by the first statement, so it may be made before a fork."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._opening = threading.Lock()
        self._recent: dict[str, tuple[float, list[Row]]] = {}
        self._pool: ConnectionPool[Connection[Row]] | None = None
        self._threads = ThreadPoolExecutor(settings.threads, "parts")

    def rows(self, name: str, /, **parameters: object) -> list[Row]:
        """All rows of the statement ``sql/<name>.sql``.

        Raises :class:`DatabaseUnavailableError` when PostgreSQL is away, too slow or not migrated,
        :class:`RequestTimeoutError` when the request has no time left,
        :class:`BadRequestError` when it finds a regular expression too complex.
        """
        with self._in_own_words():
            return self._rows(name, lambda parts: [parameters], 1)

    def rows_of_parts(self, name: str, parameters: Callable[[int], Sequence[Parameters]]) -> list[Row]:
        """All rows of a statement that can be asked in parts, of which ``parameters`` gives as many as it is told.

        Each part has a connection of its own, at the same time: as many as the settings allow of those that are idle.
        """
        with self._in_own_words():
            return self._rows(name, parameters, self._settings.request_connections)

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

    def _rows(self, name: str, parameters: Callable[[int], Sequence[Parameters]], most: int) -> list[Row]:
        """All rows; of other connections if one was lost since it was used last, which only its next use shows."""
        lent: list[Connection[Row]] = []
        try:
            with self._lent(most) as lent:
                return self._run_parts(lent, name, parameters(len(lent)))
        except psycopg.OperationalError:
            if not any(connection.closed for connection in lent):
                raise
        self._open().check()
        with self._lent(1) as lent:
            return self._run_parts(lent, name, parameters(1))

    def _written(self, name: str, parameters: Parameters) -> list[Row]:
        self._open().check()  # what writes is not tried twice
        with self._lent(1) as [connection]:
            try:
                with connection.transaction():
                    connection.execute(statement("writing"))
                    return self._run(connection, name, parameters)
            except errors.InsufficientPrivilege as e:
                grant = "make it a member of rondo_event_writer (schemas/sql/roles.sql)"
                raise ForbiddenError(f"the database's user may not store events: {grant}") from e
            except (errors.ReadOnlySqlTransaction, errors.FeatureNotSupported) as e:
                raise ForbiddenError(f"the database cannot be written to: {e.diag.message_primary}") from e

    @contextmanager
    def _lent(self, most: int) -> Iterator[list[Connection[Row]]]:
        """Lend a connection and, up to so many, those that are idle."""
        seconds = allowance.current().seconds_left()
        pool = self._open()
        lent = [pool.getconn(min(seconds, self._settings.connect_timeout_ms / 1000))]
        try:
            idle = pool.get_stats()["pool_available"] if most > 1 else 0
            with suppress(PoolTimeout):  # another request was faster
                for _ in range(min(most - 1, idle)):
                    lent.append(pool.getconn(AT_ONCE))
            yield lent
        finally:
            for connection in lent:
                pool.putconn(connection)

    def _run_parts(self, lent: Sequence[Connection[Row]], name: str, parts: Sequence[Parameters]) -> list[Row]:
        """Run each part on its connection; all have ended when it returns or raises."""
        if len(parts) == 1:
            return self._run(lent[0], name, parts[0])
        others = [
            self._threads.submit(copy_context().run, self._run, connection, name, part)
            for connection, part in zip(lent[1:], parts[1:], strict=False)
        ]
        try:
            rows = self._run(lent[0], name, parts[0])
        finally:
            wait(others)
        return [*rows, *(row for other in others for row in other.result())]

    def _run(self, connection: Connection[Row], name: str, parameters: Parameters) -> list[Row]:
        """Run it for no longer than the request may still take, rounded up to whole milliseconds."""
        session = dict(BY_IDENT_SESSION) if name in BY_IDENT else {}
        left_ms = allowance.current().seconds_left() * 1000
        if left_ms < self._settings.statement_timeout_ms:
            session["statement_timeout"] = str(int(left_ms) + 1)
        with measures.STATEMENT_SECONDS.labels(name).time(), ExitStack() as stack:
            if session:
                stack.enter_context(connection.transaction())
                set_parameters(connection, session, transaction=True)
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
                    min_size=min(self._settings.request_connections, self._settings.threads),
                    max_size=self._settings.threads,
                    timeout=self._settings.connect_timeout_ms / 1000,
                    # Short, so that a database that comes back is found at once and not after a long back-off.
                    reconnect_timeout=1,
                    kwargs={
                        "autocommit": True,
                        "application_name": "rondo-query-api",
                        "connect_timeout": 2,
                        "prepare_threshold": 0,  # each statement, when it is run first
                    },
                    configure=lambda connection: prepare(connection, self._settings.statement_timeout_ms),
                    open=True,
                )
            return self._pool


def prepare(connection: Connection[Row], statement_timeout_ms: int) -> None:
    """Set the session as the statements want it."""
    session = {
        "statement_timeout": str(statement_timeout_ms),
        "default_transaction_read_only": "on",
        "jit": "off",
        # No plan depends on what is asked for; planning a question anew takes as long as a small answer.
        "plan_cache_mode": "force_generic_plan",
        # Each statement is made for an index; without statistics on idents the planner would at times sort instead.
        "enable_seqscan": "off",
        "enable_bitmapscan": "off",
    }
    set_parameters(connection, session, transaction=False)


def set_parameters(connection: Connection[Row], session: Mapping[str, str], transaction: bool) -> None:
    """Set parameters for the whole session, or for its transaction alone."""
    names, values = list(session), list(session.values())
    connection.execute(statement("session"), {"names": names, "values": values, "transaction": transaction})
