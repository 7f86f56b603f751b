"""Graphite's tag expressions: ``tag=value``, ``tag!=value``, ``tag=~regex``, ``tag!=~regex``.

A missing tag has the empty value; the name is the tag ``name``. A regex matches from the beginning of the value.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from ..errors import BadRequestError
from .postgres_regexes import Size
from .regexes import Regex

LITERALS = re.compile(r"\^(?:\(\?:)?([^][\\^$.|?*+(){}]*)([?*{]?)")
SPECIAL, ESCAPED = re.compile(r"[][\\^$.|?*+(){}-]"), r"\\\g<0>"
EXPRESSION = re.compile(r"([^;!=]+)(!?)=(~?)([^;]*)", re.DOTALL)


def anchored(regex: Regex, text: str, size: Size) -> str:
    """Regex of PostgreSQL, anchored at the beginning as Graphite does it: of ``^a|b`` only the first branch.

    ``regex`` is that of ``text``; errors as of :meth:`Regex.in_postgresql`.
    """
    return regex.in_postgresql(size) if text.startswith("^") else everywhere_anchored(regex, size)


def everywhere_anchored(regex: Regex, size: Size) -> str:
    """Regex of PostgreSQL of which each branch is anchored at the beginning."""
    return f"^(?:{regex.in_postgresql(size)})"


def literal_start(anchored_regex: str) -> str:
    """Literal prefix of everything that the regex matches, as far as it is easy to see."""
    match = LITERALS.match(anchored_regex)
    if match is None or "|" in anchored_regex:
        return ""
    literals, optional = match.groups()
    return literals[:-1] if optional else literals


@dataclass(frozen=True)
class TagQuery:
    """Parsed tag expressions: ``equal`` are tags with one value; other tags must, or must not, match a regex.

    ``tags``, ``regexes`` and ``wanted`` (must match) are parallel lists. ``asking`` are the regexes that require their
    tag to be present; ``named`` are the tags of all expressions.
    """

    equal: Mapping[str, str]
    tags: Sequence[str]
    regexes: Sequence[str]
    wanted: Sequence[bool]
    asking: Sequence[tuple[str, str]]
    named: Sequence[str]

    @classmethod
    def of(cls, expressions: Sequence[str]) -> Self:
        """Parse expressions; raises :class:`BadRequestError` for an invalid one, and if none requires a tag."""
        equal: dict[str, str] = {}
        others: list[tuple[str, str, bool]] = []
        asking: list[tuple[str, str]] = []
        named: list[str] = []
        asks, size = False, Size()
        for expression in expressions:
            match = EXPRESSION.fullmatch(expression)
            if not match:
                raise BadRequestError(f"{expression!r} is not a tag expression: tag=value, !=, =~regex, !=~regex")
            tag, negated, tilde, value = match.groups()
            named.append(tag)
            if tilde:
                given = Regex(f"{expression!r} has an invalid regex", value)
                asks_here = given.begins("") is bool(negated)
                regex = anchored(given, value, size) if asks_here else everywhere_anchored(given, size)
            else:
                asks_here = (value == "") is bool(negated)
                regex = f"^{SPECIAL.sub(ESCAPED, value)}$"
            asks = asks or asks_here
            if not negated and not tilde and value and equal.get(tag, value) == value:
                equal[tag] = value
            else:
                others.append((tag, regex, not negated))
                if asks_here and not negated:
                    asking.append((tag, regex))
        if not asks:
            raise BadRequestError("at least one tag expression must require its tag: it must not match the empty value")
        tags, regexes, wanted = zip(*others, strict=True) if others else ((), (), ())
        return cls(equal, list(tags), list(regexes), list(wanted), asking, named)
