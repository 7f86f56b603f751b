"""Hostile names in a real Chromium: in the tree, the legend, SVG, JSON, CSV and HTML that embeds them, nothing runs."""

import time
from collections.abc import Iterator
from functools import cache
from urllib.parse import urlencode

import psycopg
import pytest
from playwright.sync_api import Browser, Error

from .api_server import ApiClient, serve
from .archive_rows import Policy
from .browser import explorer
from .postgres import fresh_database

RUN = "document.title='ran'"
NAMES = [
    f"]]></script><script>{RUN}</script>",
    f"<svg onload={RUN}>",
    f"<img src=x onerror={RUN}>",
    f"'\"><script>{RUN}</script>",
    f"javascript:{RUN}",
    f"</title></style></textarea><script>{RUN}</script>",
    f'=HYPERLINK("javascript:{RUN}")',
]


@cache
def now() -> int:
    """Time when the first test of this file runs, not when it is collected, of a slot of 10 s."""
    return int(time.time()) // 10 * 10


@pytest.fixture(scope="module")
def named(server_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiClient]:
    with fresh_database(server_url) as url:
        with psycopg.connect(url, autocommit=True) as connection:
            policy = Policy(connection, "hostile").archive(10, 360)
            for name in NAMES:
                policy.series(name).slots(10, {now() - 10 * n: float(n) for n in range(30)})
                policy.series({"name": name, "tag": name}).slots(10, {now(): 1.0})
        with serve(tmp_path_factory.mktemp("hostile"), url) as api:
            yield api


def paths() -> Iterator[str]:
    target = {"target": ["seriesByTag('name=~.+')", "seriesByTag('name=~.+','tag=')"], "from": "-50min"}
    for format_ in ("svg", "json", "csv", "raw", "dygraph", "rickshaw"):
        yield "/render?" + urlencode(target | {"format": format_}, doseq=True)
    yield "/render?" + urlencode(target | {"format": "svg", "graphType": "pie"}, doseq=True)
    for format_ in ("treejson", "completer", "json", "nodelist"):
        yield "/metrics/find?" + urlencode({"query": "*", "format": format_})
    yield "/metrics/index.json"
    yield "/tags/tag"
    for name in NAMES:
        yield "/nosuch/" + urlencode({"x": name})


def test_no_response_runs_a_name(browser: Browser, named: ApiClient) -> None:
    opened = browser.new_context()
    try:
        page = opened.new_page()
        ran: list[str] = []
        page.on("dialog", lambda dialog: ran.append(dialog.message))
        for path in paths():
            try:
                answered = page.goto(named.url + path)
                assert answered is not None
                assert answered.status == (404 if path.startswith("/nosuch") else 200), (path, answered.text()[:200])
            except Error as e:
                if "Download is starting" not in e.message:  # what a browser does not show, it stores
                    raise
                continue
            assert page.title() != "ran", path
            assert page.evaluate("[...document.scripts].length") == 0, path
        assert ran == []
    finally:
        opened.close()


def test_the_explorer_shows_names_as_text(browser: Browser, named: ApiClient) -> None:
    with explorer(browser, named.url) as shown:
        shown.open("?" + urlencode({"target": "seriesByTag('name=~.+')", "from": "-50min", "refresh": "0"}))
        assert set(shown.legend()) >= set(NAMES)
        shown.page.get_by_role("treeitem").first.wait_for()
        listed = shown.page.get_by_role("treeitem").all_text_contents()
        assert all(any(name.split(".")[0] in text for text in listed) for name in NAMES)
        assert shown.page.title() != "ran"
        assert shown.page.locator("img[src=x], svg[onload]").count() == 0


def test_no_error_runs_what_it_quotes(browser: Browser, named: ApiClient) -> None:
    opened = browser.new_context()
    try:
        page = opened.new_page()
        for name in NAMES:
            query = urlencode({"target": f"scale({name}", "format": name})
            answered = page.goto(f"{named.url}/render?{query}")
            assert (answered is not None and answered.status, page.title()) == (400, "")
            assert page.evaluate("[...document.scripts].length") == 0
    finally:
        opened.close()
