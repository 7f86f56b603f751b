"""/series/cardinality, /series/find, /series/names and /series/remaining on a real database."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from rondo_query_api.find import cardinality

from . import in_process
from .api_server import ApiClient
from .archive_rows import Policy
from .in_process import client
from .postgres import fresh_database

T = 1_700_006_400
DAY = 86_400
HOSTILE = "]]></script><script>alert(1)</script>"


@pytest.fixture(scope="module")
def url(server_url: str) -> Iterator[str]:
    with fresh_database(server_url) as url:
        yield url


@pytest.fixture(scope="module")
def stored(url: str) -> Iterator[Policy]:
    """Twelve series of three policies; those of app began a day after the others."""
    with psycopg.connect(url, autocommit=True) as connection:
        hosts = (
            Policy(connection, "hosts").archive(10, 2160, written=(T - 600, T)).archive(60, 1440, written=(T - 600, T))
        )
        for host in ("web1", "web2", "db1"):
            for part in ("user", "system"):
                series = hosts.series(f"hosts.{host}.cpu.{part}", starts_at=T - DAY, source="hosts")
                series.slots(10, {T - 10: 1.0, T: 2.0})
        hosts.series("hosts.uptime", starts_at=T - DAY).slots(60, {T - 60: 7.0})
        app = Policy(connection, "app", whisper=True).archive(10, 360, written=(T - 600, T))
        for n in range(3):
            ident = {"name": "requests", "dc": "ams", "pod": f"p{n}"}
            app.series(ident, starts_at=T - 60, source="apps").slots(10, {T: 5.0 + n})
        app.series({"name": "requests", "dc": "fra"}, starts_at=T - 60)
        app.series(HOSTILE, starts_at=T - 60)
        yield hosts


@pytest.fixture(scope="module")
def served(stored: Policy, url: str) -> ApiClient:
    return in_process.api(url)


def groups(api: ApiClient, **query: Any) -> dict[str, int]:
    response = api.get("/series/cardinality", **query)
    assert response.status == 200, response.text
    return {group["key"]: group["series"] for group in response.json["groups"]}


def names(api: ApiClient, **query: Any) -> list[str]:
    response = api.get("/series/find", **query)
    assert response.status == 200, response.text
    return [series["name"] for series in response.json["series"]]


def test_series_are_counted_by_policy(served: ApiClient) -> None:
    counted = served.get("/series/cardinality", by="policy").json
    assert (counted["share"], counted["series"], counted["new"]) == (1.0, 12, 0)
    assert groups(served, by="policy") == {"hosts": 7, "app": 5}
    assert list(groups(served, by="policy", limit=1)) == ["hosts"]


def test_new_series_are_counted_and_policies_with_most_of_them_come_first(served: ApiClient) -> None:
    counted = served.get("/series/cardinality", by="policy", newSince=T - 3600).json
    assert (counted["series"], counted["new"]) == (12, 5)
    assert [(group["key"], group["new"]) for group in counted["groups"]] == [("app", 5), ("hosts", 0)]


def test_series_are_counted_by_source(served: ApiClient) -> None:
    assert groups(served, by="source") == {"hosts": 6, "apps": 3, "(backfill)": 3}
    [first, *_] = served.get("/series/cardinality", by="source", newSince=T - 3600).json["groups"]
    assert (first["key"], first["series"], first["new"]) == ("apps", 3, 3)


def test_series_are_counted_by_prefix(served: ApiClient) -> None:
    assert groups(served, by="prefix") == {"hosts.": 7, "requests": 4, HOSTILE: 1}
    assert groups(served, by="prefix", prefix="hosts.") == {
        "hosts.db1.": 2,
        "hosts.uptime": 1,
        "hosts.web1.": 2,
        "hosts.web2.": 2,
    }
    assert groups(served, by="prefix", prefix="hosts.web1.cpu.") == {
        "hosts.web1.cpu.system": 1,
        "hosts.web1.cpu.user": 1,
    }
    assert groups(served, by="prefix", prefix="host.") == {}


def test_series_are_counted_by_tag_and_by_value(served: ApiClient) -> None:
    tags = served.get("/series/cardinality", by="tag").json["groups"]
    assert [(tag["key"], tag["series"], tag["values"]) for tag in tags] == [("dc", 4, 2), ("pod", 3, 3)]
    assert groups(served, by="value", tag="dc") == {"ams": 3, "fra": 1}
    assert groups(served, by="value", tag="none") == {}


def test_a_large_table_is_sampled(stored: Policy, url: str, monkeypatch: pytest.MonkeyPatch, served: ApiClient) -> None:
    with fresh_database(url) as many, psycopg.connect(many, autocommit=True) as connection:
        connection.execute(
            "insert into ds (ident, policy, seg, pos, starts_at)"
            " select jsonb_build_object('name', 'a.' || n), case when n %% 4 = 0 then 'few' else 'most' end,"
            "        n / 100, n %% 100 + 1, to_timestamp(%s) from generate_series(1, 20000) as n",
            (T,),
        )
        monkeypatch.setattr(cardinality, "SAMPLED_PAGES", 100)
        counted = client(many).get("/series/cardinality?by=policy").get_json()
    assert 0 < counted["share"] < 1
    assert counted["series"] == pytest.approx(20_000, rel=0.3)
    assert [group["key"] for group in counted["groups"]] == ["most", "few"]
    assert counted["groups"][1]["series"] / counted["series"] == pytest.approx(0.25, abs=0.05)


def test_a_series_is_described(served: ApiClient) -> None:
    [series] = served.get("/series/find", query="hosts.web2.cpu.user").json["series"]
    assert series == {
        "id": series["id"],
        "name": "hosts.web2.cpu.user",
        "policy": "hosts",
        "source": "hosts",
        "segment": 0,
        "position": 3,
        "since": T - DAY,
        "last": {"value": 2.0, "time": T, "step": 10.0},
        "periods": [],
    }


def test_the_last_value_is_named_as_graphite_does_and_may_be_of_a_coarser_archive(served: ApiClient) -> None:
    [whisper] = served.get("/series/find", query="requests;dc=ams;pod=p1").json["series"]
    assert whisper["last"] == {"value": 6.0, "time": T - 10, "step": 10.0}
    [coarser] = served.get("/series/find", query="hosts.uptime").json["series"]
    assert coarser["last"] == {"value": 7.0, "time": T - 60, "step": 60.0}
    [without] = served.get("/series/find", query="requests;dc=fra").json["series"]
    assert (without["last"], without["source"]) == (None, None)


def test_series_are_found_by_pattern_tags_and_policy(served: ApiClient) -> None:
    assert sorted(names(served, query="hosts.*.cpu.user")) == [
        "hosts.db1.cpu.user",
        "hosts.web1.cpu.user",
        "hosts.web2.cpu.user",
    ]
    assert names(served, expr=["dc=ams", "pod=~p[12]"]) == ["requests;dc=ams;pod=p2", "requests;dc=ams;pod=p1"]
    assert names(served, query="**", policy="app", newSince=T - 3600) == [HOSTILE]
    assert len(names(served, policy="hosts")) == 7
    assert names(served, policy="hosts", newSince=T - 3600) == []


def test_the_last_stored_come_first_and_more_is_set(served: ApiClient) -> None:
    found = served.get("/series/find", limit=2).json
    assert [series["name"] for series in found["series"]] == [HOSTILE, "requests;dc=fra"]
    assert found["more"] is True
    assert served.get("/series/find", limit=12).json["more"] is False


def test_a_moved_series_has_its_periods_and_is_not_new(server_url: str) -> None:
    with fresh_database(server_url) as url, psycopg.connect(url, autocommit=True) as connection:
        before = Policy(connection, "before").archive(10, 360, written=(T - 600, T))
        after = Policy(connection, "after").archive(60, 360, written=(T - 600, T + 60))
        series = before.series("moved", starts_at=T - DAY).slots(10, {T: 1.0})
        series.moved(after, starts_at=T).slots(60, {T + 60: 3.0})
        api = client(url)
        [found] = api.get("/series/find?query=moved").get_json()["series"]
        assert (found["policy"], found["since"], found["last"]["value"]) == ("after", T, 3.0)
        assert found["periods"] == [
            {"policy": "after", "segment": 0, "position": 1, "since": T, "until": None},
            {"policy": "before", "segment": 0, "position": 1, "since": T - DAY, "until": T},
        ]
        assert api.get(f"/series/find?newSince={T - 60}").get_json()["series"] == []
        assert api.get(f"/series/cardinality?by=policy&newSince={T - 60}").get_json()["new"] == 0


def test_an_empty_rondo_has_no_series(server_url: str) -> None:
    with fresh_database(server_url) as url:
        api = client(url)
        for by in ("policy", "source", "prefix", "tag", "value&tag=dc"):
            counted = api.get(f"/series/cardinality?by={by}").get_json()
            assert counted == {"share": 1.0, "series": 0, "new": 0, "groups": []}
        assert api.get("/series/find").get_json() == {"series": [], "more": False}


@pytest.mark.parametrize(
    ("path", "query", "error"),
    [
        ("cardinality", {}, "the parameter by is required"),
        ("cardinality", {"by": "host"}, "by is 'host', not one of policy, source, prefix, tag, value"),
        ("cardinality", {"by": "value"}, "the parameter tag is required"),
        ("cardinality", {"by": "prefix", "prefix": "hosts"}, "prefix is 'hosts', not some nodes and a dot"),
        ("cardinality", {"by": "policy", "limit": "501"}, "limit is '501', not a whole number from 1 to 500"),
        ("cardinality", {"by": "policy", "newSince": "soon"}, "newSince is 'soon', not a time such as"),
        ("find", {"query": "a", "expr": "b=c"}, "query and expr exclude each other"),
        ("find", {"expr": "b"}, "'b' is not a tag expression"),
        ("find", {"limit": "0"}, "limit is '0', not a whole number from 1 to 500"),
    ],
)
def test_errors_name_the_fault(served: ApiClient, path: str, query: dict[str, str], error: str) -> None:
    response = served.get(f"/series/{path}", **query)
    assert response.status == 400
    assert response.text.startswith(error)


@pytest.mark.parametrize(
    "query",
    [
        {"query": "hosts.*.cpu.user"},
        {"expr": ["name=requests", "dc=ams"]},
        {"policy": "app", "newSince": T - 3600},
        {"expr": "name=~.+", "policy": "hosts"},
        {},
    ],
    ids=str,
)
def test_names_are_those_of_the_series_found(served: ApiClient, query: dict[str, Any]) -> None:
    found = served.get("/series/find", **query).json
    expected = [{"id": each["id"], "name": each["name"]} for each in found["series"]]
    assert expected
    assert served.get("/series/names", **query).json == {"series": expected, "more": False}
    assert served.get("/series/names", limit=1, **query).json == {"series": expected[:1], "more": len(expected) > 1}


def test_deleted_ids_are_not_counted(served: ApiClient) -> None:
    ids = [each["id"] for each in served.get("/series/names").json["series"]]
    for given, expected in ((ids, 12), ([*ids[:2], f"1000000000-{0:016x}"], 2), ([f"{10**17}-{0:016x}"], 0)):
        assert served.post_json("/series/remaining", {"id": given}).json == {"series": expected}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "the parameter id is required"),
        (["a.b"], "id has a wrong value: 'a.b' is not the id of a series"),
        (["1"], "id has a wrong value: '1' is not the id of a series"),
        (["9" * 5000 + "-" + "0" * 16], "is not the id of a series"),
        (list(range(10_001)), "id has 10001 values, at most 10000"),
    ],
    ids=["none", "name", "number", "huge", "many"],
)
def test_wrong_ids_are_refused(served: ApiClient, given: list[Any], message: str) -> None:
    response = served.post_json("/series/remaining", {"id": given})
    assert (response.status, message in response.text) == (400, True), response.text
