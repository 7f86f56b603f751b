"""Series and nodes that match a pattern."""

import json
from collections.abc import Iterator
from dataclasses import asdict

from . import idents
from .db import Database, Row
from .errors import BadRequestError
from .fetch import Batch, Series, SeriesReader
from .graphite import BranchNode, FindQuery, LeafNode, Node
from .patterns import Pattern

# Sorts after every name that starts with what stands before it: U+10FFFF is not a character.
AFTER_ALL = "\U0010ffff"


class SeriesFinder:
    """Graphite's finder: leaves for render, levels of the tree for those who browse.

    Untagged series form a tree by their dots. A tagged series is found by its text ``name;k=v`` alone.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def find_nodes(self, query: FindQuery) -> Iterator[LeafNode]:
        """Series that match the query's pattern; all of them are read together."""
        series = self.series(query.pattern)
        batch = Batch(self._database, query.pattern, series)
        for each in series:
            yield LeafNode(each.path, SeriesReader(each, batch))

    def series(self, text: str) -> list[Series]:
        """Series that the text names or, as a pattern, matches."""
        if idents.is_tagged(text):
            return self._tagged(text)
        return [Series(id_, path, policy) for path, id_, policy, is_branch in self._nodes(text) if not is_branch]

    def level(self, text: str) -> list[Node]:
        """Nodes of the tree that match the pattern, by path; one that is both comes as branch, then as leaf."""
        rows = sorted(self._nodes(text), key=lambda row: (row[0], not row[-1]))
        return [BranchNode(path) if is_branch else LeafNode(path, None) for path, _, _, is_branch in rows]

    def names(self) -> list[str]:
        """Names of all untagged series, sorted."""
        return [name for (name,) in self._database.rows("names")]

    def _nodes(self, text: str) -> list[Row]:
        return self._database.rows("nodes", **parameters(text))

    def _tagged(self, text: str) -> list[Series]:
        try:
            ident = idents.parse(text)
        except ValueError:
            return []
        rows = self._database.rows("tagged_series", ident=json.dumps(ident))
        return [Series(id_, idents.text_of(ident), policy) for id_, policy in rows]


def parameters(pattern: str) -> dict[str, object]:
    """Parameters of ``sql/nodes.sql`` for the pattern; raises :class:`BadRequestError` when it is nested too deeply."""
    try:
        return {**asdict(Pattern.of(pattern)), "after_all": AFTER_ALL}
    except RecursionError as e:
        raise BadRequestError("the pattern is nested too deeply") from e
