"""Series by their tags, tags and values that there are. The name is a tag, too, and untagged series have no other."""

import json
from collections.abc import Mapping

from . import idents
from .db import Database
from .fetch import Series
from .patterns import AFTER_ALL
from .tag_expressions import TagQuery

# Idents are looked up for as many values that a regex matches; if it matches more, all series are read.
MOST_VALUES = 1000


class TagFinder:
    """Finds by tags. All is sorted by code points; ``most`` is how many are wanted, None is all."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def series(self, query: TagQuery) -> list[Series]:
        """Series that match, by path."""
        rows = self._database.rows("series_by_tags", **self._parameters(query))
        found = [Series(id_, idents.text_of(ident), policy) for id_, ident, policy in rows]
        return sorted(found, key=lambda series: series.path)

    def tags(self, prefix: str = "", regex: str = "", most: int | None = None) -> list[str]:
        """Tags that there are."""
        return self._texts("tags", prefix, regex=regex, most=most)

    def tags_of(self, query: TagQuery, prefix: str = "", most: int | None = None) -> list[str]:
        """Tags of the series that match, but for those that the query names."""
        return self._texts("tags_of_series", prefix, left_out=query.named, most=most, **self._parameters(query))

    def values(self, tag: str, prefix: str = "", regex: str = "", most: int | None = None) -> list[str]:
        """Values of the tag that there are."""
        return self._texts("tag_values", prefix, tag=tag, regex=regex, most=most)

    def values_of(self, query: TagQuery, tag: str, prefix: str = "", most: int | None = None) -> list[str]:
        """Values of the tag in the series that match."""
        return self._texts("values_of_series", prefix, tag=tag, most=most, **self._parameters(query))

    def counts(self, tag: str, regex: str = "", most: int | None = None) -> list[tuple[str, int]]:
        """Values of the tag, and how many series have each."""
        return [(value, count) for value, count in self._database.rows("tag_counts", tag=tag, regex=regex, most=most)]

    def _texts(self, statement: str, prefix: str, **parameters: object) -> list[str]:
        rows = self._database.rows(statement, low=prefix, high=prefix + AFTER_ALL, **parameters)
        return [text for (text,) in rows]

    def _parameters(self, query: TagQuery) -> dict[str, object]:
        """Parameters of the statements that find series: documents that are looked up, and what is checked then."""
        return {
            "documents": [json.dumps(each) for each in self._documents(query)],
            "tags": query.tags,
            "regexes": query.regexes,
            "wanted": query.wanted,
        }

    def _documents(self, query: TagQuery) -> list[Mapping[str, str]]:
        if query.equal:
            return [query.equal]
        for tag, regex in query.asking:
            values = self.values(tag, regex=regex, most=MOST_VALUES + 1)
            if len(values) <= MOST_VALUES:
                return [{tag: value} for value in values]
        return [{}]
