r"""Regular expressions in Python's syntax, translated to PostgreSQL's with the same meaning.

The two differ in ``\b``, ``\x77eb``, ``(?i)``, ``$``, ``.``, and in what letters and digits are, which PostgreSQL takes
from the collation. Each set of characters is written out as ranges::

    (?i)web\b.*   ->   [Ww][Ee][Bb](?:(?<=[0-9A-Z_a-z...])(?![0-9...])|(?<![0-9...])(?=[0-9...]))[^\n]*
"""

import re
import re._constants as op  # type: ignore[import-not-found]
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Any

from ..limits import request_budget

Ranges = Sequence[tuple[int, int]]  # code points, first and last

MAX_COUNT = 255  # of PostgreSQL
MAX_LENGTH = 200_000  # characters and ranges of one query
LAST = 0x10FFFF
NOTHING = "(?:(?!))"  # never matches
UNSTORABLE: Ranges = ((0, 0), (0xD800, 0xDFFF))
LAST_CASED = 0x1FFFF
KNOWN_FLAGS = re.IGNORECASE | re.MULTILINE | re.DOTALL | re.UNICODE
CATEGORIES = {
    op.CATEGORY_DIGIT: re.compile(r"\d+"),
    op.CATEGORY_SPACE: re.compile(r"\s+"),
    op.CATEGORY_WORD: re.compile(r"\w+"),
    op.CATEGORY_NOT_DIGIT: re.compile(r"\D+"),
    op.CATEGORY_NOT_SPACE: re.compile(r"\S+"),
    op.CATEGORY_NOT_WORD: re.compile(r"\W+"),
}
SETS = (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN)
ASSERTIONS = {(op.ASSERT, 1): "?=", (op.ASSERT, -1): "?<=", (op.ASSERT_NOT, 1): "?!", (op.ASSERT_NOT, -1): "?<!"}
# Constructs without a translation, and what to write instead.
UNSUPPORTED = {
    op.GROUPREF: r"a reference to a group, such as \1: write the text again",
    op.GROUPREF_EXISTS: "a condition (?(1)a|b): write a|b with both alternatives in full",
    op.ATOMIC_GROUP: "an atomic group (?>a): write (?:a)",
    op.POSSESSIVE_REPEAT: "a possessive repetition, such as a++: write a+",
    op.AT_NON_BOUNDARY: r"\B: write (?<=\w)(?=\w) inside a word, (?<!\w)(?!\w) outside",
}


class UntranslatableError(ValueError):
    """Names an unsupported construct, and what to write instead."""


class Size:
    """Counts the characters of the regexes of one query, and the ranges of their sets, before they are translated."""

    def __init__(self) -> None:
        self._taken = 0

    def take(self, number: int) -> None:
        """Raise :class:`UntranslatableError` when there are too many; raises as :meth:`RequestBudget.seconds_left`."""
        request_budget.current().seconds_left()
        self._taken += number
        if self._taken > MAX_LENGTH:
            raise UntranslatableError(
                f"it exceeds {MAX_LENGTH} characters and ranges in PostgreSQL's syntax: "
                r"write [A-Za-z0-9_] for \w"
            )


@dataclass(frozen=True)
class Context:
    """What the translation of an item depends on: the flags in effect, and the size so far."""

    flags: int
    size: Size


def translated(tree: Any, size: Size) -> str:
    """PostgreSQL's regex that matches the same texts as the tree of Python's parser.

    Raises :class:`UntranslatableError` if there is none, and as :meth:`Size.take`.
    """
    return _sequence(tree, Context(_checked(tree.state.flags), size))


def _checked(flags: int) -> int:
    if flags & ~KNOWN_FLAGS:
        raise UntranslatableError("a flag other than i, m and s: write the regex without it")
    return flags


def _sequence(items: Iterable[tuple[Any, Any]], context: Context) -> str:
    return "".join(_item(code, value, context) for code, value in items)


def _item(code: Any, value: Any, context: Context) -> str:
    if code not in TRANSLATIONS:
        raise UntranslatableError(UNSUPPORTED.get(code, f"the construct {code}"))
    context.size.take(1)
    return TRANSLATIONS[code](code, value, context)


def _branch(_: Any, value: Any, context: Context) -> str:
    return f"(?:{'|'.join(_sequence(each, context) for each in value[1])})"


def _group(_: Any, value: Any, context: Context) -> str:
    _, added, removed, items = value
    flags = _checked(context.flags | added) & ~removed
    return f"(?:{_sequence(items, replace(context, flags=flags))})"


def _repeated(_: Any, value: Any, context: Context) -> str:
    """Greedy repetitions are written like lazy ones: both find a match, or neither."""
    least, most, items = value
    if max(count for count in (least, most) if count is not op.MAXREPEAT) > MAX_COUNT:
        raise UntranslatableError(f"a count of more than {MAX_COUNT}: write a product, such as (?:a{{100}}){{5}}")
    once = _sequence(items, context)
    if len(items) != 1 or items[0][0] not in SETS:
        once = f"(?:{once})"
    return f"{once}{{{least},{'' if most is op.MAXREPEAT else most}}}"


