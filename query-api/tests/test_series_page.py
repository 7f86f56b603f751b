"""The explorer's page of series in a real browser, on a real API and database."""

import re
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import psycopg
import pytest
from playwright.sync_api import Browser, Locator, expect

from .api_server import ApiClient, serve
from .archive_rows import Policy
from .browser import Explorer, explorer
from .postgres import fresh_database

HOSTILE = "]]></script><script>alert(1)</script><img src=x onerror=alert(2)>"
HOSTILE_TAG = "]]></script><script>alert(1)</script>"  # keys of tags contain no =
DAY = 86_400


@cache
def now() -> int:
    """Time when the first test of this file runs, not when it is collected, of a slot of 10 s."""
    return int(time.time()) // 10 * 10


@pytest.fixture(scope="module")
def url(server_url: str) -> Iterator[str]:
    """Old series of two hosts, one of which has moved; a policy with a hostile name, whose series are new."""
    with fresh_database(server_url) as url, psycopg.connect(url, autocommit=True) as connection:
        before = Policy(connection, "before").archive(10, 2160, written=(now() - 600, now()))
        hosts = Policy(connection, "hosts").archive(10, 2160, written=(now() - 600, now()))
        for host in ("web1", "web2"):
            for part in ("user", "system"):
                hosts.series(f"hosts.{host}.cpu.{part}", starts_at=now() - 9 * DAY).slots(10, {now(): 42.5})
        moved = before.series("hosts.db1.load", starts_at=now() - 9 * DAY, source="metrics.db")
        moved.moved(hosts, starts_at=now() - DAY).slots(10, {now(): 7.0})
        hostile = Policy(connection, HOSTILE).archive(10, 2160, written=(now() - 600, now()))
        hostile.series(HOSTILE, starts_at=now() - 600, source="metrics.web").slots(10, {now(): 1.0})
        hostile.series({"name": "requests", "pod": HOSTILE, HOSTILE_TAG: "x y"}, starts_at=now() - 600)
        hostile.series({"name": "requests", "pod": "p1"}, starts_at=now() - 600)
        yield url


@pytest.fixture(scope="module")
def served(url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiClient]:
    with serve(tmp_path_factory.mktemp("series-page"), url) as api:
        yield api


@pytest.fixture
def shown(browser: Browser, served: ApiClient) -> Iterator[Explorer]:
    with explorer(browser, served.url) as shown:
        yield shown


def opened(shown: Explorer, **query: str) -> Explorer:
    return shown.open(f"series?{urlencode(query)}" if query else "series")


def rows(shown: Explorer, heading: str) -> Locator:
    """Rows of the counts under this heading."""
    card = shown.page.locator("#counts section").filter(has=shown.page.get_by_role("heading", name=heading))
    return card.locator("tbody tr")


def found(shown: Explorer) -> Locator:
    return shown.page.locator("#series tbody tr")


def test_it_is_reached_from_the_explorer(shown: Explorer) -> None:
    shown.open().page.get_by_role("link", name="Series").click()
    expect(shown.page.get_by_role("status")).to_have_text("8 series.")
    expect(rows(shown, "Policies")).to_have_text(["hosts5", f"{HOSTILE}3"])
    expect(rows(shown, "Sources")).to_have_text(["(backfill)6", "metrics.db1", "metrics.web1"])
    expect(rows(shown, "Prefixes")).to_have_text(["hosts.5", "requests2", f"{HOSTILE}1"])
    expect(rows(shown, "Tags")).to_have_text(["pod22", f"{HOSTILE_TAG}11"])
    expect(found(shown)).to_have_count(8)
    shown.page.get_by_role("link", name="Explorer").click()
    shown.page.wait_for_url(f"{shown.url}/")


