"""Generates the reference page docs/reference/functions.md: ``python -m tests.differential.page``."""

from collections import Counter
from itertools import groupby

from rondo_query_api.functions import FUNCTIONS, Function
from rondo_query_api.functions.keeping import EVERY, Keeps, KeepsBy, Selects

from ..postgres import REPOSITORY
from .requests import exceptions, requests

PAGE = REPOSITORY / "docs" / "reference" / "functions.md"
HEAD = """# Functions

All functions of Graphite, as in graphite-web 1.1.10. In the column *as graphite-web*, "yes" and a number say how many
requests of the tests call the function and get the same response from Rondo and from a real graphite-web: names, order,
tags, times, and values to a billionth. Where responses differ on purpose, the column has the name of the
[difference](#where-answers-differ).

The column *keeps* has the consolidation functions that reach the choice of archives through a call: consolidating slots
before the call or after it gives the same values. Inside other calls, archives are read as without `consolidateBy`, and
the finest one that reaches back. Calls marked *finest* keep the functions, and need the finest archive of them.

Generated from the table of functions and the tests: `cd query-api && .venv/bin/python -m tests.differential.page`.
"""
TABLE = """
## {group}

| function | description | keeps | as graphite-web |
|---|---|---|---|
"""
DIFFERENCES = """
## Where answers differ

| name | difference and reason |
|---|---|
"""


def page() -> str:
    """Text of the page."""
    ordered = sorted(FUNCTIONS.values(), key=lambda each: (each.group, each.name.lower()))
    differing = {target for each in exceptions() for target in each.targets}
    called = Counter(name for each in requests() if each.line not in differing for name in each.functions)
    tables = [
        TABLE.format(group=group) + "".join(_row(each, called[each.name]) for each in functions)
        for group, functions in groupby(ordered, key=lambda each: each.group)
    ]
    differences = "".join(f"| {each.name} | {_cell(each.reason)} |\n" for each in exceptions())
    return HEAD + "".join(tables) + DIFFERENCES + differences


def _row(function: Function, requests_: int) -> str:
    own = [each.name for each in exceptions() if function.name in each.functions]
    equal = [f"yes, {requests_}"] if requests_ else []
    what = " ".join(function.description.split())
    kept = _kept(function.keeps)
    return f"| `{_cell(function.signature)}` | {_cell(what)} | {kept} | {'; '.join([*equal, *own])} |\n"


def _kept(keeps: Keeps | Selects | KeepsBy) -> str:
    match keeps:
        case KeepsBy(param):
            return f"by {param}"
        case Selects(cf):
            return f"asks for {cf}"
    names = "all" if keeps.functions == EVERY else ", ".join(sorted(keeps.functions)) or "none"
    return f"{names}, finest" if keeps.finest else names


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
