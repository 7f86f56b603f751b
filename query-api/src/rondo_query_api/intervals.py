"""Graphite's time intervals: ``10min``, ``-1h30min``, ``+2d``, ``1mon`` (30 days), ``1y`` (365 days)."""

import re

MAX_LENGTH = 100  # characters
MAX_SECONDS = 100_000_000_000  # 3170 years
PART = re.compile(r"(\d+)([A-Za-z]+)", re.ASCII)
UNITS = {"s": 1, "min": 60, "h": 3600, "d": 86_400, "w": 604_800, "mon": 30 * 86_400, "y": 365 * 86_400}
UNIT_NAMES = {"s": "seconds", "min": "minutes", "h": "hours", "d": "days", "w": "weeks", "mon": "months", "y": "years"}


def seconds(text: object) -> int:
    """Signed length in seconds; raises :class:`ValueError` if the text is not an interval."""
    if not isinstance(text, str) or not 0 < len(text) <= MAX_LENGTH:
        raise ValueError(f"{str(text)[:MAX_LENGTH]!r} is not an interval such as 10min or 1h")
    sign = -1 if text[0] == "-" else 1
    rest = text[1:] if text[0] in "+-" else text
    parts = list(PART.finditer(rest))
    if not parts or "".join(part[0] for part in parts) != rest:
        raise ValueError(f"{text!r} is not an interval such as 10min or 1h")
    length = sum(int(part[1]) * UNITS[unit(part[2])] for part in parts)
    if length > MAX_SECONDS:
        raise ValueError(f"{text!r} is longer than {MAX_SECONDS} seconds")
    return sign * length


def unit(text: str) -> str:
    """Return the unit at the beginning of the text: s, min, h, d, w, mon or y; raises :class:`ValueError` if none."""
    for each in UNITS:
        if text.startswith(each):
            return each
    raise ValueError(f"{text!r} is not a unit of time such as min, h or d")
