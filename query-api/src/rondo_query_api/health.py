"""Whether the API can serve requests."""

from dataclasses import dataclass

from . import __version__
from .db import Database
from .errors import DatabaseUnavailableError


@dataclass(frozen=True)
class Health:
    """Result of one check of the database; ``reason`` says why it is not ``ok``."""

    ok: bool
    reason: str | None = None
    version: str = __version__


def check_health(database: Database) -> Health:
    """Check once whether the database answers, is migrated and is readable."""
    try:
        [(migrated,)] = database.rows("migrated")
        if migrated:
            database.rows("readable")
    except DatabaseUnavailableError as e:
        return Health(False, str(e))
    if not migrated:
        return Health(False, "the database answers, but its tables are missing: run the migrations of schemas/sql")
    return Health(True)
