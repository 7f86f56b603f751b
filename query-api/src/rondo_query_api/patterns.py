"""Graphite's patterns, cut up for a walk down the tree of names.

Per node (between dots): ``*`` any text, ``?`` one character, ``[a-c]`` one of a set, ``[!a]`` one outside it,
``{x,y}`` either, nested or not. What has no closing bracket stands for itself, and a node always matches its own text.
A node ``**`` is any number of branches, also none; as the last one, all that is below.
"""

from dataclasses import dataclass
from itertools import takewhile
from typing import Self

from . import globs

# Sorts after every text that starts with what stands before it: U+10FFFF is not a character.
AFTER_ALL = "\U0010ffff"
ANY_BRANCHES = "**"


@dataclass(frozen=True)
class Node:
    """One node of a pattern. What it matches is from ``low`` on and before ``high``, and fits ``regex``, if any."""

    text: str
    low: str
    high: str
    regex: str | None

    @classmethod
    def of(cls, text: str) -> Self:
        """Read it; raises :class:`RecursionError` when it is nested too deeply."""
        if not globs.has_wildcard(text):
            return cls(text, text, text + "\x01", globs.regex(text))
        start = "".join(takewhile(lambda c: c not in globs.WILDCARDS, text))
        return cls(text, start, start + AFTER_ALL, None if text == "*" else globs.regex(text))

    @property
    def is_literal(self) -> bool:
        """Whether it matches its own text alone."""
        return not globs.has_wildcard(self.text)

    @property
    def is_any_branches(self) -> bool:
        """Whether it stands for any number of branches."""
        return self.text == ANY_BRANCHES


def nodes(pattern: str) -> list[Node]:
    """Nodes of the pattern; a last ``**`` is followed by ``*``. Raises :class:`RecursionError`, as :meth:`Node.of`."""
    texts = pattern.split(".")
    if texts[-1] == ANY_BRANCHES:
        texts.append("*")
    return [Node.of(text) for text in texts]
