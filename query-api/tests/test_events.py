"""Events: stored by POST, found by time and tags, read by the function events()."""

from collections.abc import Iterator
from typing import Any
from urllib.request import Request
from uuid import uuid4

import psycopg
import pytest

from . import postgres
from .api_server import ApiClient
from .archive_rows import Policy
from .in_process import client

T = 1_700_006_400


@pytest.fixture
def tag() -> str:
    """A tag that no other test has."""
    return f"tag{uuid4().hex}"


def post(api: ApiClient, body: dict[str, Any]) -> dict[str, Any]:
    response = api.post_json("/events/", body)
    assert response.status == 200, response.text
    return dict(response.json)


def found(api: ApiClient, **query: Any) -> list[str]:
    response = api.get("/events/get_data", **query)
    assert response.status == 200, response.text
    return [event["what"] for event in response.json]


def test_posted_events_are_found(api: ApiClient, tag: str) -> None:
    posted = post(api, {"what": "deploy", "tags": [tag, "web"], "data": "by ann", "when": T})
    assert posted == {"id": posted["id"], "when": T, "what": "deploy", "tags": [tag, "web"], "data": "by ann"}
    assert api.get("/events/get_data", tags=tag).json == [posted]
    assert api.get("/events", tags=tag).json == [posted]
    assert api.get(f"/events/{posted['id']}/").json == posted
    assert api.get("/events/get_data", tags=tag, jsonp="draw").text.startswith('draw([{"id":')


def test_events_of_one_time_are_found_as_they_were_stored(api: ApiClient, tag: str) -> None:
    whats = [f"event {n}" for n in range(8)]
    for what in whats:
        post(api, {"what": what, "tags": tag, "when": T})
    assert found(api, tags=tag) == whats


@pytest.mark.parametrize("between", ["  ", ",", ", ", " ,\t"])
def test_tags_may_be_a_text(api: ApiClient, tag: str, between: str) -> None:
    post(api, {"what": "deploy", "tags": f"{tag}{between}web{between}started", "when": T})
    [event] = api.get("/events/get_data", tags=tag).json
    assert (event["tags"], event["data"], event["when"]) == ([tag, "web", "started"], "", T)
    assert api.get("/events/get_data", tags=f"started{between}{tag}").json == [event]
    counted = api.render(f"events('web{between}{tag}')", T, T + 1)
    assert counted[0]["datapoints"][0] == [1, T]


def test_an_item_of_a_list_of_tags_may_hold_several(api: ApiClient, tag: str) -> None:
    assert post(api, {"what": "x", "tags": [f"{tag},web", "a b"]})["tags"] == [tag, "web", "a", "b"]


