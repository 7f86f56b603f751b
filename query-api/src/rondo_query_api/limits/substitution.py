"""Texts that requests build from other texts: their length is checked before they are built."""

import re

from ..errors import BadRequestError

MAX_LENGTH = 65_536  # characters, as for a target
MAX_PADDING = 100
DIRECTIVE = re.compile(r"%[-+ #0]*(\d*)(?:\.(\d*))?")


def replaced(what: str, text: str, old: str, new: str) -> str:
    """Text with each ``old`` replaced; raises :class:`BadRequestError` if it would be too long."""
    if found := text.count(old):
        check_length(what, len(text) + found * (len(new) - len(old)), MAX_LENGTH)
    return text.replace(old, new)


def formatted(what: str, template: str, value: float) -> str:
    """``template % value``; raises :class:`BadRequestError` if that is invalid or pads too much."""
    for directive in DIRECTIVE.finditer(template):
        if any(int(digits.lstrip("0")[:9] or "0") > MAX_PADDING for digits in directive.groups() if digits):
            raise BadRequestError(f"{what} is {template!r}: width and precision are at most {MAX_PADDING}")
    check_length(what, len(template) + template.count("%") * MAX_PADDING, MAX_LENGTH)
    try:
        return template % value
    except (TypeError, ValueError, OverflowError) as e:
        raise BadRequestError(f"{what} is {template!r}: {e}") from e


def check_length(what: str, length: int, most: int) -> None:
    """Raise :class:`BadRequestError` if a text is longer than ``most`` characters."""
    if length > most:
        raise BadRequestError(f"{what} has {length} characters, at most {most}")
