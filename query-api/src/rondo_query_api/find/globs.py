"""One node of a glob as a regular expression that PostgreSQL and Python both understand."""

import re
from functools import lru_cache

WILDCARDS = "*?[{"


def has_wildcard(node: str) -> bool:
    """Whether the node may match anything but its own text."""
    return any(character in WILDCARDS for character in node)


@lru_cache(maxsize=256)
def regex(node: str) -> str:
    """Regular expression of the whole node; it always matches the node's own text."""
    return f"^(?:{_glob(node)}|{_literal(node)})$"


def _glob(text: str) -> str:
    parts = []
    at = 0
    while at < len(text):
        end = at + 1
        match text[at]:
            case "*":
                parts.append(".*")
            case "?":
                parts.append(".")
            case "[" if (close := _closing_bracket(text, at)) is not None:
                parts.append(_one_of(text[at + 1 : close]))
                end = close + 1
            case "{" if (close := _closing_brace(text, at)) is not None:
                parts.append(f"(?:{'|'.join(map(_glob, _choices(text[at + 1 : close])))})")
                end = close + 1
            case character:
                parts.append(_literal(character))
        at = end
    return "".join(parts)


def _literal(text: str) -> str:
    return re.sub(r"[][\\^$.|?*+(){}-]", r"\\\g<0>", text)


def _closing_bracket(text: str, opening: int) -> int | None:
    first = opening + 2 if text[opening + 1 : opening + 2] in ("!", "^") else opening + 1
    close = text.find("]", first + 1)  # a bracket right after the opening one belongs to the set
    return close if close >= 0 else None


def _closing_brace(text: str, opening: int) -> int | None:
    open_braces = 0
    for at in range(opening, len(text)):
        open_braces += {"{": 1, "}": -1}.get(text[at], 0)
        if open_braces == 0:
            return at
    return None


def _choices(text: str) -> list[str]:
    """Alternatives between the commas outside of inner braces."""
    choices = [""]
    open_braces = 0
    for character in text:
        open_braces += {"{": 1, "}": -1}.get(character, 0)
        if character == "," and open_braces == 0:
            choices.append("")
        else:
            choices[-1] += character
    return choices


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
