"""The explorer in a real browser, on a real API and database."""

import re
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import psycopg
import pytest
from playwright.sync_api import Browser, expect

from .api_server import ApiClient, serve
from .archive_rows import Policy
from .browser import Explorer, explorer
from .postgres import fresh_database

HOSTILE = "<img src=x onerror=alert(1)>"
USERS = ["hosts.db1.cpu.user", "hosts.web1.cpu.user", "hosts.web2.cpu.user"]


@cache
def now() -> int:
    """Time when the first test of this file runs, not when it is collected, of a slot of 10 s."""
    return int(time.time()) // 10 * 10


@pytest.fixture(scope="module")
def policy(server_url: str) -> Iterator[Policy]:
    """Half an hour of CPU of three hosts, two tagged series, and a series with a hostile name."""
    with fresh_database(server_url) as url, psycopg.connect(url, autocommit=True) as connection:
        policy = Policy(connection, "explored").archive(10, 2160)
        times = range(now() - 1800, now() + 10, 10)
        for n, name in enumerate(
            f"{host}.cpu.{part}" for host in ("web1", "web2", "db1") for part in ("user", "system")
        ):
            policy.series(f"hosts.{name}").slots(10, {t: 20.0 * n + t // 10 % 10 for t in times})
        for dc in ("ams", "fra"):
            policy.series({"name": "disk.used", "dc": dc}).slots(10, dict.fromkeys(times, 5.0))
        policy.series(HOSTILE).slots(10, dict.fromkeys(times, 1.0))
        without_archive = Policy(connection, "coarse")
        without_archive.series("coarse.value")
        without_archive.series({"name": "coarse.tagged", "dc": "ams"})
        yield policy


@pytest.fixture(scope="module")
def explored(policy: Policy, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiClient]:
    info = policy.connection.info
    url = f"postgresql://{info.user}:{info.password}@{info.host}:{info.port}/{info.dbname}"
    with serve(tmp_path_factory.mktemp("explored"), url) as api:
        yield api


@pytest.fixture
def shown(browser: Browser, explored: ApiClient) -> Iterator[Explorer]:
    with explorer(browser, explored.url) as shown:
        yield shown


def link(*targets: str, **values: Any) -> str:
    return "?" + urlencode([*(("target", each) for each in targets), *values.items()])


def requested(shown: Explorer) -> dict[str, list[str]]:
    return parse_qs(urlsplit(shown.page.url).query)


def test_the_tree_is_walked_by_keys(shown: Explorer) -> None:
    keyboard = shown.open().page.keyboard
    shown.page.get_by_role("tab", name="Tree").click()
    shown.tree_item("hosts").wait_for()
    keyboard.press("Tab")
    expect(shown.tree_item(HOSTILE)).to_be_focused()
    keyboard.press("h")
    keyboard.press("ArrowRight")
    expect(shown.tree_item("hosts")).to_have_attribute("aria-expanded", "true")
    shown.tree_item("db1").wait_for()
    keyboard.press("ArrowRight")
    expect(shown.tree_item("db1")).to_be_focused()
    keyboard.press("Enter")
    shown.tree_item("cpu").wait_for()
    keyboard.press("ArrowDown")
    keyboard.press("ArrowRight")
    shown.tree_item("user").wait_for()
    keyboard.press("ArrowRight")
    keyboard.press("ArrowDown")
    expect(shown.tree_item("user")).to_be_focused()
    keyboard.press("Enter")
    shown.await_line()
    expect(shown.tree_item("user")).to_have_attribute("aria-selected", "true")
    assert (shown.legend(), requested(shown)["target"]) == (["hosts.db1.cpu.user"],) * 2
    keyboard.press(" ")
    expect(shown.page.get_by_role("heading", name="Choose a series")).to_be_visible()
    keyboard.press("ArrowLeft")
    expect(shown.tree_item("cpu")).to_be_focused()
    keyboard.press("ArrowLeft")
    expect(shown.tree_item("user")).to_be_hidden()
    keyboard.press("Shift+Enter")
    shown.await_line(1)
    assert requested(shown)["target"] == ["hosts.db1.cpu.*"]


def test_a_click_draws_a_series_and_another_adds_one(shown: Explorer) -> None:
    shown.open()
    for name in ("hosts", "web1", "cpu", "user", "system"):
        shown.tree_item(name).locator(".row").first.click()
    shown.await_line(1)
    assert shown.legend() == ["hosts.web1.cpu.user", "hosts.web1.cpu.system"]
    expect(shown.page.get_by_role("status")).to_contain_text("2 series, a value every 10 s")
    shown.page.get_by_role("button", name="hosts.web1.cpu.user").click()
    expect(shown.page.get_by_role("button", name="hosts.web1.cpu.user")).to_have_attribute("aria-pressed", "false")


def test_functions_and_names_are_completed(shown: Explorer) -> None:
    target = shown.open().target()
    target.press_sequentially("sumS")
    expect(shown.options().first).to_contain_text("sumSeries")
    target.press("ArrowDown")
    expect(shown.page.locator(".help")).to_contain_text("sumSeries(*seriesLists) Combine Sum of all series.")
    target.press("Enter")
    expect(target).to_have_value("sumSeries(")
    target.press_sequentially("hosts.w")
    expect(shown.options()).to_have_text(["web1branch", "web2branch"])
    target.press("ArrowUp")
    target.press("Tab")
    expect(target).to_have_value("sumSeries(hosts.web2.")
    expect(shown.options()).to_have_text(["cpubranch"])
    target.press("Escape")
    target.press_sequentially("cpu.user)")
    target.press("Enter")
    shown.await_line()
    assert shown.legend() == ["sumSeries(hosts.web2.cpu.user)"]


def test_a_function_is_put_around_a_target(shown: Explorer) -> None:
    shown.open(link("hosts.*.cpu.user")).await_line()
    shown.page.get_by_role("button", name="Apply a function").click()
    shown.page.get_by_role("combobox", name="Function").press_sequentially("movingAv")
    expect(shown.options().first).to_contain_text("movingAverage")
    shown.options().first.click()
    expect(shown.target()).to_have_value("movingAverage(hosts.*.cpu.user, 5)")
    shown.page.wait_for_url("**movingAverage**")


def test_an_error_is_shown_at_its_target(shown: Explorer, explored: ApiClient) -> None:
    shown.open(link("sumSerie(hosts.web1.cpu.user)", "hosts.web1.cpu.user")).await_line()
    answer = explored.get("/render", target="sumSerie(hosts.web1.cpu.user)", format="json")
    expect(shown.page.get_by_role("alert").filter(has_text="sumSerie")).to_have_text(answer.text.strip())
    expect(shown.target()).to_have_attribute("aria-invalid", "true")
    assert (answer.status, shown.legend()) == (400, ["hosts.web1.cpu.user"])
    assert [fault.partition("(")[0] for fault in shown.faults] == [
        "Failed to load resource: the server responded with a status of 400 "
    ]
    shown.faults.clear()


def test_a_hostile_name_is_only_text(shown: Explorer) -> None:
    shown.open()
    shown.tree_item(HOSTILE).click()
    shown.await_line()
    assert shown.legend() == [HOSTILE]
    expect(shown.target()).to_have_value(r"<img\ src=x\ onerror=alert\(1\)>")
    assert shown.page.locator("img").count() == 1  # Rondo's own


def test_an_address_has_the_whole_state(shown: Explorer) -> None:
    range_ = {"from": now() - 600, "until": now()}
    shown.open(link("hosts.*.cpu.user", tz="Asia/Tokyo", refresh=0, **range_)).await_line(2)
    assert shown.legend() == USERS
    expect(shown.page.get_by_label("Time zone")).to_have_value("Asia/Tokyo")
    tokyo = time.strftime("%Y-%m-%dT%H:%M", time.gmtime(now() + 9 * 3600))
    assert shown.page.get_by_label("Until").input_value().startswith(tokyo)
    shown.page.get_by_label("Time", exact=True).select_option("-15min")
    shown.page.get_by_label("Time zone").select_option("Europe/Berlin")
    assert requested(shown) == {"target": ["hosts.*.cpu.user"], "from": ["-15min"], "refresh": ["0"]}
    shown.page.go_back()
    shown.page.go_back()
    expect(shown.page.get_by_label("Until")).to_be_visible()
    assert requested(shown)["from"] == [str(now() - 600)]


def test_dragging_chooses_a_time(shown: Explorer) -> None:
    shown.open(link("hosts.*.cpu.user", refresh=0)).await_line()
    box = shown.page.locator(".u-over").bounding_box()
    assert box
    shown.page.mouse.move(box["x"] + box["width"] * 0.75, box["y"] + 50)
    shown.page.mouse.down()
    shown.page.mouse.move(box["x"] + box["width"] * 0.9, box["y"] + 60, steps=3)
    shown.page.mouse.up()
    shown.page.wait_for_url("**until=*")
    start, end = (int(requested(shown)[name][0]) for name in ("from", "until"))
    assert end - start == pytest.approx(0.15 * 3600, abs=30)


def test_the_chart_follows_new_points(shown: Explorer, policy: Policy) -> None:
    series = policy.series("late.value").slots(10, {now() - 20: 1.0})
    shown.open(link("late.value", refresh=1)).await_last_value("1")
    series.slots(10, {now() - 10: 77.0})
    shown.await_last_value("77")


def test_events_are_lines_from_the_bottom_to_the_top(shown: Explorer, explored: ApiClient) -> None:
    event = {"what": "shop 4.2", "tags": ["deploy"], "when": now() - 600}
    assert explored.post_json("/events", event).status == 200
    shown.open(link("hosts.web1.cpu.user", 'events("deploy")')).await_line(1)
    assert shown.legend() == ["hosts.web1.cpu.user", 'events("deploy")']


def test_tags_become_a_target(shown: Explorer) -> None:
    shown.open()
    shown.page.get_by_role("tab", name="Tags").click()
    shown.page.get_by_label("Tag", exact=True).fill("d")
    expect(shown.options()).to_have_text(["dc"])
    shown.page.get_by_label("Tag", exact=True).fill("dc")
    shown.page.get_by_label("Operator").select_option("!=")
    shown.page.get_by_label("Value", exact=True).fill("fra")
    shown.page.get_by_role("button", name="Add").click()
    expect(shown.options()).to_contain_text(["dc", "name"])  # a condition that requires no tag narrows no suggestions
    shown.page.get_by_label("Tag", exact=True).fill("name")
    shown.page.get_by_label("Value", exact=True).fill("disk.used")
    shown.page.get_by_role("button", name="Draw").click()
    shown.await_line()
    assert shown.legend() == ["disk.used;dc=ams"]
    expect(shown.target()).to_have_value('seriesByTag("dc!=fra", "name=disk.used")')


@pytest.mark.parametrize(
    ("scheme", "ground"),
    [("dark", "rgb(15, 20, 24)"), pytest.param("light", "rgb(246, 247, 248)", marks=pytest.mark.long)],
)
def test_colours_are_the_systems_until_chosen(browser: Browser, explored: ApiClient, scheme: Any, ground: str) -> None:
    other = {"dark": "light", "light": "dark"}[scheme]
    with explorer(browser, explored.url, color_scheme=scheme) as shown:
        root = shown.open(link("hosts.web1.cpu.user")).page.locator("html")
        expect(root).to_have_css("background-color", ground)
        shown.await_line()
        shown.page.get_by_label("Colours").select_option(other)
        expect(root).not_to_have_css("background-color", ground)
        shown.await_line()
        shown.open(link("hosts.web1.cpu.user")).await_line()
        expect(shown.page.get_by_label("Colours")).to_have_value(other)


def test_on_a_phone_the_tree_is_behind_a_button(browser: Browser, explored: ApiClient) -> None:
    with explorer(browser, explored.url, viewport={"width": 390, "height": 800}) as shown:
        shown.open(link("hosts.*.cpu.user")).await_line()
        expect(shown.page.get_by_role("tree")).to_be_hidden()
        shown.page.get_by_role("button", name="Series", exact=True).click()
        expect(shown.tree_item("hosts")).to_be_visible()
        assert shown.page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.fixture
def host(server_url: str, tmp_path: Path) -> Iterator[ApiClient]:
    """An API with half an hour of the CPU of one machine, as its host collector names it."""
    with fresh_database(server_url) as url, psycopg.connect(url, autocommit=True) as connection:
        policy = Policy(connection, "host").archive(10, 2160)
        for n, part in enumerate(("busy", "idle")):
            policy.series(f"hosts.laptop_7.cpu.{part}").slots(10, {now() - 10 * i: 30.0 + n for i in range(180)})
        with serve(tmp_path, url) as api:
            yield api


def test_without_a_target_the_cpu_of_the_host_is_drawn(browser: Browser, host: ApiClient) -> None:
    with explorer(browser, host.url) as shown:
        shown.open().await_line()
        assert shown.legend() == ["hosts.laptop_7.cpu.busy"]
        expect(shown.target()).to_have_value("hosts.*.cpu.busy")
        assert requested(shown) == {"target": ["hosts.*.cpu.busy"]}
        shown.page.get_by_role("button", name="Remove the target").click()
        expect(shown.page.get_by_role("heading", name="Choose a series")).to_be_visible()
        assert requested(shown) == {}
        shown.page.go_back()
        shown.await_line()


@pytest.mark.long
def test_a_target_in_the_address_is_not_replaced(browser: Browser, host: ApiClient) -> None:
    with explorer(browser, host.url) as shown:
        shown.open(link("hosts.*.cpu.idle")).await_line()
        assert shown.legend() == ["hosts.laptop_7.cpu.idle"]
        shown.open(link("nosuch")).page.get_by_role("heading", name="No such series").wait_for()
        assert requested(shown) == {"target": ["nosuch"]}


@pytest.mark.parametrize(
    "target",
    [
        "coarse.value",
        pytest.param("scale(coarse.*, 2) | alias('coarse')", marks=pytest.mark.long),
        pytest.param("coarse.tagged;dc=ams", marks=pytest.mark.long),
        "alias(seriesByTag('name=coarse.tagged', \"dc=~a.*\"), 'other')",
    ],
)
def test_a_series_without_a_stored_value_is_not_called_unknown(shown: Explorer, target: str) -> None:
    """No slot of its policy has closed yet, so the policy has no archive and /render finds nothing to read."""
    shown.open(link(target)).page.get_by_role("heading", name="No value stored yet").wait_for()
    shown.open(link(target.replace("coarse", "nosuch"))).page.get_by_role("heading", name="No such series").wait_for()


def test_without_host_series_a_hint_says_what_to_do(shown: Explorer) -> None:
    shown.open(link(refresh=30))
    expect(shown.page.get_by_role("heading", name="Choose a series")).to_be_visible()
    expect(shown.page.get_by_role("alert").filter(has_text=re.compile("."))).to_have_count(0)
    assert requested(shown) == {"refresh": ["30"]}


@pytest.mark.long
def test_an_empty_rondo_says_what_to_do_under_any_prefix(browser: Browser, server_url: str, tmp_path: Path) -> None:
    with (
        fresh_database(server_url) as url,
        serve(tmp_path, url, prefix="/graphite/api") as api,
        explorer(browser, api.url) as shown,
    ):
        shown.page.goto(f"{shown.url}?refresh=30")
        expect(shown.page.get_by_role("heading", name="No series yet")).to_be_visible()
        expect(shown.page.locator("#notice")).to_contain_text("Publish points")
        assert shown.page.url == f"{shown.url}/?refresh=30"


@pytest.fixture
def locked(browser: Browser, policy: Policy, tmp_path: Path) -> Iterator[Explorer]:
    """The explorer of an API that requires a token; responses with status 401 are not faults."""
    info = policy.connection.info
    url = f"postgresql://{info.user}:{info.password}@{info.host}:{info.port}/{info.dbname}"
    with serve(tmp_path, url, RONDO_API_TOKENS="t1") as api, explorer(browser, api.url) as shown:
        yield shown
        shown.faults[:] = [fault for fault in shown.faults if "401" not in fault]


def test_the_token_is_requested_once_and_always_sent(locked: Explorer) -> None:
    page = locked.open(link("hosts.web1.cpu.user", refresh=0)).page
    field = page.get_by_label("Token of this Rondo")
    expect(field).to_be_focused()
    page.keyboard.type("t2")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("Unknown token.")
    expect(field).to_be_focused()
    page.keyboard.type("t1")
    page.keyboard.press("Enter")
    locked.await_line()
    locked.tree_item("hosts").wait_for()
    page.reload()
    locked.await_line()
    expect(page.get_by_role("dialog")).to_have_count(0)
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert download.value.suggested_filename == "rondo.csv"
    assert download.value.path().read_text(encoding="utf-8").startswith("hosts.web1.cpu.user,")


@pytest.mark.long
def test_a_request_without_a_token_is_refused(locked: Explorer) -> None:
    page = locked.open(link("hosts.web1.cpu.user", refresh=0)).page
    expect(page.get_by_label("Token of this Rondo")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#targets .error")).to_contain_text("not allowed: a token or a password is required")
    expect(page.get_by_role("dialog")).to_have_count(0)
