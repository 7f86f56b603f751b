"""Generates the reference page docs/reference/query-api-settings.md: ``python -m tests.settings_page``."""

from rondo_query_api.settings import PREFIX, key_of, variables

from .postgres import REPOSITORY

PAGE = REPOSITORY / "docs" / "reference" / "query-api-settings.md"
HEAD = """# Settings of the query API

Environment variables, or lines `key=value` of the file that `RONDO_API_CONFIG` names, read at startup; [variables win
over the file](settings.md). An unknown variable `RONDO_API_*`, or key, is an error: the server does not start.
[The query API's README](../../query-api/README.md) describes how it behaves.

Generated from the definitions in the code: `cd query-api && .venv/bin/python -m tests.settings_page`.

"""


def page() -> str:
    """Text of the page."""
    rows = [
        f"| `{PREFIX}{each.name.upper()}` | `{key_of(each)}` | {_shown(each.default)} | {each.metadata['doc']} |"
        for each in variables()
    ]
    return HEAD + "\n".join(["| variable | key in the file | default | meaning |", "|---|---|---|---|", *rows]) + "\n"


def _shown(default: object) -> str:
    return "" if default == "" else f"`{default}`"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