def test_prefixes_are_walked_and_their_series_found(shown: Explorer) -> None:
    opened(shown)
    rows(shown, "Prefixes").get_by_role("button", name="hosts.").click()
    expect(rows(shown, "Prefixes")).to_have_text(["web1.2", "web2.2", "db1.1"])
    rows(shown, "Prefixes").get_by_role("button", name="web1.").click()
    expect(rows(shown, "Prefixes")).to_have_text(["cpu.2"])
    shown.page.get_by_role("button", name="Find these").click()
    expect(found(shown).get_by_role("link")).to_have_text(["hosts.web1.cpu.system", "hosts.web1.cpu.user"])
    shown.page.go_back()
    expect(found(shown)).to_have_count(8)
    shown.page.get_by_role("button", name="Prefixes", exact=True).click()
    expect(rows(shown, "Prefixes")).to_have_count(3)


def test_new_series_come_first_and_only_they_are_listed(shown: Explorer) -> None:
    opened(shown)
    shown.page.get_by_label("New since").select_option("1 hour")
    expect(shown.page.get_by_role("status")).to_have_text("8 series, 3 of them new.")
    expect(rows(shown, "Policies")).to_have_text([f"{HOSTILE}33", "hosts05"])
    expect(found(shown)).to_have_count(3)
    assert parse_qs(urlsplit(shown.page.url).query) == {"newSince": ["-1h"]}


def test_a_series_is_described_and_leads_to_its_graph(shown: Explorer) -> None:
    opened(shown)
    shown.page.get_by_label("Search", exact=True).fill("hosts.*.load")
    shown.page.keyboard.press("Enter")
    expect(found(shown)).to_have_count(1)
    expect(found(shown).locator("td").nth(0)).to_have_text("hosts")
    expect(found(shown).locator("td").nth(1)).to_have_text("metrics.db")
    expect(found(shown).locator("td").nth(3)).to_have_text("7")
    expect(found(shown).locator("td").nth(5)).to_have_text("0/0 : 5")
    found(shown).locator("summary").click()
    expect(found(shown).locator("li")).to_have_count(2)
    expect(found(shown).locator("li").nth(1)).to_contain_text("before, 0/0 : 1: ")
    found(shown).get_by_role("link").click()
    assert shown.legend() == ["hosts.db1.load"]


def test_hostile_names_are_only_text(shown: Explorer) -> None:
    opened(shown)
    rows(shown, "Policies").get_by_role("button", name=HOSTILE).click()
    expect(found(shown)).to_have_count(3)
    expect(shown.page.locator("#found")).to_contain_text(f"3 series of the policy {HOSTILE}")
    rows(shown, "Tags").get_by_role("button", name="pod").click()
    values = rows(shown, "Tags / pod")
    expect(values).to_have_text([f"{HOSTILE}1", "p11"])
    values.get_by_role("button", name=HOSTILE).click()
    expect(found(shown).get_by_role("link")).to_have_text([f"requests;{HOSTILE_TAG}=x y;pod={HOSTILE}"])
    shown.page.get_by_role("button", name="Tags", exact=True).click()
    rows(shown, "Tags").get_by_role("button", name=HOSTILE_TAG).click()
    expect(rows(shown, f"Tags / {HOSTILE_TAG}")).to_have_text(["x y1"])
    rows(shown, f"Tags / {HOSTILE_TAG}").get_by_role("button", name="x y").click()
    expect(found(shown)).to_have_count(1)
    rows(shown, "Prefixes").get_by_role("button", name=HOSTILE).click()
    expect(found(shown).get_by_role("link")).to_have_text([HOSTILE])
    expect(shown.page.locator("script")).to_have_count(1)
    expect(shown.page.locator("img")).to_have_count(1)
    shown.page.reload()
    expect(found(shown).get_by_role("link")).to_have_text([HOSTILE])
    found(shown).get_by_role("link").click()
    assert shown.legend() == [HOSTILE]


def test_what_the_api_refuses_is_shown(shown: Explorer) -> None:
    opened(shown, kind="expr", search="dc")
    expect(shown.page.locator("#found")).to_contain_text("'dc' is not a tag expression")
    shown.faults[:] = [fault for fault in shown.faults if "status of 400" not in fault]


