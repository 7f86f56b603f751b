"""Series and nodes that match a pattern or tags."""

import json
from collections.abc import Sequence

from . import idents
from .db import Database
from .fetch import Series
from .settings import Settings
from .tag_expressions import TagQuery
from .tags import TagFinder
from .tree import Level, Walk


class SeriesFinder:
    """Leaves for render, levels of the tree for those who browse.

    Untagged series form a tree by their dots. A tagged series is found by its text ``name;k=v``, or by tags. A pattern
    that asks for a look at more than ``most_nodes`` is refused.
    """

    def __init__(self, database: Database, most_nodes: int = Settings.find_max_nodes) -> None:
        self._database = database
        self._most_nodes = most_nodes
        self.tags = TagFinder(database)

    def series(self, text: str) -> list[Series]:
        """Series that the text names or, as a pattern, matches; by path."""
        if idents.is_tagged(text):
            return self._tagged(text)
        leaves = Walk(self._database, text, self._most_nodes).leaves()
        return sorted((Series(id_, name, policy) for name, id_, policy, _ in leaves), key=lambda series: series.path)

    def series_by_tags(self, expressions: Sequence[str]) -> list[Series]:
        """Series whose tags match all the expressions; by path."""
        return self.tags.series(TagQuery.of(expressions))

    def level(self, text: str, leaves_only: bool = False, with_births: bool = False) -> Level:
        """Nodes of the tree that match the pattern. The text of a tagged series is a leaf, born at the epoch."""
        if idents.is_tagged(text):
            paths = [series.path for series in self._tagged(text)]
            return Level([], paths, [0] * len(paths))
        walk = Walk(self._database, text, self._most_nodes)
        branches = [] if leaves_only else walk.branches()
        if not with_births:
            return Level(branches, walk.names())
        leaves = walk.leaves()
        return Level(branches, [name for name, *_ in leaves], [born for *_, born in leaves])

    def names(self) -> bytes:
        """Names of all untagged series, sorted, as JSON."""
        [(names,)] = self._database.rows("names")
        return str(names).encode()

    def _tagged(self, text: str) -> list[Series]:
        try:
            ident = idents.parse(text)
        except ValueError:
            return []
        rows = self._database.rows("tagged_series", ident=json.dumps(ident))
        return [Series(id_, idents.text_of(ident), policy) for id_, policy in rows]
