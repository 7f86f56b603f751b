"""Walk down the tree of untagged names: one statement for each pattern node with wildcards."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import orjson

from ..db import Database
from ..errors import LimitError
from ..limits import request_budget
from . import patterns

Leaf = tuple[str, int, int, str, int, int]  # name, id, hash of the ident, policy, moves, valid from (epoch seconds)


class Level(NamedTuple):
    """Paths of the nodes found, each once, in no order. A name that is a prefix of others is both branch and leaf.

    Plain strings, because there may be very many. ``starts_at`` has the first time of each leaf, epoch seconds, if it
    was requested.
    """

    branches: Sequence[str]
    leaves: Sequence[str]
    starts_at: Sequence[int] = ()


class Walk:
    """One walk along a pattern. It inspects at most ``max_nodes`` nodes; above that it raises :class:`LimitError`.

    A parent is the path of a branch followed by a dot; that of the top is empty.
    """

    def __init__(self, database: Database, pattern: str, max_nodes: int) -> None:
        self._database = database
        self._pattern = pattern
        self._max_nodes = max_nodes
        self._inspected = 0
        *above, self._last = patterns.nodes(pattern)
        self._parents = [""]
        for node in above:
            self._parents = self._below(node)

    def branches(self) -> list[str]:
        """Paths of the branches that match, in no order."""
        return [parent[:-1] for parent in self._children(self._last)]

    def names(self) -> list[str]:
        """Names of the leaves that match, in no order."""
        names, *_ = self._leaves(described=False)
        return names

    def leaves(self) -> list[Leaf]:
        """Leaves that match, in no order."""
        return list(zip(*self._leaves(described=True), strict=True))

    def _leaves(self, described: bool) -> list[list[Any]]:
        if self._last.is_literal:
            names = [parent + self._last.text for parent in self._parents]
            return self._rows("leaves_named", names=_json(names), described=described)
        return self._rows("leaves", parents=_json(self._parents), regex=self._last.regex, described=described)

    def _below(self, node: patterns.Node) -> list[str]:
        if node.is_literal:  # the last node shows whether they exist
            return [f"{parent}{node.text}." for parent in self._parents]
        if node.is_globstar:
            [found] = self._rows("branches_below", parents=_json(self._parents), after_all=patterns.HIGHEST_CHARACTER)
            return list(dict.fromkeys([*self._parents, *found]))
        return self._children(node)

    def _children(self, node: patterns.Node) -> list[str]:
        parents = _json(self._parents)
        found, gone = self._rows("branches", parents=parents, low=node.low, high=node.high, regex=node.regex)
        children = dict.fromkeys(found)
        for parent in gone:
            children.pop(parent, None)
        return list(children)

    def _rows(self, statement: str, **parameters: object) -> list[list[Any]]:
        """Run a statement over the parents, count the nodes that it inspected, and return its other columns."""
        budget = request_budget.current()
        most = min(self._max_nodes - self._inspected, budget.rows_left())
        [(inspected, *columns)] = self._database.rows(statement, most=int(most), **parameters)
        budget.take_rows(inspected)
        self._inspected += inspected
        if self._inspected > self._max_nodes:
            message = (
                f"{self._pattern!r} inspects more than {self._max_nodes} nodes of the tree (RONDO_API_FIND_MAX_NODES)"
            )
            raise LimitError(message, "find_max_nodes")
        return columns


def _json(texts: Sequence[str]) -> str:
    """JSON array, which PostgreSQL unpacks: psycopg would write an array item by item."""
    return orjson.dumps(texts).decode()
