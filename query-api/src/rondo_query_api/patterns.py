"""Graphite's patterns, cut up for a walk through the tree of names.

Per node (between dots): ``*`` any text, ``?`` one character, ``[a-c]`` one of a set, ``[!a]`` one outside it,
``{x,y}`` either, nested or not. What has no closing bracket stands for itself, and a node always matches its own text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Self

from . import globs


@dataclass(frozen=True)
class Pattern:
    """A pattern as the walk takes it: ``hosts.h[12].cpu.*`` has two nodes with wildcards.

    ``heads`` are ``hosts.`` and ``.cpu.``, ``starts`` are ``h`` and nothing, ``tail`` is what follows the last of them.
    """

    heads: Sequence[str]
    starts: Sequence[str]
    regexes: Sequence[str]
    tail: str

    @classmethod
    def of(cls, text: str) -> Self:
        """Cut up the pattern."""
        heads, starts, regexes = [], [], []
        literal = ""
        for n, node in enumerate(text.split(".")):
            literal += "." if n else ""
            if globs.has_wildcard(node):
                heads.append(literal)
                starts.append("".join(takewhile(lambda c: c not in globs.WILDCARDS, node)))
                regexes.append(globs.regex(node))
                literal = ""
            else:
                literal += node
        return cls(heads, starts, regexes, literal)
