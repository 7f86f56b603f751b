"""The only module that executes SQL: the statements of ``sql/``, on a pool that each process opens itself."""

import math
import os
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager, suppress
from contextvars import copy_context
from functools import cache, partial
from importlib import resources
from typing import Any

import psycopg
from psycopg import Connection, errors
from psycopg_pool import ConnectionPool, PoolTimeout

from . import metrics
from .access import scopes
from .errors import BadRequestError, DatabaseUnavailableError, ForbiddenError
from .limits import request_budget
from .settings import Settings

Row = tuple[Any, ...]
Parameters = Mapping[str, object]
INCLUDE = re.compile(r"\{(\w+)\}")
# Refuse servers that request the password itself or its MD5: an impostor would learn it. libpq reads the variable since
# PostgreSQL 16; require_auth in the URL overrides it.
REQUIRED_AUTH = ("PGREQUIREAUTH", "!password,!md5")
ENCODING = "UTF8"  # the only one that stores every name
CANCEL_S = 2.0
NO_WAIT_S = 0.001  # seconds, the minimum that the pool accepts
MAX_REASON = 300  # characters
# Statements that look up idents by their tags. Each execution is planned again, because the number of matches differs;
# their index requires a bitmap scan, which all other statements avoid.
BY_IDENT = {"series_by_tags", "tags_of_series", "values_of_series", "values_with_series"}
BY_IDENT_SESSION = {
    "plan_cache_mode": "force_custom_plan",
    "enable_bitmapscan": "on",
    "enable_indexscan": "off",
    "enable_indexonlyscan": "off",
}
# Statements that read all series; in a scope, they look up idents, too.
BY_IDENT_IN_SCOPE = BY_IDENT | {
    *("tags", "tag_values", "tag_counts", "value_counts", "newest_series", "series_of_policy"),
    *(f"cardinality_of_{key}" for key in ("policies", "sources", "prefixes", "tags", "values")),
}


@cache
def statement(name: str, scoped: bool = False) -> str:
    """Text of ``sql/<name>.sql``; ``{name}`` in it includes another file.

    For a request with a scope, files of ``sql/scoped`` replace those with the same names.
    """
    folder = resources.files(__package__) / "sql"
    in_scope = folder / "scoped" / f"{name}.sql"
    file = in_scope if scoped and in_scope.is_file() else folder / f"{name}.sql"
    return INCLUDE.sub(lambda include: statement(include[1], scoped), file.read_text(encoding="utf-8"))


def array(elements: Iterable[object]) -> str:
    """PostgreSQL's array literal of elements without special characters: psycopg takes ten times as long for a list."""
    return f"{{{','.join(map(str, elements))}}}"


