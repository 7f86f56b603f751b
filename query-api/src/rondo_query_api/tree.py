"""The walk down the tree of untagged names: one statement for each node of a pattern that has wildcards."""

from collections.abc import Iterable
from typing import Any, NamedTuple, Self

from . import patterns
from .db import Database
from .errors import BadRequestError, LimitError

Leaf = tuple[str, int, str, int]  # name, id, policy, when it began (epoch seconds)


class TreeNode(NamedTuple):
    """A node as found. A name that others begin with is a branch and a leaf: two nodes."""

    path: str
    is_leaf: bool
    name: str  # what is behind the last dot
    born: int = 0  # of a leaf: when it began, epoch seconds

    @classmethod
    def of(cls, path: str, is_leaf: bool, born: int = 0) -> Self:
        """Make it by its path."""
        return cls(path, is_leaf, path.rpartition(".")[2], born)


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

    def branches(self) -> list[TreeNode]:
        """Branches that match, in no order."""
        return [TreeNode.of(parent[:-1], False) for parent in self._children(self._last)]

    def leaves(self) -> list[Leaf]:
        """Leaves that match, in no order."""
        if self._last.is_literal:
            columns = self._ask("leaves_named", names=[parent + self._last.text for parent in self._parents])
        else:
            columns = self._ask("leaves", parents=self._parents, regex=self._last.regex)
        return list(zip(*columns, strict=True))

    def _below(self, node: patterns.Node) -> list[str]:
        if node.is_literal:  # whether they are there is seen at the end
            return [f"{parent}{node.text}." for parent in self._parents]
        if node.is_any_branches:
            [found] = self._ask("branches_below", parents=self._parents, after_all=patterns.AFTER_ALL)
            return _distinct([*self._parents, *found])
        return self._children(node)

    def _children(self, node: patterns.Node) -> list[str]:
        [found] = self._ask("branches", parents=self._parents, low=node.low, high=node.high, regex=node.regex)
        return _distinct(found)

    def _ask(self, statement: str, **parameters: object) -> list[list[Any]]:
        """Columns of what it finds, below or among the parents."""
        [(looked, *columns)] = self._database.rows(statement, most=self._most - self._looked, **parameters)
        self._looked += looked
        if self._looked > self._most:
            message = f"{self._pattern!r} asks for a look at more than {self._most} nodes (RONDO_API_FIND_MAX_NODES)"
            raise LimitError(message, "find_max_nodes")
        return columns


def _distinct(paths: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(paths))
