"""A series as found, and the key by which statements read it."""

import re
from dataclasses import dataclass
from typing import NamedTuple, Self

HASHES = 1 << 64
KEY = re.compile(r"([0-9]{1,18})-([0-9a-f]{16})")  # the id is below 2**63


class SeriesKey(NamedTuple):
    """Id of the row in ds, and the hash of the ident that it had when it was found (``sql/ident_hash.sql``).

    The id alone does not suffice: after a restore, or on a replica that lags, another series may have it.
    """

    id: int
    ident_hash: int

    @classmethod
    def of(cls, text: str) -> Self:
        """Key that has this :attr:`text`; raises :class:`ValueError` for any other text."""
        match = KEY.fullmatch(text)
        if not match:
            raise ValueError(f"{text[:40]!r} is not the id of a series")
        ident_hash = int(match[2], 16)
        return cls(int(match[1]), ident_hash - HASHES if ident_hash >= HASHES // 2 else ident_hash)

    @property
    def text(self) -> str:
        """How requests and responses name the series."""
        return f"{self.id}-{self.ident_hash % HASHES:016x}"


@dataclass(frozen=True)
class Series:
    """A series as found; ``path`` is its canonical name, ``moves`` how often it has moved to another location."""

    key: SeriesKey
    path: str
    policy: str
    moves: int = 0
