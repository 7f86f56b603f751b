"""What the environment sets: read once, typed, unknown names refused."""

import difflib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

PREFIX = "RONDO_API_"
LOG_LEVELS = ("debug", "info", "warning", "error")


class SettingsError(ValueError):
    """A setting cannot be used; the message names the variable, its value and its bound."""


def _setting(default: object, doc: str) -> Any:
    return field(default=default, metadata={"doc": doc})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Every field is one variable: ``database_url`` is ``RONDO_API_DATABASE_URL``."""

    database_url: str = _setting("postgresql://rondo@127.0.0.1:5432/rondo", "Where the archives are.")
    bind: str = _setting("127.0.0.1:8888", "Host and port to listen on.")
    workers: int = _setting(2, "Processes.")
    threads: int = _setting(4, "Threads of each process; each may hold one database connection.")
    statement_timeout_ms: int = _setting(10_000, "Longest time for one SQL statement, milliseconds.")
    connect_timeout_ms: int = _setting(2_000, "Longest wait for a database connection, milliseconds.")
    find_max_nodes: int = _setting(100_000, "Most nodes of the tree that one pattern may make it look at.")
    time_zone: str = _setting("UTC", "Zone of times in requests that name none, IANA name.")
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
            given[name] = _positive(variable, text) if known[variable].type is int else text
        return cls(**given)

    def __post_init__(self) -> None:
        """Check what a type cannot say."""
        host, _, port = self.bind.rpartition(":")
        if not host or not port.isdigit():
            raise SettingsError(f"RONDO_API_BIND is {self.bind!r}, not host:port")
        if self.log_level not in LOG_LEVELS:
            raise SettingsError(f"RONDO_API_LOG_LEVEL is {self.log_level!r}, not one of {', '.join(LOG_LEVELS)}")
        try:
            ZoneInfo(self.time_zone)
        except (ZoneInfoNotFoundError, ValueError) as e:
            raise SettingsError(f"RONDO_API_TIME_ZONE is {self.time_zone!r}, not an IANA time zone") from e


def _positive(variable: str, text: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text) < 1:
        raise SettingsError(f"{variable} is {text!r}, not a whole number of at least 1")
    return int(text)


def settings_table() -> str:
    """Render the settings as the Markdown table of the README."""
    rows = [
        f"| `{PREFIX}{each.name.upper()}` | `{each.default}` | {each.metadata['doc']} |" for each in fields(Settings)
    ]
    return "\n".join(["| variable | default | meaning |", "|---|---|---|", *rows]) + "\n"
