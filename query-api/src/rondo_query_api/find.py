"""Series and nodes that match a pattern or tags."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from . import idents
from .db import Database, Row
from .errors import BadRequestError
from .fetch import Series
from .graphite import BranchNode, LeafNode, Node
from .patterns import Pattern
from .tag_expressions import TagQuery

# Sorts after every name that starts with what stands before it: U+10FFFF is not a character.
AFTER_ALL = "\U0010ffff"


class SeriesFinder:
    """Leaves for render, levels of the tree for those who browse.

    Untagged series form a tree by their dots. A tagged series is found by its text ``name;k=v``, or by tags.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def series(self, text: str) -> list[Series]:
        """Series that the text names or, as a pattern, matches; by path."""
        if idents.is_tagged(text):
            return self._tagged(text)
        rows = [Series(id_, path, policy) for path, id_, policy, is_branch in self._nodes(text) if not is_branch]
        return sorted(rows, key=lambda series: series.path)

    def series_by_tags(self, expressions: Sequence[str]) -> list[Series]:
        """Series whose tags match all the expressions; by path."""
        rows = self._database.rows("series_by_tags", **asdict(TagQuery.of(expressions)))
        found = [Series(id_, idents.text_of(ident), policy) for id_, ident, policy in rows]
        return sorted(found, key=lambda series: series.path)

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
