"""Who may ask: bearer tokens and users with passwords, from settings and files; and what the log calls who asks."""

import hmac
from collections.abc import Iterable
from hashlib import sha256
from ipaddress import ip_address, ip_network
from pathlib import Path

import structlog
from flask import Flask, Request, request

from .errors import UnauthorizedError
from .settings import Settings, SettingsError, listed

OPEN_PATHS = ("/health", "/health/live", "/health/ready")
PAGE = "page"  # the blueprint of the explorer, whose files are no secret


def guard(app: Flask, settings: Settings) -> None:
    """Answer 401 to whoever may not ask, where the settings name tokens or users; bind the user's name to the log."""
    keys = _Keys(settings)
    proxies = [ip_network(each, strict=False) for each in listed(settings.trusted_proxies)]

    @app.before_request
    def admit() -> None:
        # A browser asks with OPTIONS whether it may send what it would be let in by.
        if request.method != "OPTIONS" and request.path not in OPEN_PATHS and not _asks_itself(request):
            keys.check(request)
        if user := _user(request):
            structlog.contextvars.bind_contextvars(user=user[:64])

    def _asks_itself(asked: Request) -> bool:
        """Whether it is the explorer, which asks for a token; for a password the browser does before it opens."""
        return asked.blueprint == PAGE and not keys.of_users

    def _user(asked: Request) -> str | None:
        """Name that a trusted proxy gives, else the one of the password."""
        if settings.user_header and _is_in(asked.remote_addr, proxies) and asked.headers.get(settings.user_header):
            return asked.headers[settings.user_header]
        return asked.authorization.username if asked.authorization else None


class _Keys:
    """Digests of what lets one in; none at all lets everyone in."""

    def __init__(self, settings: Settings) -> None:
        tokens = _all("RONDO_API_TOKENS_FILE", settings.tokens, settings.tokens_file)
        users = _all("RONDO_API_USERS_FILE", settings.users, settings.users_file)
        if wrong := [user.partition(":")[0] for user in users if not user.partition(":")[2]]:
            raise SettingsError(f"RONDO_API_USERS or its file has {wrong[0]!r} without a colon and a password")
        self.of_users = bool(users)
        self._digests = [_digest(f"bearer {each}") for each in tokens] + [_digest(f"basic {each}") for each in users]
        self._challenge = ", ".join(
            ['Bearer realm="rondo"'] * bool(tokens) + ['Basic realm="rondo", charset="UTF-8"'] * bool(users)
        )

    def check(self, asked: Request) -> None:
        """Raise :class:`UnauthorizedError` unless it has a token or a user's password; any wrong one takes as long."""
        given = _digest(_given(asked))
        matches = [hmac.compare_digest(given, digest) for digest in self._digests]
        if matches and not any(matches):
            reason = "a token or a password is needed" if asked.authorization is None else "it is not known"
            raise UnauthorizedError(f"not allowed: {reason} (Authorization)", self._challenge)


def _given(asked: Request) -> str:
    authorization = asked.authorization
    if authorization is None:
        return ""
    if authorization.type == "basic":
        return f"basic {authorization.username}:{authorization.password}"
    return f"{authorization.type} {authorization.token}"


def _digest(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def _all(variable: str, text: str, file: str) -> list[str]:
    """Those of the setting, comma separated, and of its file, one a line."""
    return [*listed(text), *_lines(variable, file)]


def _lines(variable: str, file: str) -> list[str]:
    if not file:
        return []
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as e:
        raise SettingsError(f"{variable} is {file!r}, which cannot be read: {e}") from e
    found = [line for line in map(str.strip, lines) if line and not line.startswith("#")]
    if not found:
        raise SettingsError(f"{variable} is {file!r}, which names nobody")
    return found


def _is_in(address: str | None, networks: Iterable[object]) -> bool:
    try:
        return any(ip_address(address or "") in network for network in networks)  # type: ignore[operator]
    except ValueError:
        return False
