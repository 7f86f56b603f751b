"""Series by tags, and existing tags and values. The name is a tag, too; untagged series have no other."""

import json
from collections.abc import Mapping, Sequence

from ..access import scopes
from ..db import Database
from ..fetch.series import Series, SeriesKey
from ..limits import request_budget
from . import idents
from .patterns import HIGHEST_CHARACTER
from .tag_expressions import TagQuery, literal_start

# A regex that matches more values than this is checked on all series; else idents are looked up by value.
MAX_VALUES = 1000
# Tags and values are read from this many series. If more match, candidate values are checked batch by batch while at
# least half of a batch exists; otherwise all matching series are read.
SAMPLED_SERIES = 2000
MAX_CANDIDATES = 500
BATCH = 100


class TagFinder:
    """Finds tags, values and series by tags.

    Results are sorted by code point and have at most ``most`` items; None is all.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def series(self, query: TagQuery, most: int | None = None) -> list[Series]:
        """Series that match the query, sorted by path; any ``most`` of them."""
        rows = self._database.rows("series_by_tags", **self._parameters(query), most=request_budget.at_most(most))
        found = [Series(SeriesKey(*key), idents.text_of(ident), policy, moves) for *key, ident, policy, moves in rows]
        return sorted(found, key=lambda series: series.path)

    def tags(self, prefix: str = "", regex: str = "", most: int | None = None) -> list[str]:
        """Existing tags with this prefix that match the regex."""
        return self._texts("tags", prefix, regex=regex, most=most)

    def tags_of(self, query: TagQuery, prefix: str = "", most: int | None = None) -> list[str]:
        """Tags of the series that match the query, without those that the query names."""
        parameters = {**self._parameters(query), **_between(prefix)}
        [(series, found)] = self._database.rows(
            "tags_of_series", **parameters, some_tags=None, most_series=SAMPLED_SERIES
        )
        others = {*self.tags(prefix)}.difference(found, query.named) if series == SAMPLED_SERIES else None
        if others:
            [(_, more)] = self._database.rows("tags_of_series", **parameters, some_tags=[*others], most_series=None)
            found = sorted({*found, *more})
        return [tag for tag in found if tag not in query.named][:most]

    def values(self, tag: str, prefix: str = "", regex: str = "", most: int | None = None) -> list[str]:
        """Existing values of the tag with this prefix that match the regex."""
        return self._texts("tag_values", prefix, tag=tag, regex=regex, most=most)

    def values_of(self, query: TagQuery, tag: str, prefix: str = "", most: int | None = None) -> list[str]:
        """Values of the tag in the series that match the query."""
        parameters = {**self._parameters(query), **_between(prefix), "tag": tag, "most": request_budget.at_most(most)}
        if parameters["documents"] is not None:
            [(series, found)] = self._database.rows("values_of_series", **parameters, most_series=SAMPLED_SERIES)
            if series < SAMPLED_SERIES:
                return self._taken(found)
        checked = self._check_candidates(query, tag, prefix, most)
        if checked is not None:
            return checked
        [(_, found)] = self._database.rows("values_of_series", **parameters, most_series=None)
        return self._taken(found)

    def _taken(self, found: Sequence[str]) -> list[str]:
        request_budget.current().take_rows(len(found))
        return list(found)

    def _check_candidates(self, query: TagQuery, tag: str, prefix: str, most: int | None) -> list[str] | None:
        """Like :meth:`values_of`, but checks existing values in batches; None if that would take too long."""
        candidates = self.values(tag, prefix, most=MAX_CANDIDATES + 1)
        if (only := query.equal.get(tag)) is not None:
            candidates = [only] if only.startswith(prefix) else []
        narrowed = scopes.narrowed([query.equal]) or []
        document = narrowed[0] if len(narrowed) == 1 else query.equal
        parameters = {**_checks(query), "tag": tag, "document": json.dumps(document)}
        found: list[str] = []
        for first in range(0, min(len(candidates), MAX_CANDIDATES), BATCH):
            batch = candidates[first : first + BATCH]
            rows = self._database.rows("values_with_series", **parameters, candidates=json.dumps(batch))
            found += [value for (value,) in rows]
            if most is not None and len(found) >= most:
                return found[:most]
            if len(rows) < len(batch) / 2 and first + BATCH < len(candidates):
                return None
        return found if len(candidates) <= MAX_CANDIDATES else None

    def counts(self, tag: str, regex: str = "", most: int | None = None) -> list[tuple[str, int]]:
        """Values of the tag that match the regex, and the number of series with each."""
        return [
            (value, count)
            for value, count in self._database.rows(
                "tag_counts", tag=tag, regex=regex, most=request_budget.at_most(most)
            )
        ]

    def _texts(self, statement: str, prefix: str, **parameters: object) -> list[str]:
        return [text for (text,) in self._database.rows(statement, **_between(prefix), **parameters)]

    def _parameters(self, query: TagQuery) -> dict[str, object]:
        """Parameters of the statements that find series: documents for the index lookup, and checks of each match."""
        documents = scopes.narrowed([query.equal] if query.equal else None)
        if documents is None:
            documents = self._documents(query)
        texts = None if documents is None else [json.dumps(each) for each in documents]
        return {"documents": texts, **_checks(query)}

    def _documents(self, query: TagQuery) -> list[Mapping[str, str]] | None:
        """Documents, one of which each series that matches contains; None if all series must be checked."""
        for tag, regex in query.requiring:
            values = self.values(tag, literal_start(regex), regex, MAX_VALUES + 1)
            if len(values) <= MAX_VALUES:
                return [{tag: value} for value in values]
        return None


def _between(prefix: str) -> dict[str, object]:
    return {"low": prefix, "high": prefix + HIGHEST_CHARACTER}


def _checks(query: TagQuery) -> dict[str, object]:
    return {"tags": query.tags, "regexes": query.regexes, "wanted": query.wanted}
