"""Regular expressions of tags mean in PostgreSQL what they mean in Python."""

import re

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rondo_query_api.errors import BadRequestError
from rondo_query_api.find.tag_expressions import TagQuery

from .api_server import ApiClient
from .conftest import MakePolicy
from .examples import examples

WORDS = "a b A ab ba aab abab a-b a_b a.b a,b aaaa web WEB web-01 web-01.example.com Web_2 1 10 0x7 -1 1.5"
MARKS = r"[ ] ^ \ {a} a{2} a{e} (a) * + ? | $ / :alpha:] _ && ~"
LETTERS = "é É e\u0301 ß \u1e9e ss \u017f s S \u212a k K i I \u0130 \u0131 \u00b5 \u03bc 日本 \u0663 ² Ⅷ \U0001f600"
SPACES = ["", " ", "\t", "\x1c", "\x85", "\n", "\n\n", "a b", "b\n", "a\nb"]
VALUES = [*WORDS.split(), *MARKS.split(), *LETTERS.split(), *SPACES]
CHARACTERS = st.sampled_from("abAwski10-_ ,éßµ日&~/")
ESCAPES = st.sampled_from(
    [rf"\{each}" for each in r"dDsSwWbBAZ.-[]{}()*+?|^$\/&~ntmMyYhHKGRXpPQE12z0"]
    + [r"\x61", r"\x77eb", r"\u00e9", r"\101"]
)
MEMBERS = st.one_of(
    CHARACTERS,
    ESCAPES,
    st.sampled_from(["a-c", "A-Z", "0-9", "a-", "-z", "^", "[", "[:alpha:]", "&&", "--", "é-ü", "z-a", "|"]),
)
SETS = st.builds(
    lambda negated, members: f"[{negated}{''.join(members)}]", st.sampled_from(["", "^"]), st.lists(MEMBERS, max_size=3)
)
ATOMS = st.one_of(
    CHARACTERS, CHARACTERS, ESCAPES, SETS, st.sampled_from([".", "^", "$", ".*", "web", "[", "]", "{", "}"])
)
COUNT = "* + ? *? +? ?? {2} {1,2} {,2} {1,} {0} {e} {300} *+ **"
COUNTS = st.sampled_from(["", "", "", *COUNT.split(), "{ 2}"])
GROUPS = st.sampled_from(
    ["(", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?i:", "(?s:", "(?m:", "(?-i:", "(?P<x>", "(?>", "(?a:", "(?#"]
)
PATTERNS = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(["", "", "", "^", "(?i)", "(?s)", "(?m)", "(?im)", "(?x)", "(?a)", "(?L)", "(?e)"]),
        st.recursive(
            st.builds("{}{}".format, ATOMS, COUNTS),
            lambda inner: st.one_of(
                st.lists(inner, max_size=4).map("".join),
                st.lists(inner, min_size=2, max_size=3).map("|".join),
                st.builds("{}{}){}".format, GROUPS, inner, COUNTS),
            ),
            max_leaves=8,
        ),
    ),
)
DASHBOARDS = (
    r"web\b.* \x77eb.* (?i)WEB-.* (?i:WEB).1$ \w+-\d+$ web.{3} (?:web|db)-\S+\Z w(?!x)e(?=b)b [^\W\d]+- ^\w"
    r" (?P<role>web|db)-0 web-[0-9]{1,3}$ (?s)web.* \u65e5. [é日] web|db ^web|1"
)
TEXTS = st.text("ab1Wé\\[](){}*+?|^$.-:,<=!#ixsdwb \n", max_size=8)


def meaning(pattern: str) -> re.Pattern[str] | None:
    """Compiled pattern; None if it is invalid, or Python warns about it."""
    try:
        return re.compile(pattern)
    except (re.error, FutureWarning, OverflowError, ValueError):
        return None


@settings(max_examples=examples(100))
@given(st.lists(st.one_of(PATTERNS, PATTERNS, TEXTS), min_size=20, max_size=60))
def test_matches_what_python_matches_or_is_refused(session: psycopg.Connection, patterns: list[str]) -> None:
    expected, regexes = {}, {}
    for pattern in patterns:
        compiled = meaning(pattern)
        try:
            query = TagQuery.of(["key=value", f"tag=~{pattern}"])
        except BadRequestError:
            continue
        assert compiled is not None, pattern
        anywhere = pattern.startswith("^") and compiled.match("") is None
        match = compiled.search if anywhere else compiled.match
        expected[pattern] = [value for value in VALUES if match(value)]
        [regexes[pattern]] = query.regexes
    rows = session.execute(
        "select n, value from unnest(%s::text[]) with ordinality as regex (regex, n) join unnest(%s::text[]) as value"
        " on value ~ regex",
        (list(regexes.values()), VALUES),
    ).fetchall()
    found: dict[str, list[str]] = {pattern: [] for pattern in regexes}
    for n, value in rows:
        found[list(regexes)[n - 1]].append(value)
    for pattern, regex in regexes.items():
        assert sorted(found[pattern]) == sorted(expected[pattern]), (pattern, regex[:200])


@pytest.mark.parametrize(
    "pattern",
    DASHBOARDS.split(),
)
def test_of_dashboards_are_translated(session: psycopg.Connection, pattern: str) -> None:
    [regex] = TagQuery.of(["key=value", f"tag=~{pattern}"]).regexes
    values = ["web-01", "WEB-01", "web", "webx", "db-1", "日本", "é", "w-1", "_-x"]
    [(found,)] = session.execute(
        "select array(select v from unnest(%s::text[]) v where v ~ %s)", (values, regex)
    ).fetchall()
    match = re.search if pattern.startswith("^") else re.match
    assert found == [value for value in values if match(pattern, value)]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (r"(a)\1", r"a reference to a group, such as \1: write the text again"),
        ("(a)?(?(1)b|c)", "a condition (?(1)a|b): write a|b with both alternatives in full"),
        ("a++", "a possessive repetition, such as a++: write a+"),
        ("(?>a)", "an atomic group (?>a): write (?:a)"),
        ("(?x)a b", "a flag other than i, m and s: write the regex without it"),
        ("(?a:a)", "a flag other than i, m and s: write the regex without it"),
        ("a{300}", "a count of more than 255: write a product, such as (?:a{100}){5}"),
        (r"a\B", r"\B: write (?<=\w)(?=\w) inside a word"),
        ("(?<=a*)b", "look-behind requires fixed-width pattern"),
        (r"\mweb", r"bad escape \m at position 0"),
        ("[[:alpha:]]", r"a '[' in a set: write '\['; Python has no classes such as [:alpha:]: write [A-Za-z]"),
        ("[a--b]", r"'--' in a set: write '\-'"),
        ("(?R)", "unknown extension ?R at position 1"),
        (r"\w" * 150, "it exceeds 200000 characters and ranges in PostgreSQL's syntax"),
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("operator", ["=~", "!=~"])
def test_what_is_not_translated_is_named(pattern: str, message: str, operator: str) -> None:
    with pytest.raises(BadRequestError, match=re.escape(message)):
        TagQuery.of(["key=value", f"tag{operator}{pattern}"])
    assert TagQuery.of(["key=value", rf"tag{operator}a\b"]).regexes


def test_by_each_endpoint(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    for value in ("web-01", "webx", "WEB-2", "db\n"):
        make_policy().series({"name": root, f"host{root}": value})
    for pattern, values in (
        (r"web\b.*", ["web-01"]),
        ("(?i)web-", ["WEB-2", "web-01"]),
        (r"\x77ebx$", ["webx"]),
        ("db$", ["db\n"]),
    ):
        expr = f"host{root}=~{pattern}"
        assert api.get("/tags/findSeries", expr=[f"name={root}", expr]).json == [
            f"{root};host{root}={each}" for each in values
        ]
        assert api.get("/tags/findSeries", expr=expr).json == [f"{root};host{root}={each}" for each in values]
        assert api.get("/tags/autoComplete/values", tag=f"host{root}", expr=expr).json == values
        assert [each["value"] for each in api.get(f"/tags/host{root}", filter=pattern).json["values"]] == values
        without = api.get("/tags/findSeries", expr=[f"name={root}", f"host{root}!=~{pattern}"]).json
        assert len(without) == 4 - len(values)
    assert api.get("/tags", filter=f"(?i)HOST{root}\\b").json == [{"tag": f"host{root}"}]
    assert api.get("/tags", filter=r"\mhost").status == 400