class Database:
    """Connection pool to PostgreSQL, read only except for :meth:`write`.

    The first statement opens the pool, so an instance may be created before a fork.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._pool_lock = threading.Lock()
        self._recent: dict[str, tuple[float, list[Row]]] = {}
        self._pool: ConnectionPool[Connection[Row]] | None = None
        self._refusal = ""  # why the latest attempt to connect failed; empty if it succeeded
        self._threads = ThreadPoolExecutor(settings.threads, "parts")

    def rows(self, name: str, /, **parameters: object) -> list[Row]:
        """All rows of the statement ``sql/<name>.sql``.

        Raises :class:`DatabaseUnavailableError` if PostgreSQL does not answer, is too slow or is not migrated,
        :class:`RequestTimeoutError` if the request has no time left, and
        :class:`BadRequestError` if PostgreSQL rejects a regular expression as too complex.
        """
        with self._translated_errors():
            return self._rows(name, lambda parts: [parameters], 1)

    def rows_of_parts(self, name: str, parameters: Callable[[int], Sequence[Parameters]]) -> list[Row]:
        """All rows of a statement that can run in parts; ``parameters(n)`` returns the parameters of n parts.

        The parts run in parallel, each on its own connection: as many as are idle and ``request_connections`` allows.
        """
        with self._translated_errors():
            return self._rows(name, parameters, self._settings.request_connections)

    def write(self, name: str, /, **parameters: object) -> list[Row]:
        """Rows of a statement that writes; raises :class:`ForbiddenError` if the user, or the server, may not write."""
        with self._translated_errors():
            return self._write(name, parameters)

    def recent_rows(self, name: str, max_age_s: float) -> list[Row]:
        """All rows of a statement without parameters, cached for ``max_age_s`` seconds."""
        read_at, rows = self._recent.get(name, (-math.inf, []))
        if time.monotonic() - read_at > max_age_s:
            read_at, rows = time.monotonic(), self.rows(name)
            self._recent[name] = read_at, rows
        return rows

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        try:
            yield
        except (errors.InvalidRegularExpression, errors.StatementTooComplex) as e:
            raise BadRequestError(f"the pattern is too complex: {e.diag.message_primary}") from e
        except psycopg.DataError as e:
            raise BadRequestError(f"PostgreSQL refuses a value: {e.diag.message_primary or e}") from e
        except (errors.UndefinedTable, errors.UndefinedColumn) as e:
            message = "the database lacks tables or columns: run the migrations of schemas/sql"
            raise DatabaseUnavailableError(message, reason(e)) from e
        except errors.InsufficientPrivilege as e:
            message = (
                "the database's user may not read the tables: make it a member of rondo_reader (schemas/sql/roles.sql)"
            )
            raise DatabaseUnavailableError(message, reason(e)) from e
        except errors.QueryCanceled as e:
            request_budget.current().seconds_left()
            limit = self._settings.statement_timeout_ms
            message = f"a database statement took longer than {limit} ms (RONDO_API_STATEMENT_TIMEOUT_MS)"
            raise DatabaseUnavailableError(message, reason(e)) from e
        except PoolTimeout as e:
            message = "the database does not answer (RONDO_API_DATABASE_URL)"
            raise DatabaseUnavailableError(message, self._refusal or reason(e)) from e
        except (psycopg.OperationalError, psycopg.InternalError) as e:
            what = f"refuses a statement (SQLSTATE {e.sqlstate})" if e.sqlstate else "does not answer"
            raise DatabaseUnavailableError(f"the database {what} (RONDO_API_DATABASE_URL)", reason(e)) from e

    def _rows(self, name: str, parameters: Callable[[int], Sequence[Parameters]], most: int) -> list[Row]:
        """All rows. A lost connection is noticed only in use: then check the pool, and retry the statement."""
        checked_out: list[Connection[Row]] = []
        try:
            with self._check_out(most) as checked_out:
                return self._run_parts(checked_out, name, parameters(len(checked_out)))
        except psycopg.OperationalError:
            if not any(connection.closed for connection in checked_out):
                raise
        self._open().check()
        with self._check_out(1) as checked_out:
            return self._run_parts(checked_out, name, parameters(1))

    def _write(self, name: str, parameters: Parameters) -> list[Row]:
        self._open().check()  # beforehand, because a write is never retried
        with self._check_out(1) as [connection]:
            try:
                with connection.transaction():
                    connection.execute(statement("writing"))
                    return self._run(connection, name, parameters)
            except errors.InsufficientPrivilege as e:
                grant = "make it a member of rondo_event_writer (schemas/sql/roles.sql)"
                raise ForbiddenError(f"the database's user may not store events: {grant}") from e
            except (errors.ReadOnlySqlTransaction, errors.FeatureNotSupported) as e:
                raise ForbiddenError(f"the database is read-only: {e.diag.message_primary}") from e

    @contextmanager
    def _check_out(self, most: int) -> Iterator[list[Connection[Row]]]:
        """Check out one connection, and more up to ``most`` while they are idle."""
        seconds = request_budget.current().seconds_left()
        pool = self._open()
        checked_out = [pool.getconn(min(seconds, self._settings.connect_timeout_ms / 1000))]
        try:
            _check_encoding(checked_out[0])
            idle = pool.get_stats()["pool_available"] if most > 1 else 0
            with suppress(PoolTimeout):  # another request has taken the idle connection
                for _ in range(min(most - 1, idle)):
                    checked_out.append(pool.getconn(NO_WAIT_S))
            yield checked_out
        finally:
            for connection in checked_out:
                pool.putconn(connection)

    def _run_parts(self, checked_out: Sequence[Connection[Row]], name: str, parts: Sequence[Parameters]) -> list[Row]:
        """Run each part on its own connection; all parts have ended when this returns or raises."""
        if len(parts) == 1:
            return self._run(checked_out[0], name, parts[0])
        others = [
            self._threads.submit(copy_context().run, self._run, connection, name, part)
            for connection, part in zip(checked_out[1:], parts[1:], strict=False)
        ]
        try:
            rows = self._run(checked_out[0], name, parts[0])
        finally:
            wait(others)
        return [*rows, *(row for other in others for row in other.result())]

    def _run(self, connection: Connection[Row], name: str, parameters: Parameters) -> list[Row]:
        """Run a statement with a timeout of at most the time left for the request, rounded up to milliseconds."""
        session = session_of(self._settings.statement_timeout_ms) if is_pooled(connection) else {}
        scope = scopes.current()
        if name in (BY_IDENT_IN_SCOPE if scope else BY_IDENT):
            session |= BY_IDENT_SESSION
        text = statement(name, scoped=scope is not None)
        if scope and text != statement(name):
            parameters = {**parameters, **scope.parameters}
        budget = request_budget.current()
        left_ms = budget.seconds_left() * 1000
        if left_ms < self._settings.statement_timeout_ms:
            session["statement_timeout"] = str(int(left_ms) + 1)
        with metrics.STATEMENT_SECONDS.labels(name).time(), ExitStack() as stack:
            stack.enter_context(budget.running(partial(_cancel, connection)))
            if session:
                stack.enter_context(connection.transaction())
                set_parameters(connection, session, transaction=True)
            rows = connection.execute(text, parameters or None, binary=True).fetchall()
        budget.take_rows(len(rows))
        return rows

    def close(self) -> None:
        """Close the pool; the next statement opens a new one."""
        with self._pool_lock:
            if self._pool is not None:
                self._pool.close()
                self._pool = None

    def _open(self) -> ConnectionPool[Connection[Row]]:
        with self._pool_lock:
            if self._pool is None:
                os.environ.setdefault(*REQUIRED_AUTH)
                self._pool = ConnectionPool(
                    self._settings.database_url,
                    connection_class=self._connection_class(),
                    min_size=min(self._settings.request_connections, self._settings.threads),
                    max_size=self._settings.threads,
                    timeout=self._settings.connect_timeout_ms / 1000,
                    # Short, so that a restarted database is used at once and not after a long back-off.
                    reconnect_timeout=1,
                    kwargs={
                        "autocommit": True,
                        "application_name": "rondo-query-api",
                        "connect_timeout": 2,
                        "client_encoding": ENCODING,
                        "prepare_threshold": 0,  # prepare each statement at its first execution
                    },
                    configure=self._prepare,
                    open=True,
                )
            return self._pool

    def _connection_class(self) -> type[Connection[Row]]:
        """Return a class whose ``connect`` keeps the reason of a failure, which the pool only logs."""
        keeping = self._keeping_refusal

        class KeptConnection(Connection[Row]):
            @classmethod
            def connect(cls, *arguments: Any, **parameters: Any) -> Any:
                with keeping():
                    return super().connect(*arguments, **parameters)

        return KeptConnection

    def _prepare(self, connection: Connection[Row]) -> None:
        with self._keeping_refusal():
            prepare(connection, self._settings.statement_timeout_ms)

    @contextmanager
    def _keeping_refusal(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as e:
            self._refusal = reason(e)
            raise
        self._refusal = ""


def reason(error: psycopg.Error) -> str:
    """One line: ``[SQLSTATE] ERROR: text`` from the server, or the library's text, which has no SQLSTATE."""
    text = str(error)
    if error.sqlstate and error.diag.message_primary:
        text = f"[{error.sqlstate}] {error.diag.severity}: {error.diag.message_primary}"
    return " ".join(text.split())[:MAX_REASON]


