"""Tokens with a scope: access, what each endpoint shows, what may be written, and mistakes in the file."""

import re
from importlib import resources
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from rondo_query_api.access import scopes_file
from rondo_query_api.app import create_app
from rondo_query_api.db import statement
from rondo_query_api.kafka.deletions import Deletions
from rondo_query_api.limits.request_slots import RequestSlots
from rondo_query_api.settings import Settings, SettingsError

from .in_process import client
from .tenants import SCOPES, SERIES, TOKENS, T
from .test_access import bearer

A, B = (bearer(TOKENS[tenant]) for tenant in "ab")
ALL = bearer("all")
RENDER = f"/render?target=a.cpu.x&from={T}&until={T + 60}&now={T + 60}&format=json"


@pytest.fixture
def file(tmp_path: Path) -> str:
    file = tmp_path / "scopes.toml"
    file.write_text(SCOPES)
    return str(file)


@pytest.fixture
def api(tenant_urls: dict[str, str], file: str) -> FlaskClient:
    return client(tenant_urls[""], scopes_file=file, tokens="all", cache_seconds=60)


def test_only_scopes_leave_nothing_open(tenant_urls: dict[str, str], file: str) -> None:
    api = client(tenant_urls[""], scopes_file=file)
    for headers in ({}, bearer("other"), bearer(""), {"Authorization": "Basic dG9rZW4gb2YgYTo="}):
        refused = api.get("/metrics/find?query=*", headers=headers)
        assert (refused.status_code, refused.headers["WWW-Authenticate"][:6]) == (401, "Bearer")
    assert [api.get("/metrics/find?query=*", headers=headers).status_code for headers in (A, B)] == [200, 200]
    assert [api.get(path).status_code for path in ("/", "/health")] == [200, 200]
    assert [api.get(path, headers=A).status_code for path in ("/prometheus", "/prometheus/postgres")] == [403, 403]


def test_a_token_without_a_scope_sees_everything(api: FlaskClient) -> None:
    names = api.get("/metrics/index.json", headers=ALL).get_json()
    assert names == sorted(["a.moved", *(name for name in SERIES if ";" not in name)])
    assert api.get("/prometheus", headers=ALL).status_code == 200


def test_a_cached_response_is_for_one_scope(api: FlaskClient) -> None:
    for headers, series in ((A, 1), (B, 0), (ALL, 1), (B, 0), (A, 1)):
        response = api.get(RENDER, headers=headers)
        assert (response.status_code, len(response.get_json())) == (200, series)
        assert "private" in response.headers["Cache-Control"]
        assert "Authorization" in response.headers["Vary"]


def test_known_names_are_those_of_one_scope(tenant_urls: dict[str, str], file: str) -> None:
    api = client(tenant_urls[""], scopes_file=file, tokens="all", cache_seconds=0)
    shown = [len(api.get(RENDER, headers=headers).get_json()) for headers in (ALL, B, A, B, ALL)]
    assert shown == [1, 0, 1, 0, 1]


@pytest.mark.parametrize(
    ("path", "of_a", "of_b"),
    [
        ("/metrics/expand?query=shared.*", ["shared.a"], ["shared.b"]),
        ("/metrics/expand?query=hidden.*", [], []),
        ("/metrics/expand?query=**.cpu.x", ["a.cpu.x", "shared.a.cpu.x"], ["b.cpu.x", "shared.b.cpu.x"]),
        ("/metrics/expand?query=cpu;dc=ams;team=ops", ["cpu;dc=ams;team=ops"], []),
        ("/tags/autoComplete/values?tag=team", ["a", "ops"], ["b"]),
        ("/tags/findSeries?expr=host=t1", ["a.cpu.x;host=t1"], ["b.cpu.x;host=t1"]),
    ],
)
def test_what_is_shown(api: FlaskClient, path: str, of_a: list[str], of_b: list[str]) -> None:
    for headers, expected in ((A, of_a), (B, of_b)):
        answer = api.get(path, headers=headers).get_json()
        assert (answer["results"] if "expand" in path else answer) == expected


def test_a_limit_counts_what_the_scope_sees(tenant_urls: dict[str, str], file: str) -> None:
    api = client(tenant_urls[""], scopes_file=file, tokens="all", find_max_nodes=3)
    codes = [api.get("/metrics/find?query=shared.*", headers=headers).status_code for headers in (A, B, ALL)]
    assert codes == [200, 200, 400]


