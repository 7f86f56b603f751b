"""Counts series by policy, source, prefix of the name, tag, and value of a tag.

In a table with more than ``SAMPLED_PAGES`` pages, about that many are read, always the same ones. Counts are then
estimates: the count of a key with one in a hundred series is accurate to a few per cent; a rare key may be missed.
"""

from dataclasses import dataclass

from ..db import Database

SAMPLED_PAGES = 2_000
MAX_VALUES = 10_000


@dataclass(frozen=True)
class Group:
    """Series with one key, and how many of them are new; of a tag also its number of values, at most ``MAX_VALUES``."""

    key: str
    series: int
    new: int
    values: int | None = None


@dataclass(frozen=True)
class Cardinality:
    """Series in total and by key; ``share`` (0..1) of the table was read. Below 1, numbers are estimates."""

    share: float
    series: int
    new: int
    groups: list[Group]


class Census:
    """Counts series; new ones are those that began at or after ``since``, epoch seconds.

    Groups are the ``most`` largest, with ``since`` those with the most new series.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def tags(self, most: int, since: float | None) -> Cardinality:
        """Count by tag other than the name."""
        counted = self.count("tags", most, since)
        names = [group.key for group in counted.groups]
        values: dict[str, int] = dict(self._database.rows("value_counts", tags=names, most=MAX_VALUES))
        groups = [Group(group.key, group.series, group.new, values[group.key]) for group in counted.groups]
        return Cardinality(counted.share, counted.series, counted.new, groups)

    def count(self, by: str, most: int, since: float | None, **parameters: str) -> Cardinality:
        """Count by ``policies``; ``sources``, topics of the first points; ``prefixes``; or ``values`` of a ``tag``.

        Prefixes are the ``prefix``, some nodes and a dot or empty, with the next node.
        """
        [(pages,)] = self._database.rows("ds_pages")
        share = min(1.0, SAMPLED_PAGES / pages) if pages else 1.0
        rows = self._database.rows(
            f"cardinality_of_{by}",
            percent=100 * share,
            since=since,
            by_new=since is not None,
            most=most,
            **parameters,
        )
        groups = [Group(key, round(series / share), round(new / share)) for key, series, new in rows]
        if not groups:
            return Cardinality(share, 0, 0, [])
        return Cardinality(share, groups[0].series, groups[0].new, groups[1:])
