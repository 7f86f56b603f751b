"""Series by their tags, tags and values that there are. The name is a tag, too, and untagged series have no other."""

import json
from collections.abc import Mapping

from . import idents
from .db import Database
from .fetch import Series
from .patterns import AFTER_ALL
from .tag_expressions import TagQuery, literal_start

# Idents are looked up for as many values that a regex matches; if it matches more, all series are read.
MOST_VALUES = 1000
# Of so many series is read what they have. Where more match, values are tried one by one, a batch after the other, as
# long as most of a batch are found; only then all series that match are read.
FEW_SERIES = 2000
FEW_VALUES = 500
BATCH = 100


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
        parameters = {**self._parameters(query), **_between(prefix)}
        [(series, found)] = self._database.rows("tags_of_series", **parameters, some_tags=None, most_series=FEW_SERIES)
        others = {*self.tags(prefix)}.difference(found, query.named) if series == FEW_SERIES else None
        if others:
            [(_, more)] = self._database.rows("tags_of_series", **parameters, some_tags=[*others], most_series=None)
            found = sorted({*found, *more})
        return [tag for tag in found if tag not in query.named][:most]

    def values(self, tag: str, prefix: str = "", regex: str = "", most: int | None = None) -> list[str]:
        """Values of the tag that there are."""
        return self._texts("tag_values", prefix, tag=tag, regex=regex, most=most)

    def values_of(self, query: TagQuery, tag: str, prefix: str = "", most: int | None = None) -> list[str]:
        """Values of the tag in the series that match."""
        parameters = {**self._parameters(query), **_between(prefix), "tag": tag}
        if parameters["documents"] is not None:
            [(series, found)] = self._database.rows("values_of_series", **parameters, most_series=FEW_SERIES)
            if series < FEW_SERIES:
                return list(found[:most])
        tried = self._values_tried(query, tag, prefix, most)
        if tried is not None:
            return tried
        [(_, found)] = self._database.rows("values_of_series", **parameters, most_series=None)
        return list(found[:most])

    def _values_tried(self, query: TagQuery, tag: str, prefix: str, most: int | None) -> list[str] | None:
        """Find the same by a look at the first values that there are; None where that does not tell."""
        candidates = self.values(tag, prefix, most=FEW_VALUES + 1)
        if (only := query.equal.get(tag)) is not None:
            candidates = [only] if only.startswith(prefix) else []
        parameters = {**_checks(query), "tag": tag, "document": json.dumps(query.equal)}
        found: list[str] = []
        for first in range(0, min(len(candidates), FEW_VALUES), BATCH):
            batch = candidates[first : first + BATCH]
            rows = self._database.rows("values_with_series", **parameters, candidates=json.dumps(batch))
            found += [value for (value,) in rows]
            if most is not None and len(found) >= most:
                return found[:most]
            if len(rows) < len(batch) / 2 and first + BATCH < len(candidates):
                return None
        return found if len(candidates) <= FEW_VALUES else None

    def counts(self, tag: str, regex: str = "", most: int | None = None) -> list[tuple[str, int]]:
        """Values of the tag, and how many series have each."""
        return [(value, count) for value, count in self._database.rows("tag_counts", tag=tag, regex=regex, most=most)]

    def _texts(self, statement: str, prefix: str, **parameters: object) -> list[str]:
        return [text for (text,) in self._database.rows(statement, **_between(prefix), **parameters)]

    def _parameters(self, query: TagQuery) -> dict[str, object]:
        """Parameters of the statements that find series: documents that are looked up, and what is checked then."""
        documents = self._documents(query)
        return {"documents": documents and [json.dumps(each) for each in documents], **_checks(query)}

    def _documents(self, query: TagQuery) -> list[Mapping[str, str]] | None:
        """Documents of which a series that matches has one; None where all series are to be looked at."""
        if query.equal:
            return [query.equal]
        for tag, regex in query.asking:
            values = self.values(tag, literal_start(regex), regex, MOST_VALUES + 1)
            if len(values) <= MOST_VALUES:
                return [{tag: value} for value in values]
        return None


def _between(prefix: str) -> dict[str, object]:
    return {"low": prefix, "high": prefix + AFTER_ALL}


def _checks(query: TagQuery) -> dict[str, object]:
    return {"tags": query.tags, "regexes": query.regexes, "wanted": query.wanted}
