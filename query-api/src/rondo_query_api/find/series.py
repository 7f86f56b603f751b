"""Series and tree nodes that match a pattern or tags."""

import json
import math
from collections.abc import Iterable, Sequence

import orjson

from ..access import scopes
from ..db import Database
from ..fetch.series import Series, SeriesKey
from ..limits import request_budget
from ..settings import Settings
from . import globs, idents
from .known_names import KnownNames
from .tag_expressions import TagQuery
from .tags import TagFinder
from .tree import Level, Walk


class SeriesFinder:
    """Finds series for /render and nodes of the tree for /metrics/find.

    Untagged series form a tree by the dots in their names. A tagged series is found by its canonical name
    ``name;k=v``, or by its tags. A pattern that would inspect more than ``max_nodes`` nodes is refused.
    """

    def __init__(self, database: Database, max_nodes: int = Settings.find_max_nodes) -> None:
        self._database = database
        self._max_nodes = max_nodes
        self._known = KnownNames()
        self.tags = TagFinder(database)

    def series(self, text: str) -> list[Series]:
        """Series that have that name or match that pattern; sorted by path."""
        if idents.is_tagged(text):
            return self._tagged(text)
        leaves = Walk(self._database, text, self._max_nodes).leaves()
        return sorted(
            (Series(SeriesKey(*key), name, policy, moves) for name, *key, policy, moves, _ in leaves),
            key=lambda series: series.path,
        )

    def each(self, texts: Sequence[str]) -> dict[str, list[Series]]:
        """Like :meth:`series`, for each text; one statement finds all that are names, not patterns.

        A cached name is not looked up again. Its series may have been deleted since, which shows when its slots are
        read: then :meth:`forget` it.
        """
        found = {text: self._known.series(text) for text in texts if _is_untagged_name(text)}
        if unknown := [name for name, series in found.items() if not series]:
            [(_, *columns)] = self._database.rows(
                "leaves_named", names=orjson.dumps(unknown).decode(), described=True, most=len(unknown)
            )
            for name, *key, policy, moves, _ in zip(*columns, strict=True):
                found[name] = [Series(SeriesKey(*key), name, policy, moves)]
            self._known.add(series for name in unknown for series in found[name])
        return {text: found[text] if text in found else self.series(text) for text in texts}

    def forget(self, texts: Iterable[str]) -> None:
        """Remove these names from the cache."""
        self._known.forget(texts)

    def series_by_tags(self, expressions: Sequence[str]) -> list[Series]:
        """Series whose tags match all the expressions; sorted by path."""
        budget = request_budget.current()
        most = None if math.isinf(budget.series_left()) else int(budget.series_left()) + 1
        found = self.tags.series(TagQuery.of(expressions), most)
        budget.check_series(len(found))
        return found

    def level(self, text: str, leaves_only: bool = False, with_starts_at: bool = False) -> Level:
        """Nodes of the tree that match the pattern. A tagged series is a leaf that is valid from epoch 0."""
        if idents.is_tagged(text):
            paths = [series.path for series in self._tagged(text)]
            return Level([], paths, [0] * len(paths))
        walk = Walk(self._database, text, self._max_nodes)
        branches = [] if leaves_only else walk.branches()
        if not with_starts_at:
            return Level(branches, walk.names())
        leaves = walk.leaves()
        return Level(branches, [name for name, *_ in leaves], [starts_at for *_, starts_at in leaves])

    def deletable(self, names: Sequence[str]) -> list[str]:
        """Names whose deletion the request may ask for: in a scope, only those of its existing series."""
        if scopes.current() is None:
            return list(names)
        untagged = orjson.dumps([name for name in names if not idents.is_tagged(name)]).decode()
        [(_, found, *_)] = self._database.rows("leaves_named", names=untagged, described=False, most=len(names))
        return [*found, *(series.path for name in names if idents.is_tagged(name) for series in self._tagged(name))]

    def names(self) -> bytes:
        """Names of all untagged series, sorted, as JSON."""
        [(number, names)] = self._database.rows("names", most=request_budget.at_most(None))
        request_budget.current().take_rows(number)
        return str(names).encode()

    def _tagged(self, text: str) -> list[Series]:
        try:
            ident = idents.parse(text)
        except ValueError:
            return []
        rows = self._database.rows("tagged_series", ident=json.dumps(ident))
        return [Series(SeriesKey(*key), idents.text_of(ident), policy, moves) for *key, policy, moves in rows]


def _is_untagged_name(text: str) -> bool:
    return not idents.is_tagged(text) and not globs.has_wildcard(text)
