"""Any tag pattern is translated or refused with little work and output."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rondo_query_api.errors import BadRequestError, RequestTimeoutError
from rondo_query_api.find import postgres_regexes
from rondo_query_api.find.postgres_regexes import MAX_LENGTH
from rondo_query_api.find.tag_expressions import TagQuery
from rondo_query_api.limits import request_budget
from rondo_query_api.limits.request_budget import RequestBudget

from .examples import examples

MOST_WORK = 4 * MAX_LENGTH  # each range is merged three times at most
FIRST = st.integers(0x21, 0x5A).map(chr)
LAST = st.integers(0x61, 0x1FFFF).filter(lambda code_point: not 0xD800 <= code_point < 0xE000).map(chr)
RANGES = st.builds(lambda first, last: f"{first}-{last}", FIRST.filter(lambda each: each not in "-"), LAST)
MEMBERS = st.one_of(RANGES, RANGES, st.sampled_from([r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", "é", "k"]))
SETS = st.builds(
    lambda negated, members: f"[{negated}{''.join(members)}]",
    st.sampled_from(["", "^"]),
    st.lists(MEMBERS, min_size=1, max_size=8),
)
ITEMS = st.one_of(SETS, SETS, st.sampled_from([r"\b", r"\w", r"\W", ".", "k", "(?:a|b)"]))
PATTERNS = st.builds(
    lambda flag, items, times: f"{flag}{''.join(items) * times}",
    st.sampled_from(["", "(?i)"]),
    st.lists(ITEMS, min_size=1, max_size=4),
    st.sampled_from([1, 10, 100]),
)
WIDE = "(?i)[" + "".join(f"{chr(0x41 + n % 20)}-{chr(0x1F000 + n // 20)}" for n in range(300)) + "]"
VARIED = [rf"[\W\w{chr(0x4E00 + n)}]" for n in range(400)]


class TooMuchWorkError(Exception):
    """More ranges and characters have been handled than are allowed."""


@contextmanager
def counted_work() -> Iterator[None]:
    """Count the ranges that are merged and the characters that are written; too many are an error."""
    done = 0
    merge, write = postgres_regexes._complement, postgres_regexes._literal

    def count(number: int) -> None:
        nonlocal done
        done += number
        if done > MOST_WORK:
            raise TooMuchWorkError

    def merged(ranges: postgres_regexes.Ranges) -> list[tuple[int, int]]:
        count(len(ranges))
        return merge(ranges)

    def written(code_point: int, also: str = "") -> str:
        count(1)
        return write(code_point, also)

    characters(r"(?i)\w\W\d\D\s\S")  # what is computed once for all patterns
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postgres_regexes, "_complement", merged)
        patch.setattr(postgres_regexes, "_literal", written)
        yield


def characters(*patterns: str) -> int:
    """Characters of the regexes for PostgreSQL; 0 if they are refused."""
    try:
        return sum(map(len, TagQuery.of(["key=value", *(f"tag=~{each}" for each in patterns)]).regexes))
    except BadRequestError:
        return 0


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(PATTERNS, min_size=1, max_size=2))
def test_of_any_sets_is_little(patterns: list[str]) -> None:
    with counted_work():
        assert characters(*patterns) <= MAX_LENGTH + 10 * len(patterns)


@pytest.mark.parametrize(
    "patterns",
    [[WIDE], [r"\b" * 400], [r"\w" * 400], ["(?i)" + r"[\w]" * 400], ["".join(VARIED)], [r"\w"] * 400],
    ids=["wide", "boundaries", "words", "sets of words", "sets of all", "expressions"],
)
def test_of_hostile_sets_is_little(patterns: list[str]) -> None:
    with counted_work():
        assert characters(*patterns) <= MAX_LENGTH


def test_wide_ranges_that_overlap_are_written_once() -> None:
    assert characters(WIDE) < 1000


def test_ends_with_the_time_of_the_request() -> None:
    request_budget.begin(RequestBudget(seconds=0))
    with pytest.raises(RequestTimeoutError):
        TagQuery.of(["key=value", "tag=value", "tag!=other"] * 10 + ["tag=~[a-z]+"])
