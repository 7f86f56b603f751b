"""Graphite's patterns, split into nodes for a walk down the tree of names.

Within a node (between dots): ``*`` any text, ``?`` one character, ``[a-c]`` one of a set, ``[!a]`` one outside it,
``{x,y}`` alternatives, which may nest. An unclosed bracket stands for itself, and a node always matches its own text.
A node ``**`` matches any number of branches, including none; as the last node, everything below.
"""

from dataclasses import dataclass
from itertools import takewhile
from typing import Self

from ..errors import BadRequestError
from . import globs

# prefix + this sorts after every text that begins with the prefix: U+10FFFF is not a character.
HIGHEST_CHARACTER = "\U0010ffff"
GLOBSTAR = "**"
MAX_LENGTH = 65_536  # characters, as for a target
MAX_NODES = 500


@dataclass(frozen=True)
class Node:
    """One node of a pattern: it matches nodes from ``low`` (inclusive) to ``high`` (exclusive) that fit ``regex``."""

    text: str
    low: str
    high: str
    regex: str | None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse one node; raises :class:`BadRequestError` if its braces are nested too deeply."""
        if not globs.has_wildcard(text):
            return cls(text, text, text + "\x01", globs.regex(text))
        start = "".join(takewhile(lambda c: c not in globs.WILDCARDS, text))
        return cls(text, start, start + HIGHEST_CHARACTER, None if text == "*" else globs.regex(text))

    @property
    def is_literal(self) -> bool:
        """Whether the node matches only its own text."""
        return not globs.has_wildcard(self.text)

    @property
    def is_globstar(self) -> bool:
        """Whether the node matches any number of branches."""
        return self.text == GLOBSTAR


def nodes(pattern: str) -> list[Node]:
    """Nodes of the pattern; a final ``**`` is followed by ``*``.

    Raises :class:`BadRequestError` if there are too many, or as :meth:`Node.parse`.
    """
    if len(pattern) > MAX_LENGTH:
        raise BadRequestError(f"the pattern {pattern[:40]!r}… has {len(pattern)} characters, at most {MAX_LENGTH}")
    texts = pattern.split(".")
    if len(texts) > MAX_NODES:
        raise BadRequestError(f"the pattern {pattern[:40]!r}… has {len(texts)} nodes, at most {MAX_NODES}")
    if texts[-1] == GLOBSTAR:
        texts.append("*")
    return [Node.parse(text) for text in texts]
