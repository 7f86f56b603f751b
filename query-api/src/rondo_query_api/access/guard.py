"""Access control by bearer tokens and by users with passwords, and the user name for the log.

Flask-HTTPAuth is not used: it protects single views, offers only one challenge, and compares no secrets.
"""

import hmac
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import structlog
from flask import Flask, Response, request

from ..errors import ForbiddenError, UnauthorizedError
from ..limits import request_budget
from ..settings import Settings, SettingsError, split_list
from . import scopes, scopes_file
from .proxies import Proxies
from .scopes import Scope
from .scopes_file import digest_of

PUBLIC_PATHS = ("/health", "/health/live", "/health/ready")
METRICS_PATHS, STATUS_PATH = ("/prometheus", "/prometheus/postgres"), "/status"
DEAD_LETTERS_PATHS = ("/dead-letters", "/dead-letters/resend")
# Paths that are forbidden to tokens with a scope.
UNSCOPED_PATHS = (*METRICS_PATHS, STATUS_PATH, *DEAD_LETTERS_PATHS)
# Paths that need no request slot.
SERVICE_PATHS = (*PUBLIC_PATHS, *METRICS_PATHS, STATUS_PATH, "/version")
DELETE = "delete series"
PAGE = "page"  # blueprint of the explorer, whose files are public


@dataclass(frozen=True)
class Access:
    """Rights of the current request.

    ``client`` returns the key of its scope or credentials, or of its address if it has neither. ``writer`` returns the
    user and address for logs, and raises :class:`ForbiddenError` unless the token has the right to write, by default to
    delete series. ``check_events`` raises it unless the request has the right to store events.

    ``is_open`` says that everybody may read, ``can_write`` that some token without a scope has the right to
    write, ``can_delete`` that some token has the right to delete series.
    """

    is_open: bool
    can_write: bool
    can_delete: bool
    scopes: Sequence[Scope]
    client: Callable[[], str]
    writer: Callable[..., str]
    check_events: Callable[[], None]


def guard_requests(app: Flask, settings: Settings) -> Access:
    """Answer 401 to requests without the credentials of the settings, if any; bind user and scope to the log.

    Each request gets the scope of its token before any data is read.
    """
    credentials = _Credentials(settings)
    proxies = Proxies(settings)

    @app.before_request
    def admit() -> None:
        scopes.begin(scope := credentials.scope())
        # A browser sends a CORS preflight request (OPTIONS) without credentials.
        if request.method != "OPTIONS" and request.path not in PUBLIC_PATHS and not is_open_page():
            credentials.check()
        if scope is not None:
            structlog.contextvars.bind_contextvars(scope=scope.name)
            if scope.points:
                key = f"points of scope {scope.name!r} in {scopes_file.SETTING}"
                request_budget.current().limit_points(scope.points, key)
            if request.path in UNSCOPED_PATHS:
                raise ForbiddenError(f"not allowed: {request.path} shows series, records or requests of all scopes")
        if user := user_name():
            structlog.contextvars.bind_contextvars(user=user[:64])

    @app.after_request
    def keep_from_others(response: Response) -> Response:
        """Keep shared caches from serving the response to other credentials."""
        if not credentials.are_open and request.blueprint != PAGE:
            response.vary.add("Authorization")
            response.cache_control.private = True
        return response

    def writer(what: str = DELETE) -> str:
        credentials.check_write(what)
        scope = scopes.current()
        user = scope.client if scope else user_name() or "unknown"
        return f"{user}@{request.remote_addr} by the query API"

    def check_events() -> None:
        if not credentials.are_open:
            credentials.check_write("store events")

    def client() -> str:
        if (scope := scopes.current()) is not None:
            return scope.client
        user = proxied_user()
        return f"user {user}" if user else credentials.known() or f"address {request.remote_addr}"

    def is_open_page() -> bool:
        """Whether the request is for a page and only tokens are accepted: the page itself asks for the token.

        A browser asks for a password before it loads the page.
        """
        is_page = request.blueprint == PAGE or (request.path == STATUS_PATH and not wants_facts())
        return is_page and not credentials.has_users

    def user_name() -> str | None:
        return proxied_user() or (request.authorization.username if request.authorization else None)

    def proxied_user() -> str | None:
        """User name from a trusted proxy's header."""
        is_proxied = settings.user_header and request.remote_addr in proxies
        return request.headers.get(settings.user_header) if is_proxied else None

    return Access(
        credentials.let_everybody_read,
        credentials.can_write,
        credentials.can_delete,
        credentials.scopes,
        client,
        writer,
        check_events,
    )


def wants_facts() -> bool:
    """Whether the request for ``STATUS_PATH`` is for data, not for the page."""
    return "format" in request.args


