"""One node of a glob as a regular expression that PostgreSQL and Python both understand, in linear time."""

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise

from ..errors import BadRequestError

WILDCARDS = "*?[{"
MAX_DEPTH = 20


def has_wildcard(node: str) -> bool:
    """Whether the node may match other texts than its own."""
    return any(character in WILDCARDS for character in node)


def exactly(text: str) -> str:
    """Glob that matches only this text."""
    return re.sub(f"[{re.escape(WILDCARDS)}]", r"[\g<0>]", text)


@lru_cache(maxsize=256)
def regex(node: str) -> str:
    """Regular expression of the whole node; it always matches the node's own text.

    Raises :class:`BadRequestError` if its braces are nested too deeply.
    """
    return f"^(?:{_Glob(node).part(0, len(node))}|{_literal(node)})$"


def _literal(text: str) -> str:
    return re.sub(r"[][\\^$.|?*+(){}-]", r"\\\g<0>", text)


class _Glob:
    """A node, with the choices of each pair of braces."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._choices = _choices(text)
        self._depth = 0

    def part(self, at: int, end: int) -> str:
        """Regular expression of the characters from ``at`` to before ``end``."""
        text = self._text
        parts = []
        has_sets = True  # until no bracket closes one
        while at < end:
            after = at + 1
            match text[at]:
                case "*":
                    parts.append(".*")
                case "?":
                    parts.append(".")
                case "[" if has_sets:
                    close = _closing_bracket(text, at, end)
                    has_sets = close >= 0
                    parts.append(_one_of(text[at + 1 : close]) if has_sets else _literal("["))
                    after = close + 1 if has_sets else after
                case "{" if at in self._choices:
                    parts.append(f"(?:{'|'.join(self._alternatives(self._choices[at]))})")
                    after = self._choices[at][-1] + 1
                case character:
                    parts.append(_literal(character))
            at = after
        return "".join(parts)

    def _alternatives(self, ends: list[int]) -> list[str]:
        """Regular expressions between the opening brace, the commas and the closing brace."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise BadRequestError(f"the pattern has braces that are nested more than {MAX_DEPTH} deep")
        found = [self.part(begin + 1, end) for begin, end in pairwise(ends)]
        self._depth -= 1
        return found


def _choices(text: str) -> Mapping[int, list[int]]:
    """By index of each closed opening brace: the indexes of it, its commas and its closing brace."""
    found: dict[int, list[int]] = {}
    opened: list[list[int]] = []
    for at, character in enumerate(text):
        if character == "{":
            opened.append([at])
        elif character == "," and opened:
            opened[-1].append(at)
        elif character == "}" and opened:
            choices = opened.pop()
            found[choices[0]] = [*choices, at]
    return found


def _closing_bracket(text: str, opening: int, end: int) -> int:
    first = opening + 2 if text[opening + 1 : opening + 2] in ("!", "^") else opening + 1
    return text.find("]", first + 1, end)  # a bracket right after the opening one belongs to the set


def _one_of(members: str) -> str:
    """One character of the set; a reversed range such as ``z-a`` is empty."""
    negated = members[0] in "!^"
    text = members[1:] if negated else members
    ranges = []
    at = 0
    while at < len(text):
        first = last = text[at]
        if text[at + 1 : at + 2] == "-" and at + 2 < len(text):
            last = text[at + 2]
            at += 2
        at += 1
        if first <= last:
            ranges.append(_literal(first) if first == last else f"{_literal(first)}-{_literal(last)}")
    if not ranges:
        return "." if negated else "(?!)"
    return f"[{'^' if negated else ''}{''.join(ranges)}]"
