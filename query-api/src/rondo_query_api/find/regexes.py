r"""Regular expressions in requests, in Python's syntax: the only module that compiles them.

Python's parser decides what is valid: the ``regex`` library accepts more, and PostgreSQL has another syntax.

Compiling expands repetitions, so that ``(?:(?:[ab]{1000}){1000}){1000}`` would exhaust the memory: length and
repetitions are limited. Matching stops when the request has no time left, and does not block other threads.
"""

import math
import re
import re._constants as op  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Callable
from typing import Any

import regex

from ..errors import BadRequestError
from ..limits import request_budget
from ..limits.substitution import check_length
from . import postgres_regexes

MAX_LENGTH = 16_384  # characters
MAX_WRITTEN_OUT = 30_000  # parts with all repetitions written out: each takes some 300 bytes compiled
MAX_REPETITIONS = 10_000  # product of all counts: 8·4·4·4·12 = 6144 in the regex of a UUID
MAX_REFERENCES = 100
MAX_NAME_LENGTH = 10_000  # characters; a replacement may double a name, and be used again and again
NAME = "a name or its replacement"
REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
COUNT = re.compile(r"\{\s*(\d*)\s*,?\s*(\d*)", re.ASCII)
# A set, even an unclosed one; and what Python warns about in it, because other libraries read it differently.
SET = re.compile(r"\\.|\[\^?\]?((?:\\.|[^]\\])*)(?:\]|\\?\Z)", re.DOTALL)
IN_SET = re.compile(r"\\.|(\[|--|&&|~~|\|\|)", re.DOTALL)
# Only the library has fuzzy matching: {e<=3}, {1<=e<=3}, {i<=1,d}, {2i+1s<=4}. In Python's syntax these are text.
FUZZY = re.compile(r"(?<!\\)(?:\\\\)*\{\s*(?:\d+\s*<=?\s*)?\d*\s*[eids]\s*[<+,:}]", re.ASCII)
# Pieces of a replacement: a reference to a group, or other text; the rest, if any, is invalid.
PIECE = re.compile(r"(?P<group>\\(?:g<[^>]*>|\d{1,3}))|(?:[^\\]|\\[^g\d])+|.+", re.DOTALL | re.ASCII)
Spelling = Callable[[str], str]
# What parsing and compiling raise, also for too large a count or too many brackets.
UNUSABLE_REGEX = (re.error, regex.error, ValueError, OverflowError, RecursionError, MemoryError)