def test_without_tokens_that_may_write_nothing_is_selected(shown: Explorer) -> None:
    opened(shown)
    expect(found(shown)).to_have_count(8)
    assert shown.page.get_by_role("checkbox").count() == 0
    expect(shown.page.get_by_role("button", name="Delete")).to_be_hidden()


def test_shown_series_and_all_found_are_selected(browser: Browser, server_url: str, tmp_path: Path) -> None:
    with fresh_database(server_url) as url, psycopg.connect(url, autocommit=True) as connection:
        for policy, count in (("many", 10_001), ("some", 150)):
            connection.execute(
                "insert into ds (ident, policy, seg, pos, starts_at)"
                " select jsonb_build_object('name', %(policy)s::text || '.' || lpad(n::text, 5, '0')), %(policy)s,"
                "        n / 100, n %% 100 + 1, now() from generate_series(1, %(count)s) as n",
                {"policy": policy, "count": count},
            )
        kafka = {"RONDO_API_WRITE_TOKENS": "w", "RONDO_API_KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:1"}
        with serve(tmp_path, url, RONDO_API_TOKENS="t", **kafka) as api, explorer(browser, api.url) as shown:
            opened(shown, search="many.*")
            shown.page.get_by_label("Token of this Rondo").fill("t")
            shown.page.keyboard.press("Enter")
            shown.page.get_by_role("button", name="Select all found").click()
            expect(shown.page.get_by_role("alert")).to_contain_text("More than 10,000 series: narrow the search")

            opened(shown, search="some.*")
            selected = shown.page.get_by_role("group", name="Selected series")
            shown.page.get_by_label("Select all shown").check()
            expect(selected).to_contain_text("100 series selected")
            shown.page.get_by_role("button", name="Select all found").click()
            expect(selected).to_contain_text("150 series selected")
            shown.page.get_by_label("Select some.00150").uncheck()
            expect(shown.page.get_by_label("Select all shown")).to_have_js_property("indeterminate", True)
            shown.page.get_by_role("button", name="Delete 149 series …").click()
            dialog = shown.page.get_by_role("dialog", name="Delete 149 series?")
            expect(dialog.get_by_role("listitem")).to_have_text([f"some.{n:05}" for n in range(149, 144, -1)])
            expect(dialog).to_contain_text("and 144 more")
            dialog.get_by_label("Token that may delete").fill("t")
            shown.page.keyboard.press("Enter")
            expect(dialog.get_by_role("alert")).to_contain_text("only a token of RONDO_API_WRITE_TOKENS")
            dialog.get_by_label("Token that may delete").fill("x")
            shown.page.keyboard.press("Enter")
            expect(dialog.get_by_role("alert")).to_contain_text("unknown credentials")
            shown.page.keyboard.press("Escape")
            expect(dialog).to_have_count(0)
            expect(selected).to_contain_text("149 series selected")
            shown.faults[:] = [fault for fault in shown.faults if not re.search("status of 40[13]", fault)]


def test_under_a_prefix_with_a_slash_it_asks_for_the_token_and_says_that_kafka_is_missing(
    browser: Browser, url: str, tmp_path: Path
) -> None:
    tokens = {"RONDO_API_TOKENS": "t1", "RONDO_API_WRITE_TOKENS": "w"}
    with serve(tmp_path, url, prefix="/graphite", **tokens) as api, explorer(browser, api.url) as shown:
        assert api.get("/series/find").status == 401
        shown.open("series/")
        shown.page.get_by_label("Token of this Rondo").fill("t1")
        shown.page.keyboard.press("Enter")
        expect(shown.page.get_by_role("status")).to_have_text("8 series.")
        assert urlsplit(shown.page.url).path == "/graphite/series"
        expect(shown.page.get_by_text("To delete series here, set RONDO_API_KAFKA_BOOTSTRAP_SERVERS.")).to_be_visible()
        expect(found(shown)).to_have_count(8)
        assert shown.page.get_by_role("checkbox").count() == 0
        shown.faults[:] = [fault for fault in shown.faults if "401" not in fault]
