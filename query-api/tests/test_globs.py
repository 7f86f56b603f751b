import re

import pytest
from graphite_render.finders import match_entries
from hypothesis import given
from hypothesis import strategies as st

from rondo_query_api.find import globs
from rondo_query_api.find.patterns import nodes

NODES = st.text("ab-c", min_size=1, max_size=4)
PIECES = ["a", "b", "-", "*", "?", "[ab]", "[a-c]", "[!a]", "[!a-b]", "[-a]", "{a,b}", "{ab,}", "{a,{b,-}c}"]
GLOBS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join)


@given(st.lists(NODES, unique=True, max_size=8), GLOBS)
def test_matches_what_graphite_matches(texts: list[str], glob: str) -> None:
    assert {text for text in texts if re.match(globs.regex(glob), text)} == set(match_entries(texts, glob))


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


def test_a_pattern_is_cut_at_its_dots() -> None:
    host, wildcard, literal = nodes("h[12].*.user")
    assert (host.low, host.high, host.is_literal) == ("h", "h\U0010ffff", False)
    assert (wildcard.low, wildcard.high) == ("", "\U0010ffff")
    assert (literal.low, literal.high, literal.is_literal) == ("user", "user\x01", True)
    assert [node.text for node in nodes("a.**.b.**")] == ["a", "**", "b", "**", "*"]
