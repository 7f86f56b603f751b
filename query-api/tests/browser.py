"""A headless Chromium that opens the explorer and records everything that the page must not do."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect, sync_playwright

from . import journal, running

# The first draws no windows, and so takes a quarter of the CPU time.
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, PROGRAMS)), None)

# Number of pixels of the canvas with nearly the colour of a line's swatch: lines have soft edges.
PIXELS = """line => {
  const [, ...wanted] = /(\\d+), (\\d+), (\\d+)/.exec(
    getComputedStyle(document.querySelectorAll('.swatch')[line]).backgroundColor).map(Number);
  const canvas = document.querySelector('#chart canvas');
  const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let found = 0;
  for (let i = 0; i < data.length; i += 4)
    if (data[i + 3] > 200 && wanted.every((value, c) => Math.abs(data[i + c] - value) < 12)) found++;
  return found;
}"""


# The machine may be slow, because other tests run at the same time.
PATIENCE_MS = 60_000
expect.set_options(timeout=PATIENCE_MS)


@contextmanager
def chromium() -> Iterator[Browser]:
    with running.shown("chromium", dict), sync_playwright() as playwright:
        # Chromium's sandbox does not start as root, and containers have little shared memory.
        options = ["--no-sandbox", "--disable-dev-shm-usage"]
        with journal.starting("chromium"):
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=options, timeout=120_000)
        yield browser
        browser.close()


@dataclass
class Explorer:
    """One page; ``faults`` are its console errors and its requests to other servers."""

    page: Page
    url: str
    faults: list[str] = field(default_factory=list)

    def open(self, query: str = "") -> "Explorer":
        self.page.goto(f"{self.url}/{query}")
        return self

    def tree_item(self, name: str) -> Locator:
        return self.page.get_by_role("treeitem", name=name, exact=True)

    def target(self, number: int = 0) -> Locator:
        return self.page.get_by_role("combobox", name="Target").nth(number)

    def confirm(self, dialog: Locator, label: str, token: str) -> None:
        """Try another token, which the dialog refuses, then this one."""
        dialog.get_by_label(label).fill("other")
        self.page.keyboard.press("Enter")
        expect(dialog.get_by_role("alert")).to_contain_text("only a token of RONDO_API_WRITE_TOKENS")
        dialog.get_by_label(label).fill(token)
        self.page.keyboard.press("Enter")
        expect(dialog).to_have_count(0)

    def kept(self) -> str:
        """Everything that the page shows and stores."""
        stored = self.page.evaluate("JSON.stringify([sessionStorage, localStorage, document.cookie, location.href])")
        return f"{stored}{self.page.content()}"

    def options(self) -> Locator:
        """Suggestions for the focused field."""
        return self.page.get_by_role("listbox", name="Suggestions").get_by_role("option")

    def legend(self) -> list[str]:
        """Names in the legend, as soon as there are any."""
        names = self.page.locator("#legend .series .name")
        names.first.wait_for()
        return names.all_text_contents()

    def await_line(self, number: int = 0) -> None:
        """Wait until the chart has a line with the colour of the legend."""
        self.page.locator("#legend .swatch").nth(number).wait_for()
        self.page.wait_for_function(f"line => ({PIXELS})(line) > 50", arg=number)

    def await_last_value(self, text: str) -> None:
        """Wait until the legend shows this text as the first line's last value."""
        expect(self.page.locator("#legend tbody .value").first).to_have_text(text)


@contextmanager
def explorer(browser: Browser, url: str, **context: Any) -> Iterator[Explorer]:
    opened = browser.new_context(timezone_id="Europe/Berlin", locale="en-GB", **context)
    opened.set_default_timeout(PATIENCE_MS)
    try:
        shown = Explorer(opened.new_page(), url)
        _watch(shown)
        yield shown
        assert shown.faults == [], shown.faults
    finally:
        opened.close()


def _watch(shown: Explorer) -> None:
    def said(message: ConsoleMessage) -> None:
        # Chromium suggests another kind of canvas once a test has read its pixels several times.
        if message.type in ("error", "warning") and not message.text.startswith("Canvas2D: Multiple readback"):
            shown.faults.append(message.text)

    def asked(url: str) -> None:
        if not url.startswith((f"{shown.url}/", f"{shown.url}?", "data:")):
            shown.faults.append(f"asked {url}")

    shown.page.on("console", said)
    shown.page.on("pageerror", lambda error: shown.faults.append(str(error)))
    shown.page.on("request", lambda request: asked(request.url))
    shown.page.on("dialog", lambda dialog: shown.faults.append(f"dialog {dialog.message}"))