@pytest.mark.parametrize("content_type", ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data", ""])
def test_a_page_of_another_site_stores_no_event(database_url: str, tag: str, content_type: str) -> None:
    """A browser sends these types across sites without a preflight request."""
    body = f'{{"what": "x", "tags": "{tag}"}}'
    asked = client(database_url)
    response = asked.post("/events", data=body, content_type=content_type)
    assert (response.status_code, response.text.split(":")[0]) == (415, "events are stored as JSON")
    assert asked.get("/events/get_data", query_string={"tags": tag}).get_json() == []


def test_events_need_a_token_that_may_write(database_url: str, tag: str) -> None:
    for settings, token, status in (
        ({}, None, 200),
        ({"tokens": "reader"}, "reader", 403),
        ({"tokens": "reader", "write_tokens": "writer"}, "reader", 403),
        ({"tokens": "reader", "write_tokens": "writer"}, "writer", 200),
        ({"write_tokens": "writer"}, None, 403),
        ({"write_tokens": "writer"}, "writer", 200),
        ({"users": "ann:secret"}, None, 401),
    ):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        response = client(database_url, **settings).post("/events", json={"what": "x", "tags": tag}, headers=headers)
        assert response.status_code == status, (settings, token, response.text)


def test_a_client_stores_so_many_events_in_a_minute(database_url: str, tag: str) -> None:
    few = client(database_url, event_rate=3, write_tokens="a,b")

    def status(token: str) -> int:
        headers = {"Authorization": f"Bearer {token}"}
        response = few.post("/events", json={"what": "x", "tags": tag}, headers=headers)
        assert response.status_code == 200 or 0 < int(response.headers["Retry-After"]) <= 20
        return response.status_code

    assert [status("a") for _ in range(5)] == [200, 200, 200, 429, 429]
    assert status("b") == 200


@pytest.fixture
def other_url(server_url: str) -> Iterator[str]:
    """A separate database, because the newest slots in that of the other tests have any time."""
    with postgres.fresh_database(server_url) as url:
        yield url


def left_of(url: str, newest_slot: str | None, *ages: str) -> list[str]:
    """Events of these ages that are kept for ten days; ``newest_slot`` is the age of the newest slot."""
    with psycopg.connect(url, autocommit=True) as connection:
        if newest_slot:
            Policy(connection, "p").archive(60, 60).archive(86_400, 60)
            connection.execute("update rra_bundle set latest = now() - %s::interval", (newest_slot,))
            connection.execute("update rra_bundle set latest = latest + step_ms * interval '1 ms'")
        for age in ages:
            connection.execute(
                "insert into event (t, what, tags, data) values (now() - %s::interval, %s, '{}', '')", (age, age)
            )
        forgetting = client(url, event_retention_days=10)
        assert forgetting.post("/events", json={"what": "new", "tags": "x"}).status_code == 200
        return [what for (what,) in connection.execute("select what from event where what <> 'new' order by t")]


def test_old_events_are_deleted(other_url: str) -> None:
    assert left_of(other_url, "1 minute", "11 days", "9 days") == ["9 days"]
    older = client(other_url, event_retention_days=10).post("/events", json={"what": "older", "when": "-11d"})
    assert (older.status_code, older.text.split(":")[0]) == (400, "when is more than 10 days ago")


@pytest.mark.parametrize(
    ("newest_slot", "left"),
    [("-1 year", ["9 days"]), ("5 days", ["14 days", "9 days"]), (None, ["16 days", "14 days", "9 days"])],
    ids=["of the future", "older than the clock", "none"],
)
def test_a_clock_that_is_ahead_deletes_no_events(other_url: str, newest_slot: str | None, left: list[str]) -> None:
    assert left_of(other_url, newest_slot, "16 days", "14 days", "9 days") == left


def test_tags_all_or_any(api: ApiClient, tag: str) -> None:
    for n, (what, tags) in enumerate({"ab": "a b", "b": "b", "c": "c"}.items()):
        post(api, {"what": what, "tags": " ".join(f"{tag}{each}" for each in tags.split()), "when": T + n})
    a, b, nosuch = f"{tag}a", f"{tag}b", f"{tag}nosuch"
    assert found(api, tags=f"{a} {b}") == ["ab"]
    assert found(api, tags=f"{a} {b}", set="intersection") == ["ab"]
    assert found(api, tags=f"{a} {b}", set="union") == ["ab", "b"]
    assert found(api, tags=f"{a} {nosuch}") == []
    assert found(api, tags=f"{a} {nosuch}", set="union") == ["ab"]


def test_times(api: ApiClient, tag: str) -> None:
    for what, when in (("first", T), ("half", T + 10.5), ("last", T + 20)):
        post(api, {"what": what, "tags": [tag], "when": when})
    assert found(api, tags=tag, **{"from": T, "until": T + 20}) == ["first", "half", "last"]
    assert found(api, tags=tag, **{"from": T + 1, "until": T + 19}) == ["half"]
    assert [event["when"] for event in api.get("/events/get_data", tags=tag).json] == [T, T + 10, T + 20]
    post(api, {"what": "now", "tags": [tag]})
    post(api, {"what": "before", "tags": [tag], "when": "-10min"})
    assert found(api, tags=tag, **{"from": "-1h", "until": "now"}) == ["before", "now"]
    assert found(api, tags=tag, **{"from": "-5min"}) == ["now"]


def test_the_function_counts_them(api: ApiClient, tag: str) -> None:
    for when in (T + 1, T + 1, T + 3.9):
        post(api, {"what": "x", "tags": [tag, "web"], "when": when})
    [series] = api.render(f"events('{tag}','web')", T, T + 5)
    assert series["datapoints"] == [[None, T], [2, T + 1], [None, T + 2], [1, T + 3], [None, T + 4]]
    [one] = api.render(f"events('{tag}')", T, T + 5, maxDataPoints=1)
    assert one["datapoints"] == [[3, T]]
    [every] = api.render("events('*')", T, T + 5)
    assert every["datapoints"][1][0] >= 2
    [none] = api.render(f"events('{tag}','nosuch')", T, T + 5)
    assert [value for value, _ in none["datapoints"]] == [None] * 5


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "what is required"),
        (b"[]", "the body is not a JSON object"),
        (b"what=x", "the body is not JSON: "),
        (b'{"what": " "}', "what is required"),
        (b'{"what": ["x"]}', "what is ['x'], not text or a number"),
        (b'{"what": "a\\u0000b"}', "what is 'a\\x00b', which contains NUL"),
        (b'{"what": "x", "tags": 5}', "tags is 5, not a list, or a text separated by commas or spaces"),
        (b'{"what": "x", "tags": [[1]]}', "tags is [1], not text or a number"),
        (b'{"what": "x", "when": "noon-ish"}', "when is 'noon-ish', not a time"),
        (b'{"what": "x", "when": true}', "when is True, not a time in epoch seconds"),
        (
            b'{"what": "x", "tags": {"a": ' + b"[" * 900 + b"]" * 900 + b"}}",
            "tags is {'a': [[[[[[...]]]]]]}, not a list",
        ),
        (b'{"what": "x", "when": ' + b"[" * 900 + b"]" * 900 + b"}", "when is [[[[[[[...]]]]]]], not a time"),
        (b'{"what": "x", "when": 1e300}', "when is 1e+300, not a time in epoch seconds"),
        (b'{"what": "x", "when": -1}', "when is -1, not a time in epoch seconds"),
        (b'{"what": "' + b"x" * 1001 + b'"}', "what has 1001 characters, at most 1000"),
        (b'{"what": "x", "data": "' + b"x" * 65_537 + b'"}', "data has 65537 characters, at most 65536"),
        (b'{"what": "x", "tags": "' + b" ".join(b"%d" % n for n in range(101)) + b'"}', "101 tags, at most 100"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_an_invalid_event_is_an_error(api: ApiClient, body: bytes, message: str) -> None:
    json_type = {"Content-Type": "application/json"}
    response = api.send(Request(f"{api.url}/events", data=body, method="POST", headers=json_type))
    assert (response.status, response.text[: len(message)], response.text.count("\n")) == (400, message, 1)


@pytest.mark.parametrize(
    ("path", "status", "message"),
    [
        ("/events/get_data?set=odd", 400, "set is 'odd', not one of intersection, union"),
        ("/events/get_data?from=odd", 400, "from is 'odd', not a time"),
        ("/events/get_data?jsonp=alert(1)", 400, "jsonp is 'alert(1)', not the name of a function"),
        ("/events/0", 404, "there is no event 0"),
        ("/events/99999999999999999999", 404, "there is no event 99999999999999999999"),
        ("/events/x", 404, "404 Not Found"),
    ],
)
def test_an_invalid_query_is_an_error(api: ApiClient, path: str, status: int, message: str) -> None:
    response = api.get(path) if "?" not in path else api.send(Request(api.url + path))
    assert (response.status, response.text[: len(message)]) == (status, message)


def test_too_many_events_are_refused(database_url: str, api: ApiClient, tag: str) -> None:
    for n in range(3):
        post(api, {"what": str(n), "tags": [tag], "when": T})
    few = client(database_url, max_events=2).get("/events/get_data", query_string={"tags": tag})
    assert (few.status_code, few.text) == (400, "3 events, at most 2 (RONDO_API_MAX_EVENTS)\n")
    enough = client(database_url, max_events=3).get("/events/get_data", query_string={"tags": tag})
    assert len(enough.get_json()) == 3


def test_too_many_bytes_are_refused(database_url: str, api: ApiClient, tag: str) -> None:
    size = len(tag) + 10 + 40
    for n in range(9):
        post(api, {"what": f"{n:010}", "tags": [tag], "when": T, "data": "x" * 40})
    few = client(database_url, max_event_bytes=3 * size - 1).get("/events/get_data", query_string={"tags": tag})
    message = f"{3 * size} bytes of events, at most {3 * size - 1} (RONDO_API_MAX_EVENT_BYTES)\n"
    assert (few.status_code, few.text) == (400, message)
    enough = client(database_url, max_event_bytes=9 * size).get("/events/get_data", query_string={"tags": tag})
    assert len(enough.get_json()) == 9


def test_only_a_token_that_may_write_deletes_events(database_url: str, tag: str) -> None:
    writer = client(database_url, write_tokens="writer")
    headers = {"Authorization": "Bearer writer"}

    def stored(what: str, when: int) -> int:
        return int(
            writer.post("/events", json={"what": what, "tags": tag, "when": when}, headers=headers).get_json()["id"]
        )

    def left() -> list[str]:
        return [event["what"] for event in writer.get("/events", query_string={"tags": tag}).get_json()]

    ids = [stored(str(n), T + n) for n in range(5)]
    for refused in (client(database_url).delete(f"/events/{ids[0]}"), writer.delete(f"/events?tags={tag}")):
        assert (refused.status_code, "may delete events" in refused.text) == (403, True)
    assert len(left()) == 5

    one = writer.delete(f"/events/{ids[0]}", headers=headers)
    assert (one.status_code, one.json, left()) == (200, {"deleted": 1}, ["1", "2", "3", "4"])
    assert writer.delete(f"/events/{ids[0]}", headers=headers).status_code == 404
    some = writer.delete(f"/events?tags={tag}&from={T + 2}&until={T + 3}", headers=headers)
    assert (some.json, left()) == ({"deleted": 2}, ["1", "4"])
    assert writer.delete("/events", headers=headers).status_code == 400
    for no_tag in ("tags=", "tags=%2C", "tags=%20&from=0"):  # as of an empty variable
        assert writer.delete(f"/events?{no_tag}&from={T}", headers=headers).status_code == 400
    assert writer.delete(f"/events?tags={tag}%20other", headers=headers).json == {"deleted": 0}
    assert writer.delete(f"/events?tags={tag}", headers=headers).json == {"deleted": 2}
