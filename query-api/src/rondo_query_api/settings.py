"""What the environment sets: read once, typed, unknown names refused."""

import difflib
import os
import re
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from ipaddress import ip_network
from typing import Any, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

PREFIX = "RONDO_API_"
PATH_PREFIX = re.compile(r"(/[\w.~-]+)+", re.ASCII)
LOG_LEVELS = ("debug", "info", "warning", "error")


class SettingsError(ValueError):
    """A setting cannot be used; the message names the variable, its value and its bound."""


def _setting(default: object, doc: str, least: int = 1) -> Any:
    return field(default=default, metadata={"doc": doc, "least": least})


def _secret(doc: str) -> Any:
    return field(default="", repr=False, metadata={"doc": doc})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Every field is one variable: ``database_url`` is ``RONDO_API_DATABASE_URL``."""

    database_url: str = _setting("postgresql://rondo@127.0.0.1:5432/rondo", "Where the archives are.")
    bind: str = _setting("127.0.0.1:8888", "Host and port to listen on.")
    path_prefix: str = _setting("", "Path before all others, such as `/graphite`.")
    workers: int = _setting(2, "Processes.")
    threads: int = _setting(4, "Threads of each process; each may hold one database connection.")
    request_connections: int = _setting(
        2, "Most database connections of one request at a time; more than one only while they are idle."
    )
    statement_timeout_ms: int = _setting(10_000, "Longest time for one SQL statement, milliseconds.")
    request_timeout_ms: int = _setting(30_000, "Longest time for one request, milliseconds; then it is ended with 504.")
    connect_timeout_ms: int = _setting(2_000, "Longest wait for a database connection, milliseconds.")
    find_max_nodes: int = _setting(100_000, "Most nodes of the tree that one pattern may make it look at.")
    time_zone: str = _setting("UTC", "Zone of times in requests that name none, IANA name.")
    max_targets: int = _setting(1_000, "Most targets of a request.")
    max_target_length: int = _setting(65_536, "Longest target, characters.")
    max_range_days: int = _setting(36_525, "Longest time from `from` to `until`, days.")
    max_series: int = _setting(50_000, "Most series that a request reads, those of all its targets.")
    max_points: int = _setting(10_000_000, "Most points that a request reads or computes.")
    max_events: int = _setting(10_000, "Most events of an answer.")
    max_body_bytes: int = _setting(4_194_304, "Longest body of a request, bytes.")
    tokens: str = _secret(
        "Bearer tokens that let one in, comma separated. Without tokens and users everyone is let in."
    )
    tokens_file: str = _setting("", "File with more of them, one a line.")
    users: str = _secret("Users and passwords that let one in by basic authentication: `ann:secret,bob:other`.")
    users_file: str = _setting("", "File with more of them, one a line.")
    user_header: str = _setting(
        "", "Header in which a trusted proxy tells the user's name, for the log: `X-Forwarded-User`."
    )
    trusted_proxies: str = _setting("127.0.0.1,::1", "Addresses or networks whose header is believed, comma separated.")
    allowed_origins: str = _setting(
        "", "Origins whose pages may ask from a browser (CORS), comma separated; `*` for all."
    )
    cache_seconds: int = _setting(10, "Longest time that an answer of `/render` is kept, seconds; 0 for none.", least=0)
    cache_bytes: int = _setting(33_554_432, "Room for such answers in each process, bytes.")
    log_level: str = _setting("info", f"Least level that is logged: {', '.join(LOG_LEVELS)}.")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Read every ``RONDO_API_*`` variable; raises :class:`SettingsError` for an unknown or unusable one."""
        known = {PREFIX + each.name.upper(): each for each in fields(cls)}
        given: dict[str, Any] = {}
        for variable, text in environment.items():
            if not variable.startswith(PREFIX):
                continue
            if variable not in known:
                nearest = difflib.get_close_matches(variable, known, n=1, cutoff=0)[0]
                raise SettingsError(f"{variable} is not a setting; the nearest one is {nearest}")
            name = known[variable].name
            given[name] = _number(known[variable], text) if known[variable].type is int else text
        return cls(**given)

    def __post_init__(self) -> None:
        """Check what a type cannot say."""
        host, _, port = self.bind.rpartition(":")
        if not host or not port.isdigit():
            raise SettingsError(f"RONDO_API_BIND is {self.bind!r}, not host:port")
        if self.log_level not in LOG_LEVELS:
            raise SettingsError(f"RONDO_API_LOG_LEVEL is {self.log_level!r}, not one of {', '.join(LOG_LEVELS)}")
        if self.path_prefix and not PATH_PREFIX.fullmatch(self.path_prefix):
            raise SettingsError(f"RONDO_API_PATH_PREFIX is {self.path_prefix!r}, not a path such as /graphite")
        for proxy in listed(self.trusted_proxies):
            try:
                ip_network(proxy, strict=False)
            except ValueError as e:
                raise SettingsError(f"RONDO_API_TRUSTED_PROXIES has {proxy!r}, not an address or network") from e
        try:
            ZoneInfo(self.time_zone)
        except (ZoneInfoNotFoundError, ValueError) as e:
            raise SettingsError(f"RONDO_API_TIME_ZONE is {self.time_zone!r}, not an IANA time zone") from e


def _number(setting: Field[Any], text: str) -> int:
    least = setting.metadata["least"]
    if not (text.isascii() and text.isdigit()) or int(text) < least:
        variable = PREFIX + setting.name.upper()
        raise SettingsError(f"{variable} is {text!r}, not a whole number of at least {least}")
    return int(text)


def listed(text: str) -> list[str]:
    """Split what is comma separated."""
    return [each.strip() for each in text.split(",") if each.strip()]


def settings_table() -> str:
    """Render the settings as the Markdown table of the README."""
    rows = [
        f"| `{PREFIX}{each.name.upper()}` | {_shown(each.default)} | {each.metadata['doc']} |"
        for each in fields(Settings)
    ]
    return "\n".join(["| variable | default | meaning |", "|---|---|---|", *rows]) + "\n"


def _shown(default: object) -> str:
    return "" if default == "" else f"`{default}`"
