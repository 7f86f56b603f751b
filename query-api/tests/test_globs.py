import re

import pytest
from graphite_render.finders import match_entries
from hypothesis import given
from hypothesis import strategies as st

from rondo_query_api import globs
from rondo_query_api.patterns import Pattern

NODES = st.text("ab-c", min_size=1, max_size=4)
PIECES = ["a", "b", "-", "*", "?", "[ab]", "[a-c]", "[!a]", "[!a-b]", "[-a]", "{a,b}", "{ab,}", "{a,{b,-}c}"]
GLOBS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join)


@given(st.lists(NODES, unique=True, max_size=8), GLOBS)
def test_matches_what_graphite_matches(nodes: list[str], glob: str) -> None:
    assert {node for node in nodes if re.match(globs.regex(glob), node)} == set(match_entries(nodes, glob))


@given(st.text(min_size=1).filter(lambda text: "\0" not in text))
def test_any_text_is_a_pattern_that_matches_itself(text: str) -> None:
    assert re.match(globs.regex(text), text, re.DOTALL)


@pytest.mark.parametrize(
    ("glob", "matched", "unmatched"),
    [
        ("a[0]", ["a0", "a[0]"], ["a"]),
        ("{a}", ["a", "{a}"], ["b"]),
        ("[b-a]", ["[b-a]"], ["a", "b"]),
        ("[!b-a]", ["a", "c"], [""]),
        ("[^a]", ["b"], ["a"]),
        ("[]a]", ["]", "a"], ["b"]),
        ("[a", ["[a"], ["a"]),
        ("{a", ["{a"], ["a"]),
        ("a+", ["a+"], ["aa"]),
        ("(?i)*", ["(?i)x"], ["x"]),
    ],
)
def test_odd_globs(glob: str, matched: list[str], unmatched: list[str]) -> None:
    regex = re.compile(globs.regex(glob))
    assert [bool(regex.match(each)) for each in [*matched, *unmatched]] == [True] * len(matched) + [False] * len(
        unmatched
    )


def test_a_pattern_is_cut_at_its_wildcards() -> None:
    pattern = Pattern.of("hosts.h[12].cpu.*.user")
    assert (pattern.heads, pattern.starts, pattern.tail) == (["hosts.", ".cpu."], ["h", ""], ".user")
    assert Pattern.of("a.b") == Pattern([], [], [], "a.b")