def _assertion(code: Any, value: Any, context: Context) -> str:
    direction, items = value
    least, most = items.getwidth()
    if direction < 0 and least != most:
        raise UntranslatableError("look-behind requires fixed-width pattern")
    return f"({ASSERTIONS[code, direction]}{_sequence(items, context)})"


def _failure(*_: Any) -> str:
    return NOTHING


def _position(_: Any, position: Any, context: Context) -> str:
    if position is op.AT_BEGINNING and context.flags & re.MULTILINE:
        return "(?:^|(?<=\n))"
    if position in (op.AT_BEGINNING, op.AT_BEGINNING_STRING):
        return "^"
    if position is op.AT_END_STRING:
        return "$"
    if position is op.AT_END:
        return "(?=\n|$)" if context.flags & re.MULTILINE else "(?=\n?$)"
    if position is op.AT_BOUNDARY:
        word = _category_set(op.CATEGORY_WORD)
        context.size.take(4 * len(word))
        return f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))"
    raise UntranslatableError(UNSUPPORTED[position])


def _set(code: Any, value: Any, context: Context) -> str:
    if code is op.ANY:
        return "." if context.flags & re.DOTALL else "[^\n]"
    if code is op.LITERAL:
        items, negated = [(op.LITERAL, value)], False
    elif code is op.NOT_LITERAL:
        items, negated = [(op.LITERAL, value)], True
    else:
        negated = value[0][0] is op.NEGATE
        items = value[negated:]
    if not negated and len(items) == 1 and items[0][0] is op.CATEGORY:
        found = _category_set(items[0][1])
    else:
        found = _bracket(_members(items, context), negated)
    context.size.take(len(found))
    return found


def _members(items: Iterable[tuple[Any, Any]], context: Context) -> Ranges:
    """Ranges of a set. Without regard to case, only literal ranges need their other cases: categories have both."""
    written: list[tuple[int, int]] = []
    categories: list[tuple[int, int]] = []
    for kind, member in items:
        if kind is op.CATEGORY:
            context.size.take(len(_category(member)))
            categories += _category(member)
        else:
            context.size.take(1)
            written.append((member, member) if kind is op.LITERAL else member)
    if context.flags & re.IGNORECASE:
        written = _complement(_complement(written))  # merged, so that each case is added once
        others = [_other_cases(first, last) for first, last in written]
        context.size.take(sum(map(len, others)))
        written += chain.from_iterable(others)
    return written + categories


@cache
def _category_set(category: Any) -> str:
    return _bracket(_category(category))


def _bracket(ranges: Ranges, negated: bool = False) -> str:
    storable = _complement([*_complement(ranges), *UNSTORABLE])
    if not storable:
        return "." if negated else NOTHING
    if not negated and len(storable) == 1 and storable[0][0] == storable[0][1]:
        return _literal(storable[0][0])
    members = "".join(
        _literal(first, "-") if first == last else f"{_literal(first, '-')}-{_literal(last, '-')}"
        for first, last in storable
    )
    return f"[{'^' if negated else ''}{members}]"


def _literal(code_point: int, also: str = "") -> str:
    character = chr(code_point)
    return f"\\{character}" if character in rf"[]\^$.|?*+(){{}}{also}" else character


def _complement(ranges: Ranges) -> list[tuple[int, int]]:
    found = []
    at = 0
    for first, last in sorted(ranges):
        if at < first:
            found.append((at, first - 1))
        at = max(at, last + 1)
    if at <= LAST:
        found.append((at, LAST))
    return found


@cache
def _category(category: Any) -> Ranges:
    every = "".join(map(chr, range(LAST + 1)))
    return [(match.start(), match.end() - 1) for match in CATEGORIES[category].finditer(every)]


def _other_cases(first: int, last: int) -> Ranges:
    cased, groups = _cases()
    within = cased[bisect_left(cased, first) : bisect_right(cased, last)]
    return [(other, other) for each in within for other in groups[_case(each)]]


@cache
def _cases() -> tuple[Sequence[int], Mapping[str, Sequence[int]]]:
    """Characters with another case, ascending; and those that are equal if case is ignored."""
    groups: dict[str, list[int]] = defaultdict(list)
    for code_point in range(LAST_CASED + 1):
        groups[_case(code_point)].append(code_point)
    alike = {case: members for case, members in groups.items() if len(members) > 1}
    return sorted(each for members in alike.values() for each in members), alike


def _case(code_point: int) -> str:
    return chr(code_point).lower()[0].upper()


TRANSLATIONS: Mapping[Any, Callable[[Any, Any, Context], str]] = {
    **dict.fromkeys(SETS, _set),
    **dict.fromkeys((op.MAX_REPEAT, op.MIN_REPEAT), _repeated),
    **dict.fromkeys((op.ASSERT, op.ASSERT_NOT), _assertion),
    op.BRANCH: _branch,
    op.SUBPATTERN: _group,
    op.AT: _position,
    op.FAILURE: _failure,
}
