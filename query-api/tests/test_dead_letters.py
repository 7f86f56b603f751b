"""/dead-letters and its part of the status page, on a whole Rondo, and access to both."""

import itertools
import json
import time
import unicodedata
from pathlib import Path
from typing import Any
from urllib.request import Request

import pytest
from confluent_kafka import Producer
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser, Locator, expect

from rondo_query_api.dead_letters import topic_reader
from rondo_query_api.dead_letters.excerpt import excerpt
from rondo_query_api.kafka import sending

from .api_server import NO_DATABASE, ApiClient, Response
from .browser import Explorer, explorer
from .differential.whole_rondo import addresses, home, run_rondo
from .in_process import client
from .tenants import SCOPES, TOKENS
from .test_access import bearer
from .waiting import wait_until
from .writable import WRITER

TOPIC = "rondo.dead-letters"
PATIENCE_S = 120
OFFSETS = itertools.count(1_000_000)  # of records that have never been
HOSTILE = "]]></script><script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.fixture(scope="module")
def api(whole: ApiClient) -> ApiClient:
    return whole


@pytest.fixture(scope="module")
def brokers(api: ApiClient) -> str:
    return addresses(home(api))["kafka"]


def send(brokers: str, topic: str, value: bytes | None, headers: dict[str, str], key: str | None = None) -> str:
    """Send a record; return its id, if it is a dead letter."""
    taken: list[str] = []
    producer = Producer({"bootstrap.servers": brokers, "message.max.bytes": 4 << 20})
    given: list[tuple[str, str | bytes | None]] = list(headers.items())
    producer.produce(
        topic, value, key, headers=given, on_delivery=lambda _, at: taken.append(f"{at.partition()}@{at.offset()}")
    )
    assert producer.flush(PATIENCE_S) == 0
    return taken[0]


def dead_letter(brokers: str, value: bytes, topic: str = "carbon", reason: str = "unreadable", **headers: str) -> str:
    """Write a dead letter as the topology does; return its id."""
    names = {"topic": topic, "partition": "0", "offset": str(next(OFFSETS)), "reason": reason, "detail": HOSTILE}
    return send(brokers, TOPIC, value, {f"rondo.{name}": text for name, text in (names | headers).items()}, "k")


def listed(api: ApiClient, **query: Any) -> list[dict[str, Any]]:
    response = api.get("/dead-letters", **query)
    assert response.status == 200, response.text
    found: list[dict[str, Any]] = response.json["dead_letters"]
    return found


def resend(api: ApiClient, *ids: str) -> Response:
    headers = {**bearer(WRITER), "Content-Type": "application/json"}
    return api.send(Request(f"{api.url}/dead-letters/resend", json.dumps({"id": ids}).encode(), headers))


def resent(api: ApiClient, *ids: str) -> tuple[int, dict[str, list[str]]]:
    response = resend(api, *ids)
    assert response.status == 200, response.text
    return response.json["sent"], {each["reason"]: each["ids"] for each in response.json["not_sent"]}


