"""POST /tags/delSeries and /series/delete: access, and deletions by clients and by the page on a whole Rondo."""

import json
from urllib.request import Request

import pytest
from playwright.sync_api import Browser, expect

from rondo_query_api.kafka import sending

from .api_server import ApiClient, Response
from .browser import Explorer, explorer
from .conftest import MakePolicy
from .differential import whole_rondo
from .differential.data import NOW
from .in_process import client
from .waiting import wait_until
from .writable import DELETED, KEPT, PAGE_DELETED, PAGE_KEPT, WRITER

PATIENCE_S = 120


def delete(api: ApiClient, token: str, *paths: str) -> Response:
    body = json.dumps({"path": paths}).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    return api.send(Request(f"{api.url}/tags/delSeries", data=body, headers=headers))


@pytest.fixture(scope="module")
def api(whole: ApiClient) -> ApiClient:
    return whole


@pytest.fixture
def kept(database_url: str, make_policy: MakePolicy, root: str) -> str:
    """Id of a series."""
    make_policy().series(root)
    [series] = client(database_url).get(f"/series/names?query={root}").get_json()["series"]
    return str(series["id"])


def test_series_are_deleted_until_they_send_again(api: ApiClient) -> None:
    before = api.render(KEPT, NOW - 600, NOW)
    assert delete(api, "other", *DELETED).status == 403
    assert delete(api, WRITER, "deleted;dc").status == 400
    # tags in another order, as a client may have them; a series that is not there
    deleted = delete(api, WRITER, DELETED[0], "deleted;host=web01;dc=ams", "absent")
    assert (deleted.status, deleted.json) == (200, True)
    wait_until(lambda: api.render(DELETED, NOW - 600, NOW), "the series are deleted", lambda found: not found)
    assert api.get("/tags/findSeries", expr="name=deleted").json == [KEPT[1]]
    assert api.render(KEPT, NOW - 600, NOW) == before


def test_the_page_deletes_the_selection(browser: Browser, api: ApiClient) -> None:
    with explorer(browser, api.url) as shown:
        shown.open("series?kind=expr&search=name%3D~%5Epage")
        select(shown, *PAGE_DELETED)
        shown.page.get_by_role("button", name="Delete 3 series …").press("Enter")
        dialog = shown.page.get_by_role("dialog", name="Delete 3 series?")
        assert sorted(dialog.get_by_role("listitem").all_text_contents()) == sorted(PAGE_DELETED)
        shown.confirm(dialog, "Token that may delete", WRITER)
        expect(shown.page.get_by_text("Deleted 3 series.")).to_be_visible()
        assert sorted(found(shown, len(PAGE_KEPT))) == sorted(PAGE_KEPT)
        assert WRITER not in shown.kept() + api.log.read_text()

        select(shown, PAGE_KEPT[0])
        shown.page.get_by_role("button", name="Delete 1 series …").click()
        dialog = shown.page.get_by_role("dialog", name="Delete 1 series?")
        expect(dialog.get_by_label("Token that may delete")).to_be_hidden()  # the page has it
        expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
        shown.faults[:] = [fault for fault in shown.faults if "status of 403" not in fault]


@pytest.mark.long
def test_the_page_says_that_a_deletion_takes_long(browser: Browser, api: ApiClient) -> None:
    """Stop the topology meanwhile."""
    home = whole_rondo.home(api)
    with explorer(browser, api.url) as shown:
        shown.page.clock.install()
        shown.open("series?kind=expr&search=name%3D~%5Epage")
        whole_rondo.run_rondo(home, "stop", "topology")
        select(shown, PAGE_KEPT[0])
        shown.page.get_by_role("button", name="Delete 1 series …").click()
        shown.confirm(shown.page.get_by_role("dialog", name="Delete 1 series?"), "Token that may delete", WRITER)
        expect(shown.page.get_by_text("Deleting 1 series, deleted: 0")).to_be_visible()
        shown.page.clock.fast_forward(30_000)
        expect(shown.page.get_by_text("the topology or the sink may be down")).to_be_visible()
        whole_rondo.run_rondo(home, "start", "topology")
        expect(shown.page.get_by_text("Deleted 1 series.")).to_be_visible(timeout=PATIENCE_S * 1000)
        assert found(shown, len(PAGE_KEPT) - 1) == PAGE_KEPT[1:]
        shown.faults[:] = [fault for fault in shown.faults if "status of 403" not in fault]


def select(shown: Explorer, *names: str) -> None:
    for name in names:
        shown.page.get_by_label(f"Select {name}", exact=True).press("Space")


def found(shown: Explorer, number: int) -> list[str]:
    """Names of the series found, after the page has searched again: nothing is selected."""
    expect(shown.page.get_by_text("No series selected")).to_be_visible()
    names = shown.page.locator("#series tbody").get_by_role("link")
    expect(names).to_have_count(number)
    return names.all_text_contents()


@pytest.mark.parametrize(
    ("settings", "headers", "status", "text"),
    [
        ({}, {}, 403, "RONDO_API_WRITE_TOKENS"),
        ({"tokens": "t"}, {"Authorization": "Bearer t"}, 403, "RONDO_API_WRITE_TOKENS"),
        ({"write_tokens": "w"}, {}, 403, "RONDO_API_WRITE_TOKENS"),
        ({"write_tokens": "w"}, {"Authorization": "Basic dzp3"}, 403, "RONDO_API_WRITE_TOKENS"),
        ({"write_tokens": "w"}, {"Authorization": "Bearer w"}, 501, "RONDO_API_KAFKA_BOOTSTRAP_SERVERS"),
        (
            {"write_tokens": "w", "kafka_bootstrap_servers": "127.0.0.1:1"},
            {"Authorization": "Bearer w"},
            503,
            "rondo.series-requests at 127.0.0.1:1",
        ),
    ],
)
def test_others_are_refused(
    database_url: str,
    kept: str,
    monkeypatch: pytest.MonkeyPatch,
    settings: dict[str, str],
    headers: dict[str, str],
    status: int,
    text: str,
) -> None:
    api = client(database_url, **settings)
    monkeypatch.setattr(sending, "DELIVERY_MS", 1000)
    for path, data in (("/tags/delSeries", {"path": "a"}), ("/series/delete", {"id": kept})):
        refused = api.post(path, data=data, headers=headers)
        assert (refused.status_code, text in refused.text) == (status, True), refused.text


@pytest.mark.parametrize("path", ["/tags/delSeries?path=a", "/series/delete?id=1"])
def test_deleting_is_a_post(database_url: str, path: str) -> None:
    get = client(database_url, write_tokens="w").get(path, headers={"Authorization": "Bearer w"})
    assert get.status_code == 405


@pytest.mark.parametrize(
    ("settings", "missing"),
    [
        ({}, ["RONDO_API_WRITE_TOKENS", "RONDO_API_KAFKA_BOOTSTRAP_SERVERS"]),
        ({"write_tokens": "w"}, ["RONDO_API_KAFKA_BOOTSTRAP_SERVERS"]),
        ({"write_tokens": "w", "kafka_bootstrap_servers": "k:9092"}, []),
    ],
)
def test_a_page_gets_the_missing_settings(database_url: str, settings: dict[str, str], missing: list[str]) -> None:
    answer = client(database_url, **settings).get("/series/deletion")
    assert answer.get_json() == {"missing": missing, "limit": 10_000}


def test_a_token_that_may_write_may_read(database_url: str) -> None:
    api = client(database_url, tokens="t", write_tokens="w")
    codes = [api.get("/tags", headers={"Authorization": f"Bearer {token}"}).status_code for token in "twx"]
    assert codes == [200, 200, 401]
