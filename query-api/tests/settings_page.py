"""Generates the reference page docs/reference/query-api-settings.md: ``python -m tests.settings_page``."""

from rondo_query_api.settings import settings_table

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
    return HEAD + settings_table()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
