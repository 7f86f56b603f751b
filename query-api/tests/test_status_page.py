"""The status page in a real browser, on a real API and database, and parts with hostile answers."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from playwright.sync_api import Browser, Locator, expect

from .api_server import NO_DATABASE, ApiClient, serve
from .archive_rows import Policy
from .browser import Explorer, explorer
from .part_server import (
    CONNECTORS,
    READY,
    SINK_METRICS,
    TOPOLOGY_METRICS,
    PartServer,
    connectors,
    part_server,
    topology_answers,
    worker_answers,
)
from .postgres import fresh_database
from .waiting import wait_until

HOSTILE = "]]></script><script>alert(1)</script><img src=x onerror=alert(2)>"
LONG = "x" * 2000
JOB = "20261126-060932"
DROPS = {
    "late": {"total": 9, "series": [{"ident": HOSTILE, "points": 9, "seen_ms": 1000, "detail": HOSTILE}]},
    "unreadable": {
        "total": 4,
        "series": [{"points": 4, "seen_ms": 1, "detail": LONG, "topic": HOSTILE, "partition": 0, "offset": 1}],
    },
}
METRICS = TOPOLOGY_METRICS.replace('"late"} 0.0', '"late"} 9.0').replace('"unreadable"} 0.0', '"unreadable"} 4.0')
METRICS = METRICS.replace("rondo-1", HOSTILE).replace('source="points"', f'source="{HOSTILE}{LONG}"')


def now() -> int:
    """Time when the test runs, not when it is collected, of a slot of 10 s."""
    return int(time.time()) // 10 * 10


@pytest.fixture(scope="module")
def url(server_url: str) -> Iterator[str]:
    with fresh_database(server_url) as url, psycopg.connect(url, autocommit=True) as connection:
        for name in ("default", HOSTILE, LONG):
            Policy(connection, name).archive(10, 2160, written=(now() - 600, now()))
        for job in (HOSTILE, JOB):
            connection.execute("insert into replay_job values (%s, 'reading', 5000, 2000)", [job])
        yield url


@pytest.fixture(scope="module")
def topology() -> Iterator[PartServer]:
    with part_server(topology_answers(METRICS, DROPS)) as server:
        yield server


@pytest.fixture(scope="module")
def connect() -> Iterator[PartServer]:
    with part_server({**worker_answers(), "/metrics": SINK_METRICS}) as server:
        yield server


@pytest.fixture(scope="module")
def served(
    url: str, topology: PartServer, connect: PartServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ApiClient]:
    parts = {
        "RONDO_API_TOPOLOGY_URLS": topology.url,
        "RONDO_API_CONNECT_URLS": connect.url,
        "RONDO_API_CONNECT_METRICS_URLS": connect.url,
        "RONDO_API_DOCS_URL": "https://git.example/rondo/blob/main/",
    }
    with serve(tmp_path_factory.mktemp("status"), url, **parts) as api:
        yield api


@pytest.fixture(autouse=True)
def slots_are_new(url: str) -> None:
    """Otherwise PostgreSQL lags after some minutes."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("update rra_bundle set latest = to_timestamp(%s)", (now(),))


def stage(shown: Explorer, name: str) -> Locator:
    return shown.page.locator(".stage").filter(has=shown.page.get_by_role("heading", name=name))


def card(shown: Explorer, name: str) -> Locator:
    return shown.page.locator(".cards").get_by_role("region", name=name)


@pytest.mark.parametrize(
    ("width", "theme"),
    [
        (390, "dark"),
        (1440, "light"),
        pytest.param(390, "light", marks=pytest.mark.long),
        pytest.param(1440, "dark", marks=pytest.mark.long),
    ],
)
def test_it_fits_in_both_themes_and_runs_no_name(browser: Browser, served: ApiClient, width: int, theme: str) -> None:
    options = {"viewport": {"width": width, "height": 844}, "color_scheme": theme}
    with explorer(browser, served.url, **options) as shown:
        shown.open("status")
        expect(shown.page.locator(".stage")).to_have_count(6)
        expect(shown.page.get_by_role("heading", level=1)).to_have_text("All parts are ok")
        expect(card(shown, "Dropped points")).to_contain_text(HOSTILE)
        expect(stage(shown, "Topology")).to_contain_text(HOSTILE)
        expect(stage(shown, "Kafka sources")).to_contain_text(HOSTILE)
        expect(card(shown, "Policies")).to_contain_text(HOSTILE)
        expect(card(shown, "Replays and backfills")).to_contain_text(f"{HOSTILE}reading3 k of 5 k")
        assert wait_until(lambda: height_of_job(shown), "the job is shown") < 30  # one line
        expect(card(shown, "Dead letters")).to_contain_text("./rondo dead-letters resend --reason=unreadable --dry-run")
        expect(shown.page.locator("script")).to_have_count(1)
        expect(shown.page.locator("img")).to_have_count(1)
        assert shown.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for commands in shown.page.locator(".commands").all():
            assert commands.evaluate("each => each.scrollWidth <= each.clientWidth"), commands.inner_text()
        colours = shown.page.evaluate(
            "['background-color', 'color'].map((name) => getComputedStyle(document.body)[name])"
        )
        assert colours[0] != colours[1]


