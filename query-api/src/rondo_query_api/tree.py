"""The walk down the tree of untagged names: one statement for each node of a pattern that has wildcards."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import orjson

from . import patterns
from .db import Database
from .errors import BadRequestError, LimitError

Leaf = tuple[str, int, str, int]  # name, id, policy, when it began (epoch seconds)


class Level(NamedTuple):
    """Paths of nodes as found, each once, in no order. A name that others begin with is a branch and a leaf.

    They are texts and no objects: there may be very many. ``born`` tells of each leaf when it began, epoch seconds,
    where this was asked for.
    """

    branches: Sequence[str]
    leaves: Sequence[str]
    born: Sequence[int] = ()


class Walk:
    """One walk by a pattern. It looks at ``most`` nodes and no more: past that it raises :class:`LimitError`.

    A parent is the path of a branch with a dot behind it; the top is an empty one.
    """

    def __init__(self, database: Database, pattern: str, most: int) -> None:
        self._database = database
        self._pattern = pattern
        self._most = most
        self._looked = 0
        try:
            *above, self._last = patterns.nodes(pattern)
        except RecursionError as e:
            raise BadRequestError("the pattern is nested too deeply") from e
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
            return self._ask("leaves_named", names=_json(names), described=described)
        return self._ask("leaves", parents=_json(self._parents), regex=self._last.regex, described=described)

    def _below(self, node: patterns.Node) -> list[str]:
        if node.is_literal:  # whether they are there is seen at the end
            return [f"{parent}{node.text}." for parent in self._parents]
        if node.is_any_branches:
            [found] = self._ask("branches_below", parents=_json(self._parents), after_all=patterns.AFTER_ALL)
            return list(dict.fromkeys([*self._parents, *found]))
        return self._children(node)

    def _children(self, node: patterns.Node) -> list[str]:
        parents = _json(self._parents)
        found, gone = self._ask("branches", parents=parents, low=node.low, high=node.high, regex=node.regex)
        children = dict.fromkeys(found)
        for parent in gone:
            children.pop(parent, None)
        return list(children)

    def _ask(self, statement: str, **parameters: object) -> list[list[Any]]:
        """Columns of what it finds, below or among the parents."""
        [(looked, *columns)] = self._database.rows(statement, most=self._most - self._looked, **parameters)
        self._looked += looked
        if self._looked > self._most:
            message = f"{self._pattern!r} asks for a look at more than {self._most} nodes (RONDO_API_FIND_MAX_NODES)"
            raise LimitError(message, "find_max_nodes")
        return columns


def _json(texts: Sequence[str]) -> str:
    """As PostgreSQL takes them: psycopg would write an array item by item."""
    return orjson.dumps(texts).decode()
