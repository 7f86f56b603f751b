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
    """PostgreSQL's regex, anchored at the beginning as Graphite does it: in ``^a|b`` only the first branch.

    ``regex`` is that of ``text``. Raises as :meth:`Regex.in_postgresql`.
    """
    return regex.in_postgresql(size) if text.startswith("^") else everywhere_anchored(regex, size)


def everywhere_anchored(regex: Regex, size: Size) -> str:
    """PostgreSQL's regex with each branch anchored at the beginning."""
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

    ``tags``, ``regexes`` and ``wanted`` (must match) are parallel lists. ``requiring`` are the tags and regexes that
    only a present tag can match; ``named`` are the tags of all expressions.
    """

    equal: Mapping[str, str]
    tags: Sequence[str]
    regexes: Sequence[str]
    wanted: Sequence[bool]
    requiring: Sequence[tuple[str, str]]
    named: Sequence[str]

    @classmethod
    def of(cls, expressions: Sequence[str]) -> Self:
        """Parse expressions; raises :class:`BadRequestError` for an invalid one, and if none requires a tag."""
        equal: dict[str, str] = {}
        others: list[tuple[str, str, bool]] = []
        requiring: list[tuple[str, str]] = []
        named: list[str] = []
        requires_any, size = False, Size()
        for expression in expressions:
            match = EXPRESSION.fullmatch(expression)
            if not match:
                raise BadRequestError(f"{expression!r} is not a tag expression: tag=value, !=, =~regex, !=~regex")
            tag, negated, tilde, value = match.groups()
            named.append(tag)
            if tilde:
                given = Regex(f"{expression!r} has an invalid regex", value)
                requires = given.begins("") is bool(negated)
                regex = anchored(given, value, size) if requires else everywhere_anchored(given, size)
            else:
                requires = (value == "") is bool(negated)
                regex = f"^{SPECIAL.sub(ESCAPED, value)}$"
            requires_any |= requires
            if not negated and not tilde and value and equal.get(tag, value) == value:
                equal[tag] = value
            else:
                others.append((tag, regex, not negated))
                if requires and not negated:
                    requiring.append((tag, regex))
        if not requires_any:
            raise BadRequestError("at least one tag expression must require its tag: it must not match the empty value")
        tags, regexes, wanted = zip(*others, strict=True) if others else ((), (), ())
        return cls(equal, list(tags), list(regexes), list(wanted), requiring, named)
