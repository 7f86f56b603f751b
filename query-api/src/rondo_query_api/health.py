"""Whether requests can be answered."""

from dataclasses import dataclass

from . import __version__
from .db import Database
from .errors import DatabaseUnavailableError


@dataclass(frozen=True)
class Health:
    """One look at the database; ``reason`` says why it is not ``ok``."""

    ok: bool
    reason: str | None = None
    version: str = __version__


def look(database: Database) -> Health:
    """Ask the database once."""
    try:
        [(migrated,)] = database.rows("migrated")
        if migrated:
            database.rows("readable")
    except DatabaseUnavailableError as e:
        return Health(False, str(e))
    if not migrated:
        return Health(False, "the database answers, but its migrations (schemas/sql) are not there")
    return Health(True)