class Regex:
    """Regex of a request; errors begin with ``label``, such as ``grep: pattern is '['``.

    Raises :class:`BadRequestError` if it is invalid, too long or repeats too much.
    """

    def __init__(self, label: str, text: str) -> None:
        self._label = label
        self._check(text)
        request_budget.current().seconds_left()
        try:
            self._tree = parser.parse(text)
            self._check_written_out()
            self._compiled = regex.compile(text, cache_pattern=False)
        except UNUSABLE_REGEX as e:
            raise BadRequestError(f"{label}: {e}") from e

    def _check(self, text: str) -> None:
        if len(text) > MAX_LENGTH:
            raise BadRequestError(f"{self._label[:80]}…: {len(text)} characters, at most {MAX_LENGTH}")
        product = math.prod(max(_count(least), _count(most)) for least, most in COUNT.findall(text))
        if product > MAX_REPETITIONS:
            raise BadRequestError(f"{self._label}: its counts of repetitions multiply to more than {MAX_REPETITIONS}")
        for found in SET.finditer(text):
            for inner in IN_SET.finditer(found[1] or ""):
                if inner[1] == "[":
                    advice = "write '\\['; Python has no classes such as [:alpha:]: write [A-Za-z]"
                    raise BadRequestError(f"{self._label}: a '[' in a set: {advice}")
                if inner[1]:
                    raise BadRequestError(f"{self._label}: {inner[1]!r} in a set: write '\\{inner[1][0]}'")
        if FUZZY.search(text):
            raise BadRequestError(f"{self._label}: fuzzy matching is not supported: to match '{{', write '\\{{'")

    def _check_written_out(self) -> None:
        if (parts := _written_out(self._tree)) > MAX_WRITTEN_OUT:
            raise BadRequestError(
                f"{self._label}: with all repetitions written out it has {parts} parts, "
                f"at most {MAX_WRITTEN_OUT}: write smaller counts, such as + for {{1,1000}}"
            )

    def begins(self, text: str) -> bool:
        """Whether the regex matches at the beginning of the text."""
        return self._matches(self._compiled.match, text)

    def is_in(self, text: str) -> bool:
        """Whether the regex matches somewhere in the text."""
        return self._matches(self._compiled.search, text)

    def _matches(self, search: Callable[..., object], text: str) -> bool:
        try:
            return search(text, concurrent=True, timeout=_timeout()) is not None
        except TimeoutError as e:
            raise self._too_slow() from e

    def in_postgresql(self, size: postgres_regexes.Size) -> str:
        """PostgreSQL's regex that matches the same texts; ``size`` counts all regexes of one query.

        Raises :class:`BadRequestError` if there is none, or if these are too long.
        """
        try:
            return postgres_regexes.translated(self._tree, size)
        except UNUSABLE_REGEX as e:
            raise BadRequestError(f"{self._label}: {e}") from e

    def replaced(self, text: str, replacement: str, spell: Spelling = str) -> str:
        r"""Text with each match replaced; ``\1`` in the replacement is the first group.

        ``spell`` is applied to what comes from the text, including groups.

        Raises :class:`BadRequestError` if a text exceeds ``MAX_NAME_LENGTH``, before it is built.
        """
        check_length(NAME, max(len(text), len(replacement)), MAX_NAME_LENGTH)
        if replacement.count("\\") > MAX_REFERENCES:
            raise BadRequestError(f"{self._label}, replace has more than {MAX_REFERENCES} backslashes")
        pieces = [(piece[0], bool(piece["group"])) for piece in PIECE.finditer(replacement)]
        parts: list[str] = []
        length = at = 0
        try:
            for match in self._compiled.finditer(text, concurrent=True, timeout=_timeout()):
                request_budget.current().seconds_left()  # the timeout is per match
                parts.append(spell(text[at : match.start()]))
                parts += (spell(match.expand(piece)) if of_text else match.expand(piece) for piece, of_text in pieces)
                at = match.end()
                length += sum(map(len, parts[-1 - len(pieces) :]))
                check_length(NAME, length + len(text) - at, MAX_NAME_LENGTH)
            return "".join(parts) + spell(text[at:])
        except TimeoutError as e:
            raise self._too_slow() from e
        except (regex.error, IndexError) as e:
            raise BadRequestError(f"{self._label}, replace is {replacement!r}: {e}") from e

    def _too_slow(self) -> BadRequestError:
        request_budget.current().seconds_left()
        return BadRequestError(f"{self._label}: matching takes too long")


def _written_out(parsed: Any) -> int:
    """Parts of the tree of Python's parser, with all repetitions written out; members of sets are parts."""
    match parsed:
        case parser.SubPattern():
            return sum(map(_written_out, parsed))
        case (code, (least, most, items)) if code in REPEATS:
            return int(max(1, least, 0 if most is op.MAXREPEAT else most)) * (1 + _written_out(items))
        case tuple() | list():
            return 1 + sum(map(_written_out, parsed))
        case _:
            return 0


def _count(digits: str) -> int:
    """Count, at least 1, so that ``{0}`` hides no other count. Nine digits suffice to exceed the limit."""
    return max(1, int(digits.lstrip("0")[:9] or "1"))


def _timeout() -> float | None:
    seconds = request_budget.current().seconds_left()
    return seconds if math.isfinite(seconds) else None