def test_points_of_a_scope(tenant_urls: dict[str, str], file: str) -> None:
    Path(file).write_text(SCOPES.replace("[b]", "points = 3\n[b]"))
    api = client(tenant_urls[""], scopes_file=file, tokens="all")
    refused = api.get(RENDER, headers=A)
    assert (refused.status_code, "points of scope 'a' in RONDO_API_SCOPES_FILE" in refused.text) == (400, True)
    assert api.get(RENDER, headers=ALL).status_code == 200


def test_which_scopes_store_events(database_url: str, file: str, root: str) -> None:
    api = client(database_url, scopes_file=file, write_tokens="all")
    given = {"what": "release", "tags": [root], "when": T + 5000}
    refused = api.post("/events", json=given, headers=B)
    assert (refused.status_code, 'events = "write"' in refused.text) == (403, True)
    stored = api.post("/events", json=given, headers=A)
    assert (stored.status_code, stored.get_json()["tags"]) == (200, [root, "scope:a"])
    foreign = api.post("/events", json=given | {"tags": "scope:b"}, headers=A)
    assert (foreign.status_code, foreign.text.startswith("tags has 'scope:b'")) == (400, True)
    assert (
        api.post("/events", json=given | {"tags": [root, "scope:b"], "when": T + 5001}, headers=ALL).status_code == 200
    )
    listed = [
        api.get(f"/events/get_data?tags={root}&until={T + 6000}", headers=headers).get_json() for headers in (A, B, ALL)
    ]
    assert [[event["tags"][1] for event in events] for events in listed] == [
        ["scope:a"],
        ["scope:b"],
        ["scope:a", "scope:b"],
    ]
    id_ = stored.get_json()["id"]
    assert [api.get(f"/events/{id_}", headers=headers).status_code for headers in (A, B)] == [200, 404]


