"""Regular expressions of requests: those of Python's ``re``, ended when the request has no time left."""

import math
import re

import regex

from . import allowance
from .errors import BadRequestError

LONGEST_NAME = 10_000  # characters; a replacement may double a name, and be used again and again
# What a wrong one raises besides its own error: a number without bounds, too many brackets.
BEYOND_ALL = (ValueError, OverflowError, RecursionError, MemoryError)


def compiled(text: str, told: str) -> re.Pattern[str]:
    """Check one that PostgreSQL will run; raises :class:`BadRequestError`, which begins as told, for a wrong one."""
    try:
        return re.compile(text)
    except (re.error, *BEYOND_ALL) as e:
        raise BadRequestError(f"{told}: {e}") from e


class Expression:
    """Of the argument ``name``, such as ``grep: pattern``; raises :class:`BadRequestError` for a wrong one."""

    def __init__(self, name: str, text: str) -> None:
        self._told = f"{name} is {text!r}"
        try:
            self._compiled = regex.compile(text)
        except (regex.error, *BEYOND_ALL) as e:
            raise BadRequestError(f"{self._told}: {e}") from e

    def is_in(self, text: str) -> bool:
        """Whether the text has a match somewhere."""
        try:
            return self._compiled.search(text, concurrent=True, timeout=_timeout()) is not None
        except TimeoutError as e:
            raise self._too_slow() from e

    def replaced(self, text: str, replacement: str) -> str:
        r"""Replace each match; ``\1`` in the replacement is the match's first group. Nothing may become too long."""
        try:
            _check_length(text, replacement)
            replaced = self._compiled.sub(replacement, text, concurrent=True, timeout=_timeout())
            _check_length(replaced)
            return replaced
        except TimeoutError as e:
            raise self._too_slow() from e
        except (regex.error, IndexError) as e:
            raise BadRequestError(f"{self._told}, replace is {replacement!r}: {e}") from e

    def _too_slow(self) -> BadRequestError:
        allowance.current().seconds_left()
        return BadRequestError(f"{self._told}: it takes too long")


def _check_length(*texts: str) -> None:
    longest = max(map(len, texts))
    if longest > LONGEST_NAME:
        raise BadRequestError(f"a name or its replacement of {longest} characters, at most {LONGEST_NAME}")


def _timeout() -> float | None:
    seconds = allowance.current().seconds_left()
    return seconds if math.isfinite(seconds) else None