def _check_encoding(connection: Connection[Row]) -> None:
    if (encoding := connection.info.parameter_status("server_encoding")) != ENCODING:
        advice = f"create database rondo encoding '{ENCODING}' locale 'C' template template0;"
        raise DatabaseUnavailableError(
            f"the database is {encoding}, not {ENCODING}: create another one: {advice} (RONDO_API_DATABASE_URL)"
        )


def _cancel(connection: Connection[Row]) -> None:
    with suppress(psycopg.Error):  # the statement then runs until its timeout
        connection.cancel_safe(timeout=CANCEL_S)


def prepare(connection: Connection[Row], statement_timeout_ms: int) -> None:
    """Set the session parameters that the statements rely on.

    A pooler such as PgBouncer may run each transaction in another session: then each transaction sets them, and no
    statement is prepared.
    """
    [(backend,)] = connection.execute(statement("backend"), prepare=False).fetchall()
    if backend != connection.info.backend_pid:
        connection.prepare_threshold = None
        connection.read_only = True
    else:
        session = session_of(statement_timeout_ms) | {"default_transaction_read_only": "on"}
        set_parameters(connection, session, transaction=False)


def is_pooled(connection: Connection[Row]) -> bool:
    """Whether :func:`prepare` found a pooler between the connection and PostgreSQL."""
    return connection.prepare_threshold is None


def session_of(statement_timeout_ms: int) -> dict[str, str]:
    """Parameters that the statements rely on."""
    return {
        "statement_timeout": str(statement_timeout_ms),
        "jit": "off",
        # No plan depends on the parameters, and planning takes as long as running a small statement.
        "plan_cache_mode": "force_generic_plan",
        # Each statement is written for an index; without statistics on idents the planner sometimes sorts instead.
        "enable_seqscan": "off",
        "enable_bitmapscan": "off",
    }


def set_parameters(connection: Connection[Row], session: Mapping[str, str], transaction: bool) -> None:
    """Set parameters for the session, or for the current transaction only."""
    names, values = list(session), list(session.values())
    connection.execute(statement("session"), {"names": names, "values": values, "transaction": transaction})
