"""Regular expressions of requests, in Python's syntax; matching stops when the request has no time left."""

import math
import re

import regex

from .. import request_budget
from ..errors import BadRequestError

MAX_NAME_LENGTH = 10_000  # characters; a replacement may double a name, and be used again and again
# What compiling may raise besides the library's own error: an oversized repeat count, too many brackets.
UNUSABLE_REGEX = (ValueError, OverflowError, RecursionError, MemoryError)


def compile_regex(text: str, prefix: str) -> re.Pattern[str]:
    """Check a regex that PostgreSQL will run; raises :class:`BadRequestError` with the message ``prefix: reason``."""
    try:
        return re.compile(text)
    except (re.error, *UNUSABLE_REGEX) as e:
        raise BadRequestError(f"{prefix}: {e}") from e


class Regex:
    """Regex of the argument ``name``, such as ``grep: pattern``; raises :class:`BadRequestError` if it is invalid."""

    def __init__(self, name: str, text: str) -> None:
        self._label = f"{name} is {text!r}"
        try:
            self._compiled = regex.compile(text)
        except (regex.error, *UNUSABLE_REGEX) as e:
            raise BadRequestError(f"{self._label}: {e}") from e

    def is_in(self, text: str) -> bool:
        """Whether the regex matches somewhere in the text."""
        try:
            return self._compiled.search(text, concurrent=True, timeout=_timeout()) is not None
        except TimeoutError as e:
            raise self._too_slow() from e

    def replaced(self, text: str, replacement: str) -> str:
        r"""Text with each match replaced; ``\1`` in the replacement is the first group.

        Raises :class:`BadRequestError` if a text exceeds ``MAX_NAME_LENGTH``.
        """
        try:
            _check_length(text, replacement)
            replaced = self._compiled.sub(replacement, text, concurrent=True, timeout=_timeout())
            _check_length(replaced)
            return replaced
        except TimeoutError as e:
            raise self._too_slow() from e
        except (regex.error, IndexError) as e:
            raise BadRequestError(f"{self._label}, replace is {replacement!r}: {e}") from e

    def _too_slow(self) -> BadRequestError:
        request_budget.current().seconds_left()
        return BadRequestError(f"{self._label}: matching takes too long")


def _check_length(*texts: str) -> None:
    longest = max(map(len, texts))
    if longest > MAX_NAME_LENGTH:
        raise BadRequestError(f"a name or its replacement has {longest} characters, at most {MAX_NAME_LENGTH}")


def _timeout() -> float | None:
    seconds = request_budget.current().seconds_left()
    return seconds if math.isfinite(seconds) else None