def height_of_job(shown: Explorer) -> float:
    """Open all details, which a concurrent redraw may close, and return the height."""
    for details in shown.page.locator("details").all():
        details.evaluate("details => { details.open = true; }")
    box = card(shown, "Replays and backfills").get_by_text(JOB).bounding_box()
    return box["height"] if box else 0.0


def test_it_is_reached_from_the_other_pages(browser: Browser, served: ApiClient) -> None:
    with explorer(browser, served.url) as shown:
        shown.open("series").page.get_by_role("link", name="Status").click()
        expect(stage(shown, "PostgreSQL")).to_contain_text("✓ ok")
        shown.page.get_by_role("link", name="Explorer").click()
        shown.page.get_by_role("link", name="Status").click()
        expect(stage(shown, "Query API")).to_contain_text("✓ ok")


def test_it_shows_problems_and_keeps_details_open(
    browser: Browser, served: ApiClient, topology: PartServer, connect: PartServer
) -> None:
    with explorer(browser, served.url) as shown:
        shown.open("status")
        card(shown, "Dropped points").get_by_text("late").click()
        expect(card(shown, "Dropped points")).to_contain_text("9 points")
        topology.answers["/health/ready"] = '{"ok": false, "state": "ERROR", "reason": "Kafka Streams has failed"}'
        connect.answers[CONNECTORS] = json.dumps(connectors("FAILED", f"x\nCaused by: {HOSTILE}"))
        try:
            expect(shown.page.get_by_role("heading", level=1)).to_have_text("Critical: Topology, Connect sink")
            expect(shown.page).to_have_title("(2) Status · Rondo")
            verdict = shown.page.get_by_role("status")
            expect(verdict).to_contain_text("Kafka Streams has failed")
            expect(verdict).to_contain_text(f"rondo-postgres-sink-0 is FAILED: {HOSTILE}")
            expect(verdict.get_by_role("link").first).to_have_attribute(
                "href", "https://git.example/rondo/blob/main/docs/runbooks/RondoTopologyDown.md"
            )
            expect(card(shown, "Dropped points")).to_contain_text("9 points")
            expect(card(shown, "Dropped points").locator("details").first).to_have_attribute("open", "")
        finally:
            topology.answers["/health/ready"] = READY
            connect.answers.update(worker_answers())


def test_without_postgresql_its_data_is_unknown(browser: Browser, tmp_path: Path) -> None:
    with serve(tmp_path, NO_DATABASE) as api, explorer(browser, api.url) as shown:
        texts = shown.open("status").page.locator("#cards").get_by_text("Unknown: PostgreSQL does not answer.")
        expect(texts).to_have_count(3)  # policies, fills, and replays and backfills


def test_it_asks_for_the_token_and_keeps_the_last_status(browser: Browser, url: str, tmp_path: Path) -> None:
    with explorer(browser, "") as shown:
        with serve(tmp_path, url, prefix="/graphite", RONDO_API_TOKENS="t") as api:
            shown.url = api.url
            shown.open("status/")
            shown.page.get_by_label("Token of this Rondo").fill("t")
            shown.page.keyboard.press("Enter")
            expect(shown.page.get_by_role("heading", level=1)).to_have_text("All checked parts are ok")
            expect(shown.page.get_by_role("status")).to_contain_text("RONDO_API_TOPOLOGY_URLS")
        expect(shown.page.get_by_role("heading", level=1)).to_contain_text("No status: the query API does not answer")
        expect(shown.page.locator(".stage")).to_have_count(6)
        shown.faults.clear()  # refused connections