def awaited(api: ApiClient, excerpt: str, times: int) -> dict[str, Any]:
    """Newest dead letter with these bytes, when it has come back so many times."""

    def wanted(letters: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [each for each in letters if (each["excerpt"], each["resent"]) == (excerpt, times)]

    what = f"{excerpt!r} is a dead letter that came back {times} times"
    return wanted(wait_until(lambda: listed(api), what, wanted))[0]


def test_unreadable_records_are_shown_and_resent(api: ApiClient, brokers: str) -> None:
    began = int(time.time())
    send(brokers, "carbon", b"half\na.b 1 oops", {"sender": "s"}, key="k")
    first = awaited(api, "half\\na.b 1 oops", times=0)
    assert (first["reason"], first["count"], first["bytes"], first["sent"]) == ("unreadable", 2, 15, False)
    assert (first["source"]["topic"], first["time"] >= began) == ("carbon", True)
    assert resent(api, first["id"]) == (1, {})
    assert resent(api, first["id"]) == (0, {"sent before": [first["id"]]})
    again = awaited(api, "half\\na.b 1 oops", times=1)
    assert next(each for each in listed(api) if each["id"] == first["id"])["sent"]
    assert again["source"]["partition"] == first["source"]["partition"]
    rows = [json.loads(line) for line in run_rondo(home(api), "dead-letters", "--json").splitlines()]
    known = {f"{each['partition']}@{each['offset']}": each for each in rows}
    assert known[first["id"]]["sent"]
    before, after = (
        (each["key"], each["value"], each["headers"], each["source"]["written"])
        for each in (known[first["id"]], known[again["id"]])
    )
    assert before == after
    printed = run_rondo(home(api), "dead-letters", "resend", f"--dir={home(api)}", "--reason=unreadable")
    assert "Not sent: 1, sent before" in printed
    assert next(each for each in listed(api) if each["id"] == again["id"])["sent"]


def test_it_comes_back_three_times(api: ApiClient, brokers: str) -> None:
    send(brokers, "carbon", b"always", {})
    for times in range(3):
        assert resent(api, awaited(api, "always", times)["id"]) == (1, {})
    last = awaited(api, "always", 3)["id"]
    assert resent(api, last) == (0, {"sent 3 times and came back each time": [last]})


def test_dead_letters_that_are_not_sent(api: ApiClient, brokers: str) -> None:
    cut = dead_letter(brokers, b"cut", bytes="99")
    empty = dead_letter(brokers, b"")
    gone = dead_letter(brokers, b"gone", topic="no-such-topic")
    twice = [
        dead_letter(brokers, b"a.twice 1 1", offset="7", reason=reason) for reason in ("unreadable", "unsupported")
    ]
    connect = {"topic": "rondo.series", "partition": "0", "offset": "1", "exception.class.name": "x"}
    of_sink = send(brokers, TOPIC, b"x", {f"__connect.errors.{name}": text for name, text in connect.items()})
    assert {each["id"]: each["reason"] for each in listed(api)}[of_sink] == "sink-unreadable"
    sent, not_sent = resent(api, cut, empty, gone, *twice, of_sink, "0@999999")
    assert sent == 1
    assert not_sent == {
        "cut, because their bytes were too long to be kept": [cut],
        "without bytes": [empty],
        "from a topic that no longer exists": [gone],
        "of the sink: use ./rondo dead-letters resend": [of_sink],
        "with the bytes of another one of the same record, which is sent": [twice[1]],
        "no longer in the topic": ["0@999999"],
    }
    assert resent(api, *twice) == (0, {"sent before": twice})


def test_skipped_pieces_distinguish_dead_letters(api: ApiClient, brokers: str) -> None:
    """Several points of a line may be rejected for different reasons."""
    headers = {f"rondo.{name}": text for name, text in {"topic": "carbon", "partition": "0", "offset": "8"}.items()}
    ids = [
        send(brokers, TOPIC, b"skips", headers | {"rondo.reason": "unreadable", "rondo.skip": skip})
        for skip in ("\x05", "\x06", "\x06")
    ]
    assert resent(api, *ids) == (2, {"with the bytes of another one of the same record, which is sent": [ids[2]]})


def test_headers_of_a_sender_choose_no_topic(api: ApiClient, brokers: str) -> None:
    forged = {"rondo.topic": "rondo.series", "rondo.sent": "0", "rondo.resent": "x", "rondo.count": "9" * 40}
    forged |= {"__connect.errors.topic": "rondo.series", "__connect.errors.partition": "0"}
    send(brokers, "carbon", b"forged", forged)
    found = awaited(api, "forged", times=0)
    assert (found["source"]["topic"], found["count"], found["sent"]) == ("carbon", 1, False)


def test_the_newest_come_first(api: ApiClient, brokers: str) -> None:
    for number in range(150):
        dead_letter(brokers, b"%d" % number, reason="not-a-number" if number % 50 == 0 else "unreadable")
    all_ = listed(api, limit=100)
    assert [each["time"] for each in all_] == sorted((each["time"] for each in all_), reverse=True)
    assert [each["excerpt"] for each in all_[:3]] == ["149", "148", "147"]
    assert listed(api, limit=5) == all_[:5]
    assert [each["excerpt"] for each in listed(api, reason="not-a-number")] == ["100", "50", "0"]


def test_reading_is_bounded(api: ApiClient, brokers: str, monkeypatch: pytest.MonkeyPatch) -> None:
    oldest = dead_letter(brokers, b"oldest")
    for _ in range(30):
        dead_letter(brokers, b"x" * 1_000)
    here = client(NO_DATABASE, kafka_bootstrap_servers=brokers, write_tokens="w")
    assert here.get("/dead-letters?limit=1").get_json()["more"] is False
    for bound, value in (("MAX_RECORDS", 10), ("MAX_BYTES", 10_000)):
        with monkeypatch.context() as bounded:
            bounded.setattr(topic_reader, bound, value)
            found = here.get("/dead-letters?limit=100").get_json()
            large = [each for each in found["dead_letters"] if each["bytes"] >= 1_000]
            assert (len(large) <= 10, found["more"]) == (True, True)  # small ones of other tests may be read, too
            refused = here.post("/dead-letters/resend", json={"id": [oldest]}, headers=bearer("w"))
            assert (refused.status_code, "too many to determine" in refused.text) == (400, True), refused.text


def test_values_of_a_megabyte_are_cut_and_hex_shows_the_rest(api: ApiClient, brokers: str) -> None:
    dead_letter(brokers, b"\x1b[2J" + b"x" * (1 << 20))
    dead_letter(brokers, b"y" * (1 << 20))
    text, control = listed(api, limit=2)
    assert text["excerpt"] == "y" * 300 + "…"
    assert control["excerpt"].startswith("hex 1b 5b 32 4a 78")
    assert control["bytes"] == (1 << 20) + 4


@given(st.binary(max_size=2_000) | st.text(max_size=900).map(str.encode))
def test_an_excerpt_is_a_line_of_text(value: bytes) -> None:
    shown = excerpt(value, 100)
    assert len(shown) <= 101
    assert not [each for each in shown if unicodedata.category(each) in ("Cc", "Cf", "Cs", "Zl", "Zp")]


def test_a_topic_that_does_not_exist(brokers: str) -> None:
    here = client(NO_DATABASE, kafka_bootstrap_servers=brokers, kafka_dead_letters_topic="none.dead-letters")
    refused = here.get("/dead-letters")
    assert refused.status_code == 503
    assert "none.dead-letters" in refused.text
    assert "RONDO_API_KAFKA_DEAD_LETTERS_TOPIC" in refused.text
    assert here.get("/dead-letters").status_code == 503  # nothing has created it


@pytest.mark.parametrize(
    ("settings", "status", "text"),
    [
        ({}, 501, "RONDO_API_KAFKA_BOOTSTRAP_SERVERS"),
        ({"kafka_bootstrap_servers": "127.0.0.1:1"}, 503, "rondo.dead-letters at 127.0.0.1:1 cannot be read"),
    ],
)
def test_without_kafka(settings: dict[str, str], status: int, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(topic_reader, "TIMEOUT_S", 1.0)
    monkeypatch.setattr(sending, "DELIVERY_MS", 1_000)
    here = client(NO_DATABASE, write_tokens="w", **settings)
    for answer in (
        here.get("/dead-letters"),
        here.post("/dead-letters/resend", json={"id": ["0@1"]}, headers=bearer("w")),
    ):
        assert (answer.status_code, text in answer.text) == (status, True), answer.text


@pytest.mark.parametrize(
    ("settings", "headers", "status"),
    [
        ({}, {}, 403),
        ({"tokens": "t"}, bearer("t"), 403),
        ({"tokens": "t", "write_tokens": "w"}, {}, 401),
        ({"tokens": "t", "write_tokens": "w"}, bearer("t"), 403),
        ({"write_tokens": "w"}, {"Authorization": "Basic dzp3"}, 403),
        ({"write_tokens": "w"}, bearer("w"), 501),
    ],
)
def test_access_to_resending(settings: dict[str, str], headers: dict[str, str], status: int) -> None:
    answer = client(NO_DATABASE, **settings).post("/dead-letters/resend", json={"id": ["0@1"]}, headers=headers)
    assert answer.status_code == status, answer.text


def test_only_json_resends() -> None:
    here = client(NO_DATABASE, write_tokens="w", kafka_bootstrap_servers="127.0.0.1:1")
    path, headers = "/dead-letters/resend", bearer("w")
    assert here.get(f"{path}?id=0@1", headers=headers).status_code == 405
    assert here.post(path, data={"id": "0@1"}, headers=headers).status_code == 415
    assert here.post(path, data='{"id": "0@1"}', content_type="text/plain", headers=headers).status_code == 415
    for wrong in ([], ["1"], ["-1@1"], ["0@1 "], ["0@" + "9" * 30], ["0@1"] * 101):
        assert here.post(path, json={"id": wrong}, headers=headers).status_code == 400, wrong


def test_scopes_see_none(tenant_urls: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "scopes.toml"
    file.write_text(SCOPES)
    here = client(tenant_urls[""], scopes_file=str(file), tokens="all")
    scoped = bearer(TOKENS["a"])
    for path in ("/dead-letters", "/dead-letters/", "/dead-letters?reason=unreadable"):
        assert [here.get(path, headers=headers).status_code for headers in ({}, scoped, bearer("all"))] == [
            401,
            403,
            501,
        ]
    assert here.post("/dead-letters/resend", json={"id": ["0@1"]}, headers=scoped).status_code == 403


@pytest.mark.parametrize(
    ("settings", "missing"),
    [
        ({}, ["RONDO_API_KAFKA_BOOTSTRAP_SERVERS", "RONDO_API_WRITE_TOKENS"]),
        ({"kafka_bootstrap_servers": "127.0.0.1:1", "write_tokens": "w"}, []),
    ],
)
def test_the_page_gets_the_missing_settings(database_url: str, settings: dict[str, str], missing: list[str]) -> None:
    offer = client(database_url, **settings).get("/status?format=json").get_json()["dead_letters"]
    assert offer["missing"] == missing
    assert {"unreadable", "sink-refused"} <= set(offer["reasons"])


def card(shown: Explorer) -> Locator:
    return shown.page.get_by_role("region", name="Dead letters")


@pytest.mark.parametrize(
    ("width", "theme"),
    [
        (390, "dark"),
        pytest.param(390, "light", marks=pytest.mark.long),
        pytest.param(1440, "dark", marks=pytest.mark.long),
        pytest.param(1440, "light", marks=pytest.mark.long),
    ],
)
def test_the_page_shows_hostile_ones_as_text(
    browser: Browser, api: ApiClient, brokers: str, width: int, theme: str
) -> None:
    dead_letter(brokers, HOSTILE.encode() * 100, reason="unsupported")
    dead_letter(brokers, b"\x1b[2J\x00" * 300_000, reason="unsupported")
    options = {"viewport": {"width": width, "height": 844}, "color_scheme": theme}
    with explorer(browser, api.url, **options) as shown:
        shown.open("status")
        card(shown).get_by_label("Reason").select_option("unsupported")
        items = card(shown).get_by_role("listitem")
        expect(items.nth(1)).to_contain_text(HOSTILE)
        expect(items.nth(0)).to_contain_text("hex 1b 5b 32 4a 00")
        expect(shown.page.locator("script")).to_have_count(1)
        expect(shown.page.locator("img")).to_have_count(1)
        assert shown.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for part in (".excerpt", ".numbers", ".name"):
            colours = (
                items.nth(0)
                .locator(part)
                .first.evaluate(
                    "each => [getComputedStyle(each).color, getComputedStyle(each.closest('.card')).backgroundColor]"
                )
            )
            assert colours[0] != colours[1]


def test_the_page_resends_the_selection(browser: Browser, api: ApiClient, brokers: str) -> None:
    kept, chosen = (dead_letter(brokers, value, reason="too-many-tags") for value in (b"a.kept 1 1", b"a.chosen 1 1"))
    with explorer(browser, api.url) as shown:
        shown.open("status")
        card(shown).get_by_label("Reason").select_option("too-many-tags")
        items = card(shown).get_by_role("listitem")
        expect(items).to_have_count(2)
        expect(card(shown).get_by_role("button", name="Resend …")).to_be_disabled()
        items.filter(has_text="a.chosen 1 1").get_by_role("checkbox").press("Space")
        card(shown).get_by_role("button", name="Resend 1 dead letter …").press("Enter")
        dialog = shown.page.get_by_role("dialog", name="Resend 1 dead letter?")
        expect(dialog.get_by_role("listitem")).to_have_text([f"carbon-0@{offset(api, chosen)} too-many-tags"])
        shown.confirm(dialog, "Token that may write", WRITER)
        expect(card(shown)).to_contain_text("Sent: 1 dead letter.")
        expect(items.get_by_role("checkbox")).to_have_count(1)
        expect(items.filter(has_text="a.chosen 1 1")).to_contain_text("resent")
        assert WRITER not in shown.kept() + api.log.read_text()
        shown.faults[:] = [fault for fault in shown.faults if "status of 403" not in fault]
    assert resent(api, kept, chosen) == (1, {"sent before": [chosen]})


def offset(api: ApiClient, id_: str) -> int:
    return int(next(each["source"]["offset"] for each in listed(api, limit=100) if each["id"] == id_))
