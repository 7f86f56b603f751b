"""Graphite's tag expressions: ``tag=value``, ``tag!=value``, ``tag=~regex``, ``tag!=~regex``.

A series without a tag has it empty; the name is the tag ``name``. A regex matches from the value's beginning.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from .errors import BadRequestError
from .expressions import compiled

LITERALS = re.compile(r"\^(?:\(\?:)?([^][\\^$.|?*+(){}]*)([?*{]?)")
SPECIAL, BEHIND_BACKSLASH = re.compile(r"[][\\^$.|?*+(){}-]"), r"\\\g<0>"
EXPRESSION = re.compile(r"([^;!=]+)(!?)=(~?)([^;]*)", re.DOTALL)


def anchored(regex: str) -> str:
    """From the beginning on, as Graphite does it: of ``^a|b`` it is the first branch only."""
    return regex if regex.startswith("^") else f"^(?:{regex})"


def literal_start(anchored_regex: str) -> str:
    """Find what all begins with that matches, as far as it is easily seen."""
    match = LITERALS.match(anchored_regex)
    if match is None or "|" in anchored_regex:
        return ""
    literals, optional = match.groups()
    return literals[:-1] if optional else literals


@dataclass(frozen=True)
class TagQuery:
    """Expressions as they are asked: tags that are equal, and those that do (``wanted``) or do not match a regex each.

    ``asking`` are the regexes that only a series with the tag can match; ``named`` are the tags of all expressions.
    """

    equal: Mapping[str, str]
    tags: Sequence[str]
    regexes: Sequence[str]
    wanted: Sequence[bool]
    asking: Sequence[tuple[str, str]]
    named: Sequence[str]

    @classmethod
    def of(cls, expressions: Sequence[str]) -> Self:
        """Read them; raises :class:`BadRequestError` for a wrong one, and where none asks for a tag to be there."""
        equal: dict[str, str] = {}
        others: list[tuple[str, str, bool]] = []
        asking: list[tuple[str, str]] = []
        named: list[str] = []
        asks = False
        for expression in expressions:
            match = EXPRESSION.fullmatch(expression)
            if not match:
                raise BadRequestError(f"{expression!r} is not a tag expression: tag=value, !=, =~regex, !=~regex")
            tag, negated, tilde, value = match.groups()
            named.append(tag)
            regex = f"^(?:{value})" if tilde else f"^{SPECIAL.sub(BEHIND_BACKSLASH, value)}$"
            matches_nothing = compiled(regex, f"{expression!r} has a wrong regex").match("") is not None
            asks_here = matches_nothing is bool(negated)
            if asks_here and tilde:
                regex = anchored(value)
            asks = asks or asks_here
            if not negated and not tilde and value and equal.get(tag, value) == value:
                equal[tag] = value
            else:
                others.append((tag, regex, not negated))
                if asks_here and not negated:
                    asking.append((tag, regex))
        if not asks:
            raise BadRequestError("at least one tag expression must not match a series without the tag")
        tags, regexes, wanted = zip(*others, strict=True) if others else ((), (), ())
        return cls(equal, list(tags), list(regexes), list(wanted), asking, named)
