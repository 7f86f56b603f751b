"""Regular expressions of clients neither stop other requests nor take all memory."""

import gc
import re
import time
import tracemalloc
import weakref
from pathlib import Path

import pytest
from flask.testing import FlaskClient

import rondo_query_api
from rondo_query_api.errors import BadRequestError, RequestTimeoutError
from rondo_query_api.find.regexes import Regex
from rondo_query_api.limits import request_budget
from rondo_query_api.limits.request_budget import RequestBudget

from .in_process import client

# Each took seconds, or all memory, where the standard library or an unlimited compiler read it.
HOSTILE = [
    "(?:|){26}(?=b)",
    "(?:(?:[ab]{1000}){1000}){1000}",
    "(?:a{1000}){1000}" * 10,
    "(?:ab){100000}",
    "a{00000000000000000000000000000000099999999}",
    "(?:(?:[ab]{1000}){1000}){1000}(?:c{0})",
    "(?:(?:[ab]{1000}){1000}){,1000}",
    "(" * 5000,
    "a(?R)?b|(?R)",
    "(?:a|b" * 20_000,
    r"\p{L}" + "!=~" * 1500 + "{e<=3}",
    r"\b" * 8000,
    "(?i)[" + "".join(f"{chr(0x41 + n % 20)}-{chr(0xA000 + n)}" for n in range(300)) + "]",
]


@pytest.fixture(scope="module")
def impatient(database_url: str) -> FlaskClient:
    return client(database_url, request_timeout_ms=3000)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:30])
def test_tag_expressions_and_filters_run_no_hostile_regex(impatient: FlaskClient, text: str) -> None:
    for path, query in (
        ("/tags/findSeries", {"expr": f"name=~{text}"}),
        ("/tags/autoComplete/values", {"tag": "dc", "expr": f"name=~{text}"}),
        ("/tags", {"filter": text}),
        ("/render", {"target": f"grep(constantLine(1),'{text}')", "format": "json"}),
    ):
        began = time.process_time()
        response = impatient.post(path, data=query)
        assert response.status_code in (200, 400), response.text
        assert time.process_time() - began < 1


@pytest.mark.parametrize("text", ["a{e}", "(ab){i<=1,d<=2}", "a{1<=e<=3}", "a{2i+2d+1s<=4}", r"\\{s}", "a{e<=1:[ab]}"])
def test_fuzzy_matching_is_an_error(text: str) -> None:
    with pytest.raises(BadRequestError, match="fuzzy matching is not supported"):
        Regex("filter", text)


@pytest.mark.parametrize("text", [r"a\{e}", "a{2,3}", "{name}", "{}", "[eids]{2}", "a{,4}"])
def test_other_braces_are_as_in_python(text: str) -> None:
    for name in ("a{e}", "aaa", "{name}", "{}", "es", ""):
        assert Regex("filter", text).begins(name) is (re.match(text, name) is not None)


def test_compiling_takes_little_memory() -> None:
    tracemalloc.start()
    try:
        for text in HOSTILE:
            try:
                Regex("filter", text)
            except BadRequestError:
                continue
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_a_compiled_regex_ends_with_its_use() -> None:
    used = Regex("filter", "never compiled by another test")
    compiled = weakref.ref(used._compiled)
    del used
    gc.collect()
    assert compiled() is None


@pytest.mark.parametrize(
    "text",
    [
        f"(?:{'[ab]' * 4000}){{61}}",
        f"(?:[{'acegikmoqsuwy' * 3}]{{100}}){{99}}",
        "(?:ab|(?:cdef){70}){99}(?=g)",
        "(?:(?:abcd){90}){100,}?",
    ],
    ids=lambda text: text[:20],
)
def test_a_regex_with_too_many_repetitions_is_refused_before_it_is_compiled(text: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(BadRequestError, match=r"with all repetitions written out it has \d+ parts, at most 30000"):
            Regex("filter", text)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_matching_ends_with_the_time_of_the_request() -> None:
    request_budget.begin(RequestBudget(seconds=0.2))
    slow = Regex("grep: pattern", "(.*)*(.*)*(.*)*z|(a|aa)+$")
    with pytest.raises(RequestTimeoutError):
        slow.is_in("a" * 200 + "!")


def test_a_replacement_is_refused_before_it_is_built() -> None:
    tracemalloc.start()
    try:
        with pytest.raises(BadRequestError, match="a name or its replacement has"):
            Regex("aliasSub: search", "").replaced("a" * 10_000, "b" * 10_000)
        with pytest.raises(BadRequestError, match="more than 100 backslashes"):
            Regex("aliasSub: search", "(.*)").replaced("a" * 10_000, r"\1" * 5000)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "text",
    [
        r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
        r"^(?!web)\d{1,3}(\.\d{1,3}){3}$",
        "|".join(f"host{n}.example.com" for n in range(800)),
        "[ab]" * 4096,
        "(a)" * 5000,
    ],
    ids=lambda text: text[:20],
)
def test_regexes_of_dashboards_are_allowed(text: str) -> None:
    assert not Regex("grep: pattern", text).is_in("x")


def test_only_one_module_compiles_regexes_of_clients() -> None:
    """Elsewhere the standard library compiles constants only."""
    source = Path(rondo_query_api.__file__).parent
    calls = re.compile(r"\bre\.(?:compile|sub|search|match|fullmatch|split|findall|finditer)\(\s*(?![rbf]*[\"'])(\S+)")
    found = [(file.name, call) for file in source.rglob("*.py") for call in calls.findall(file.read_text())]
    assert found == []
    assert [file.name for file in source.rglob("*.py") if re.search(r"^import regex", file.read_text(), re.M)] == [
        "regexes.py"
    ]
