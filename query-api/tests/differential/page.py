"""Generates the reference page docs/reference/functions.md: ``python -m tests.differential.page``."""

from collections import Counter
from itertools import groupby

from rondo_query_api.functions import FUNCTIONS, Function

from ..postgres import REPOSITORY
from .requests import exceptions, requests

PAGE = REPOSITORY / "docs" / "reference" / "functions.md"
HEAD = """# Functions

All functions of Graphite, as in graphite-web 1.1.10. In the column *as graphite-web*, "yes" and a number say how many
requests of the tests call the function and get the same response from Rondo and from a real graphite-web: names, order,
tags, times, and values to a billionth. Where responses differ on purpose, the column has the name of the
[difference](#where-answers-differ).

Generated from the table of functions and the tests: `cd query-api && .venv/bin/python -m tests.differential.page`.
"""
TABLE = """
## {group}

| function | description | as graphite-web |
|---|---|---|
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
    return f"| `{_cell(function.signature)}` | {_cell(what)} | {'; '.join([*equal, *own])} |\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