class _Credentials:
    """Digests of the accepted credentials. Without any, access is open to everyone."""

    def __init__(self, settings: Settings) -> None:
        tokens = _entries("RONDO_API_TOKENS_FILE", settings.tokens, settings.tokens_file)
        users = _entries("RONDO_API_USERS_FILE", settings.users, settings.users_file)
        if incomplete := [user.partition(":")[0] for user in users if not user.partition(":")[2]]:
            raise SettingsError(f"RONDO_API_USERS or its file has {incomplete[0]!r} without a colon and a password")
        self.has_users = bool(users)
        writers = _entries("RONDO_API_WRITE_TOKENS_FILE", settings.write_tokens, settings.write_tokens_file)
        self._writers = [digest_of(f"bearer {each}") for each in writers]
        accepted = [*(f"bearer {each}" for each in tokens), *(f"basic {each}" for each in users)]
        self._digests = [digest_of(each) for each in accepted]
        self._scopes = scopes_file.read(settings.scopes_file)
        self._check_scopes([*tokens, *writers])
        self._digests += self._writers if self._digests or self._scopes else []
        self._challenge = ", ".join(
            ['Bearer realm="rondo"'] * bool(tokens or self._scopes)
            + ['Basic realm="rondo", charset="UTF-8"'] * bool(users)
        )

    def check(self) -> None:
        """Raise :class:`UnauthorizedError` unless the request has accepted credentials.

        The time does not depend on the credentials: all digests are compared, each in constant time.
        """
        is_accepted = _is_one_of(self._digests) or scopes.current() is not None
        if not self.let_everybody_read and not is_accepted:
            reason = "a token or a password is required" if request.authorization is None else "unknown credentials"
            raise UnauthorizedError(f"not allowed: {reason} (header Authorization)", self._challenge_to_client())

    def _challenge_to_client(self) -> str:
        """Offer only tokens to a client that sends one: a browser would ask its user for a password."""
        sends_token = request.authorization is not None and request.authorization.type == "bearer"
        return 'Bearer realm="rondo", error="invalid_token"' if sends_token else self._challenge

    def _check_scopes(self, unlimited_tokens: Iterable[str]) -> None:
        """Raise :class:`SettingsError` if a token has both a scope and access without one."""
        unlimited = {digest_of(token) for token in unlimited_tokens}
        for each in self._scopes:
            if not unlimited.isdisjoint(each.digests):
                fault = "has a token that RONDO_API_TOKENS or RONDO_API_WRITE_TOKENS also has: it would see everything"
                raise SettingsError(f"tokens of scope {each.scope.name!r} {fault} ({scopes_file.SETTING})")

    @property
    def are_open(self) -> bool:
        """Whether no credentials are configured."""
        return self.let_everybody_read and not self._writers

    @property
    def let_everybody_read(self) -> bool:
        """Whether reading needs no credentials; writing may."""
        return not self._digests and not self._scopes

    @property
    def can_write(self) -> bool:
        """Whether there is a token of RONDO_API_WRITE_TOKENS or its file."""
        return bool(self._writers)

    @property
    def can_delete(self) -> bool:
        """Whether there is a token that may delete series."""
        return self.can_write or any(each.scope.may_delete for each in self._scopes)

    @property
    def scopes(self) -> list[Scope]:
        return [each.scope for each in self._scopes]

    def scope(self) -> Scope | None:
        """Scope of the request's token, None if it has none: all digests are compared, each in constant time."""
        given = digest_of(_bearer_token() or "")
        found = [
            each.scope
            for each in self._scopes
            if any([hmac.compare_digest(given, digest) for digest in each.digests])  # noqa: C419
        ]
        return found[0] if found else None

    def known(self) -> str | None:
        """Key of the request's credentials, None unless they are accepted."""
        accepted = [*self._digests, *self._writers]
        return f"credentials {digest_of(_given()).hex()}" if _is_one_of(accepted) else None

    def check_write(self, what: str) -> None:
        """Raise :class:`ForbiddenError` unless the request has a token that may write."""
        if (scope := scopes.current()) is not None:
            _check_scope(scope, what)
        elif not _is_one_of(self._writers):
            raise ForbiddenError(f"not allowed: only a token of RONDO_API_WRITE_TOKENS or its file may {what}")


def _check_scope(scope: Scope, what: str) -> None:
    may, key = (scope.may_delete, "delete = true") if what == DELETE else (scope.may_store_events, 'events = "write"')
    if not may:
        raise ForbiddenError(f"not allowed: scope {scope.name!r} may not {what} ({key} in {scopes_file.SETTING})")


def _is_one_of(digests: Iterable[bytes]) -> bool:
    """Whether the credentials of the request have one of the digests: all are compared, each in constant time."""
    given = digest_of(_given())
    matches = [hmac.compare_digest(given, digest) for digest in digests]
    return any(matches)


def _given() -> str:
    if (token := _bearer_token()) is not None:
        return f"bearer {token}"
    authorization = request.authorization
    if authorization is None:
        return ""
    if authorization.type == "basic":
        return f"basic {authorization.username}:{authorization.password}"
    return f"{authorization.type} {authorization.token}"


def _bearer_token() -> str | None:
    """Token of the header. Werkzeug's parser is not used: it mistakes a token with an equals sign for parameters."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    # WSGI decodes the bytes of headers as Latin-1; settings are UTF-8.
    return token.strip().encode("latin-1", "replace").decode("utf-8", "surrogateescape")


def _entries(variable: str, text: str, file: str) -> list[str]:
    """Entries of the setting, comma separated, and of its file, one on each line."""
    return [*split_list(text), *_lines(variable, file)]


def _lines(variable: str, file: str) -> list[str]:
    if not file:
        return []
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as e:
        raise SettingsError(f"{variable} is {file!r}, which cannot be read: {e}") from e
    found = [line for line in map(str.strip, lines) if line and not line.startswith("#")]
    if not found:
        raise SettingsError(f"{variable} is {file!r}, which has no entry")
    return found