def test_which_scopes_delete_series(tenant_urls: dict[str, str], file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    requested: list[tuple[str, ...]] = []
    monkeypatch.setattr(Deletions, "request", lambda _, by, idents: requested.append((by.partition("@")[0], *idents)))
    api = client(tenant_urls[""], scopes_file=file, kafka_bootstrap_servers="k:9092")
    paths = {"path": ["a.cpu.x", "b.cpu.x", "absent", "cpu;team=a;dc=ams", "cpu;dc=ams;team=b", "*"]}
    assert api.post("/tags/delSeries", data=paths, headers=A).get_json() is True
    everything = client(tenant_urls[""]).get("/series/names").get_json()["series"]
    every = {"id": [each["id"] for each in everything]}
    deleted = api.post("/series/delete", data=every, headers=A).get_json()
    own = sorted(["a.moved", *(name for name, owners in SERIES.items() if "a" in owners)])
    assert deleted == {"series": len(own)}
    assert requested[0] == ("scope a", "a.cpu.x", "cpu;dc=ams;team=a")
    assert (requested[1][0], sorted(requested[1][1:])) == ("scope a", own)
    assert api.post("/series/remaining", data=every, headers=A).get_json() == deleted
    for path, data in (("/tags/delSeries", paths), ("/series/delete", every)):
        refused = api.post(path, data=data, headers=B)
        assert (refused.status_code, "delete = true" in refused.text) == (403, True)
    assert api.get("/series/deletion", headers=B).get_json()["missing"] == []
    assert len(requested) == 2


def test_limits_of_a_scope(file: str) -> None:
    Path(file).write_text(SCOPES + "requests = 1\nrate = 2\n")
    slots = RequestSlots.of(Settings(client_requests=3), [each.scope for each in scopes_file.read(file)])

    def no_time() -> float:
        raise TimeoutError

    for name in ("scope a", "scope a", "scope b"):
        slots.acquire(name, no_time)
    with pytest.raises(TimeoutError):
        slots.acquire("scope b", no_time)
    with pytest.raises(Exception, match="more requests than rate of the scope b"):
        slots.acquire("scope b", no_time)


def test_a_scope_deletes_no_event(api: FlaskClient) -> None:
    """Another scope may see it, too."""
    for path in ("/events/1", "/events?from=0"):
        refused = api.delete(path, headers=A)
        assert (refused.status_code, "delete events" in refused.text) == (403, True)


# Statements that read a table of names or events directly, and why they do not leave the scope.
READ_WHOLE = {
    **dict.fromkeys(("sampled_series", "tags", "tag_values", "value_counts"), "replaced"),
    **dict.fromkeys(("slots", "slots_of_moved", "location_periods"), "of series that the request has found"),
    "branches": "leaves out some of those that are visible",
    "delete_events": "for no scope",
    "expire_events": "deletes old events",
    "readable": "returns nothing",
}
TABLE = re.compile(r"\b(?:from|join) (ds|branch|tag_value|event)\b")


def test_every_other_statement_reads_what_is_visible() -> None:
    folder = resources.files("rondo_query_api") / "sql"
    texts = {file.name.removesuffix(".sql"): file.read_text() for file in folder.iterdir() if file.is_file()}
    assert {name for name, text in texts.items() if TABLE.search(text)} == READ_WHOLE.keys()
    replaced = {name for name, why in READ_WHOLE.items() if why == "replaced"}
    visible = {name for name in texts if "visible" in name}
    in_scope = {file.name.removesuffix(".sql"): file.read_text() for file in (folder / "scoped").iterdir()}
    assert in_scope.keys() == replaced | visible | {"in_scope", "ds_pages"}
    for name in replaced | visible:
        assert "%(scope_" in statement(name, scoped=True)
    for name in texts:
        assert "scope" not in re.sub("--.*", "", statement(name))  # requests without a scope pay nothing


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "which has no scope: add a table such as [shop]"),
        ("[a", "which cannot be read: "),
        ("a = 1", "'a' is not a table: each scope is one, such as [shop]"),
        ("['a b']", "scope 'a b' is not a name of 1 to 64 letters"),
        ("[a]\ntoken = ['t']", "token of scope 'a' is not a key; the nearest one is tokens"),
        ("[a]\nprefixes = ['a.']", "tokens of scope 'a' is empty"),
        ("[a]\ntokens = 't'", "tokens of scope 'a' is not a list of texts"),
        (
            "[a]\ntokens = ['sha256:12']\nprefixes = ['a.']",
            "tokens of scope 'a' has 'sha256:12', not sha256: and the 64",
        ),
        ("[a]\ntokens = ['t']", "prefixes of scope 'a' and tags are empty: such a scope has no series"),
        ("[a]\ntokens = ['t']\nprefixes = ['a']", "prefixes of scope 'a' has 'a', not some nodes and a dot"),
        ("[a]\ntokens = ['t']\ntags = ['team=~a']", "tags of scope 'a' has 'team=~a' without tag=value"),
        ("[a]\ntokens = ['t']\ntags = ['name=a']", "tags of scope 'a' has 'name=a' without tag=value"),
        ("[a]\ntokens = ['t']\ntags = ['team']", "tags of scope 'a' has 'team': 'team' is not a tag expression"),
        ("[a]\ntokens = ['t']\ntags = ['t=a;u=~[']", "tags of scope 'a' has 't=a;u=~[': 'u=~[' has an invalid regex"),
        ("[a]\ntokens = ['t']\nprefixes = ['a.']\nevents = 'all'", "events of scope 'a' is 'all', not one of none,"),
        ("[a]\ntokens = ['t']\nprefixes = ['a.']\ndelete = 1", "delete of scope 'a' is 1, not true or false"),
        ("[a]\ntokens = ['t']\nprefixes = ['a.']\nrate = 0", "rate of scope 'a' is 0, not a whole number from 1 to"),
        (
            "[a]\ntokens = ['t']\nprefixes = ['a.']\nevents = 'read'\nevent_tag = 'a'",
            "event_tag of scope 'a' is 'a', not 'scope:' and",
        ),
        ("[a]\ntokens = ['t']\nprefixes = ['a.']\n[b]\ntokens = ['t']\nprefixes = ['b.']", "that scope 'a' also has"),
        ("[a]\ntokens = ['all']\nprefixes = ['a.']", "that RONDO_API_TOKENS or RONDO_API_WRITE_TOKENS also has"),
    ],
)
def test_mistakes_stop_the_start(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "scopes.toml"
    file.write_text(text)
    with pytest.raises(SettingsError) as stopped:
        create_app(Settings(scopes_file=str(file), tokens="all"))
    assert message in str(stopped.value)
    assert "RONDO_API_SCOPES_FILE" in str(stopped.value)
    assert "'t'" not in str(stopped.value)
