"""/status over HTTP: access, requests to the parts, hostile and hanging parts, and PostgreSQL."""

import base64
import json
import os
import re
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import psycopg
import pytest

from rondo_query_api.app import create_app
from rondo_query_api.settings import Settings, SettingsError
from rondo_query_api.status import collector, part_client, part_reports, shared_facts
from rondo_query_api.status.part_client import NoAnswerError, PartUrl, get

from .api_server import NO_DATABASE, serve
from .archive_rows import Policy
from .in_process import client
from .part_server import (
    SINK_METRICS,
    TOPOLOGY_METRICS,
    PartServer,
    drip,
    flood,
    part_server,
    redirect,
    topology_answers,
    worker_answers,
)
from .postgres import REPOSITORY, fresh_database, url_of
from .tenants import SCOPES, TOKENS
from .test_access import bearer
from .waiting import wait_until

PATH = "/status?format=json"
HOSTILE = "]]></script><script>alert(1)</script><img src=x onerror=alert(2)>"


def now() -> int:
    """Time when the test runs, not when it is collected, of a slot of 10 s."""
    return int(time.time()) // 10 * 10


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Extend timeouts, so that parts answer in time even on a slow machine."""
    monkeypatch.setattr(collector, "REPORT_TIMEOUT_S", 120.0)
    monkeypatch.setattr(collector, "TIMEOUT_S", 120.0)
    monkeypatch.setattr(part_reports, "get", lambda host, port, path: get(host, port, path, timeout_s=120.0))


@pytest.fixture
def topology() -> Iterator[PartServer]:
    with part_server(topology_answers()) as server:
        yield server


@pytest.fixture
def connect() -> Iterator[PartServer]:
    with part_server({**worker_answers(), "/metrics": SINK_METRICS}) as server:
        yield server


def urls(topology: PartServer, connect: PartServer) -> dict[str, str]:
    return {"topology_urls": topology.url, "connect_urls": connect.url, "connect_metrics_urls": connect.url}


def stages(facts: dict[str, Any]) -> dict[str, str]:
    return {each["stage"]: each["state"] for each in facts["stages"]}


def docs(facts: dict[str, Any]) -> list[str]:
    return [each["docs"].removeprefix("docs/runbooks/").removesuffix(".md") for each in facts["problems"]]


def test_all_parts_are_shown(server_url: str, topology: PartServer, connect: PartServer) -> None:
    with fresh_database(server_url) as url, psycopg.connect(url, autocommit=True) as connection:
        Policy(connection, "default").archive(10, 2160, written=(now() - 600, now())).archive(3600, 24).series("a")
        Policy(connection, HOSTILE).archive(10, 2160, written=(now() - 600, now() - 5000))
        connection.execute("insert into applied_offset values ('p.bundle-rows', gen_random_uuid(), 0, 70)")
        connection.execute(
            "insert into archive_fill (rra_bundle_id, until, slots, progressed)"
            " select id, now(), 5, now() - interval '3 h' from rra_bundle where step_ms = 3600000"
        )
        facts = client(url, **urls(topology, connect)).get(PATH).get_json()
    assert stages(facts) == {
        **dict.fromkeys(("sources", "topology", "rows", "sink", "query-api"), "ok"),
        "postgresql": "warning",
    }
    assert (facts["state"], docs(facts), facts["missing"]) == ("warning", ["RondoFillStuck"], [])
    hostile, default = facts["policies"]
    assert (default["series"], [each["step_s"] for each in default["archives"]]) == (42, [10, 3600])
    assert 0 <= default["archives"][0]["age_s"] < 100
    assert default["archives"][1]["age_s"] is None
    assert (hostile["name"], hostile["archives"][0]["age_s"] >= 5000) == (HOSTILE, True)
    [fill] = facts["fills"]
    assert (fill["policy"], fill["step_s"], fill["rows"], fill["open_segments"]) == ("default", 3600, 5, 0)
    assert fill["idle_s"] >= 3 * 3600
    assert facts["sizes"]["database_bytes"] > facts["sizes"]["values_bytes"] > 0
    assert facts["stages"][2]["instances"][0]["name"] == "p.bundle-rows"


def test_without_settings_it_shows_postgresql(database_url: str) -> None:
    facts = client(database_url).get(PATH).get_json()
    assert facts["missing"] == [
        "RONDO_API_TOPOLOGY_URLS",
        "RONDO_API_CONNECT_URLS",
        "RONDO_API_CONNECT_METRICS_URLS",
    ]
    assert (stages(facts)["topology"], stages(facts)["sink"]) == ("unknown", "unknown")
    assert stages(facts)["query-api"] == "ok"


def test_a_replay_that_stands_still_is_stuck_unless_it_is_paused(server_url: str) -> None:
    with fresh_database(server_url) as url, psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "insert into replay_job values ('a', 'reading', 100, 40, now(), now() - interval '20 min'),"
            " ('b', 'paused', 7, 7, now(), now() - interval '1 day'), ('c', 'writing', 7, 7, now(), now())"
        )
        facts = client(url).get(PATH).get_json()
    assert [(each["id"], each["state"], each["remaining"]) for each in facts["replays"]] == [
        ("a", "reading", 60),
        ("b", "paused", 0),
        ("c", "writing", 0),
    ]
    assert (docs(facts), "replay a," in facts["problems"][0]["text"]) == (["RondoReplayStuck"], True)


def test_old_slots_are_late(server_url: str) -> None:
    with fresh_database(server_url) as url, psycopg.connect(url, autocommit=True) as connection:
        Policy(connection, "default").archive(10, 2160, written=(now() - 600, now() - 200))
        facts = client(url).get(PATH).get_json()
        assert (docs(facts), facts["state"]) == (["RondoSinkLags"], "warning")


def test_it_answers_without_postgresql_and_parts(topology: PartServer) -> None:
    settings = {"topology_urls": f"{topology.url},http://127.0.0.1:1", "connect_urls": "http://127.0.0.1:1"}
    response = client(NO_DATABASE, **settings, kafka_bootstrap_servers="127.0.0.1:1").get(PATH)
    facts = response.get_json()
    assert (response.status_code, facts["state"]) == (200, "critical")
    assert docs(facts) == ["RondoBrokerDown", "RondoConnectDown", "RondoPostgresDown", "RondoInstanceDown"]
    assert [each["up"] for each in facts["stages"][1]["instances"]] == [True, False]
    assert all("Connection refused" in problem["text"] for problem in facts["problems"])


def test_a_role_without_the_right_on_offsets_sees_the_rest(server_url: str) -> None:
    with fresh_database(server_url) as url, psycopg.connect(url, autocommit=True) as connection:
        connection.execute((REPOSITORY / "schemas/sql/roles.sql").read_bytes())
        name = f"reader_{connection.info.dbname}"
        connection.execute(f"create role {name} login password 'x' in role rondo_reader")
        try:
            assert docs(client(url_of(connection, name, "x")).get(PATH).get_json()) == []
            connection.execute("revoke select on applied_offset from rondo_reader")
            facts = client(url_of(connection, name, "x")).get(PATH).get_json()
            assert (stages(facts)["postgresql"], facts["stages"][4]["rate"]) == ("ok", None)
        finally:
            connection.execute(f"drop owned by {name}")
            connection.execute(f"drop role {name}")


def test_names_are_only_text(database_url: str) -> None:
    drops = {"late": {"total": 1, "series": [{"ident": HOSTILE, "points": 1, "seen_ms": 1, "detail": HOSTILE}]}}
    metrics = TOPOLOGY_METRICS.replace('reason="late"} 0.0', 'reason="late"} 1.0')
    with part_server(topology_answers(metrics, drops)) as topology:
        response = client(database_url, topology_urls=topology.url).get(PATH)
    assert response.mimetype == "application/json"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in response.headers["Content-Security-Policy"]
    assert response.headers["Cache-Control"].startswith("no-store")
    [late] = response.get_json()["drops"]
    assert (late["last"][0]["series"], late["last"][0]["detail"]) == (HOSTILE, HOSTILE)


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ({"/metrics": "rondo_x one"}, "its metrics are not in Prometheus' text format"),
        ({"/metrics": redirect("http://127.0.0.1:1/secret")}, "/metrics has status 302"),
        ({"/health/ready": "[]"}, "its answer is not a JSON object"),
        ({"/health/ready": "<html>"}, "its answer is not JSON"),
        ({"/health/ready": lambda handler: handler.connection.close()}, ""),
    ],
)
def test_a_part_that_answers_something_else(database_url: str, answers: dict[str, Any], reason: str) -> None:
    with part_server({**topology_answers(), **answers}) as topology:
        facts = client(database_url, topology_urls=topology.url).get(PATH).get_json()
    assert "RondoTopologyDown" in docs(facts)
    assert f"does not answer: {reason}" in facts["problems"][0]["text"]


def test_drops_that_cannot_be_read_leave_the_rest(database_url: str) -> None:
    with part_server({**topology_answers(), "/drops": b"\xff"}) as topology:
        facts = client(database_url, topology_urls=topology.url).get(PATH).get_json()
    assert stages(facts)["topology"] == "ok"


def test_an_answer_has_a_bound_in_time_and_size() -> None:
    with part_server({"/drip": drip, "/flood": flood}) as server:
        address = "127.0.0.1", int(server.url.rpartition(":")[2])
        with pytest.raises(NoAnswerError, match=r"^not within 0\.2 s \(/drip\)"):
            get(*address, "/drip", timeout_s=0.2)
        with pytest.raises(NoAnswerError, match=r"^/flood is longer than 100000 bytes"):
            get(*address, "/flood", timeout_s=120.0, max_bytes=100_000)


def test_a_hanging_part_is_requested_once_and_delays_nothing_else(
    database_url: str, connect: PartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collector, "REPORT_TIMEOUT_S", 3.0)  # for the parts that answer
    monkeypatch.setattr(shared_facts, "FRESH_S", 0.0)
    end = Event()
    with part_server({"/health/ready": lambda _: end.wait()}) as topology:
        api = client(database_url, **urls(topology, connect))
        for _ in range(2):
            facts = api.get(PATH).get_json()
            assert "does not answer: not within" in facts["problems"][0]["text"]
            assert stages(facts)["sink"] == "ok"
        assert topology.requested == ["/health/ready"]
        end.set()


def test_only_configured_parts_are_requested(database_url: str, topology: PartServer, connect: PartServer) -> None:
    with part_server({}) as other:
        api = client(database_url, **urls(topology, connect))
        for name in ("url", "topology_urls", "topology.urls", "host"):
            response = api.get(f"{PATH}&{name}={other.url}", headers={"X-Forwarded-Host": other.url, "Host": "x"})
            assert response.status_code == 200
        assert other.requested == []
    assert set(topology.requested) == {"/health/ready", "/metrics", "/drops"}
    assert set(connect.requested) == {"/", "/connectors?expand=status&expand=info", "/metrics"}


def test_facts_are_cached_for_some_seconds(
    database_url: str, topology: PartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_facts, "FRESH_S", 600.0)
    api = client(database_url, topology_urls=topology.url)
    assert len({api.get(PATH).get_json()["at"] for _ in range(5)}) == 1
    assert topology.requested == ["/health/ready", "/metrics", "/drops"]


def test_all_processes_and_repeated_requests_give_the_same_response(database_url: str, tmp_path: Path) -> None:
    """Points become dead letters: each request to any process reports this for a minute."""
    with part_server(topology_answers()) as topology:
        environment = {"RONDO_API_TOPOLOGY_URLS": topology.url, "RONDO_API_WORKERS": "4"}
        with serve(tmp_path, database_url, **environment) as api:

            def facts(_: object = None) -> dict[str, Any]:
                answered: dict[str, Any] = api.get("/status", format="json").json
                return answered

            wait_until(lambda: facts()["stages"][1]["rate"] is not None, "a sample of before")
            topology.answers["/metrics"] = TOPOLOGY_METRICS.replace('"unreadable"} 0.0', '"unreadable"} 5.0')
            wait_until(lambda: "RondoDeadLettersGrow" in docs(facts()), "the first look says it")
            with ThreadPoolExecutor(16) as pool:
                told = list(pool.map(facts, range(64)))
            workers = set(re.findall(r"Booting worker with pid: (\d+)", api.log.read_text()))
            for worker in workers:
                os.kill(int(worker), signal.SIGKILL)
            told.append(wait_until(facts, "new processes answer", not_yet=(OSError,)))
            assert set(re.findall(r"Booting worker with pid: (\d+)", api.log.read_text())) > workers
    assert {("RondoDeadLettersGrow" in docs(each), each["drops"][0]["minute"]) for each in told} == {(True, 5)}


def test_secrets_of_connect_and_of_the_database_are_not_shown(database_url: str) -> None:
    answers = worker_answers()
    path = next(path for path in answers if path.startswith("/connectors"))
    connectors = json.loads(str(answers[path]))
    connectors["rondo-postgres-sink"]["info"]["config"]["connection.password"] = "s3cret"
    with part_server({**answers, path: json.dumps(connectors)}) as connect:
        text = client(database_url, connect_urls=connect.url).get(PATH).text
    assert "s3cret" not in text
    assert "hush" not in client("postgresql://u:hush@127.0.0.1:1/rondo").get(PATH).text


def test_access_to_the_status(tenant_urls: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "scopes.toml"
    file.write_text(SCOPES)
    api = client(tenant_urls[""], scopes_file=str(file), tokens="all")
    scoped, whole = bearer(TOKENS["a"]), bearer("all")
    assert [api.get(PATH, headers=headers).status_code for headers in ({}, scoped, whole)] == [401, 403, 200]
    assert "of all scopes" in api.get(PATH, headers=scoped).text
    assert [api.get(path, headers=whole).status_code for path in ("/status?format=csv", "/status/?format=json")] == [
        400,
        200,
    ]
    page = api.get("/status")
    assert (page.status_code, page.mimetype) == (200, "text/html")
    assert "script-src 'self'" in page.headers["Content-Security-Policy"]
    locked = client(tenant_urls[""], users="ann:pw")
    basic = {"Authorization": f"Basic {base64.b64encode(b'ann:pw').decode()}"}
    assert [locked.get(path).status_code for path in ("/status", PATH)] == [401, 401]
    assert [locked.get(path, headers=basic).status_code for path in ("/status", PATH)] == [200, 200]


@pytest.mark.parametrize(
    "url",
    ["127.0.0.1:8889", "https://a:1", "http://a", "http://a:x", "http://u@a:1", "http://a:1/x", "file:///etc/passwd"],
)
def test_settings_that_are_no_urls(url: str) -> None:
    with pytest.raises(SettingsError, match=f"^RONDO_API_CONNECT_URLS has {re.escape(repr(url))}, not a URL such as"):
        create_app(Settings(connect_urls=f"http://b:1,{url}"))


@pytest.mark.parametrize("url", ["javascript:alert(1)//", "docs/", "https://git.example/docs"])
def test_the_url_of_the_documentation(url: str) -> None:
    with pytest.raises(SettingsError, match=r"^RONDO_API_DOCS_URL is"):
        Settings(docs_url=url)
    assert Settings(docs_url="https://git.example/rondo/blob/main/").docs_url


def test_each_address_of_a_host_is_an_instance() -> None:
    [url] = PartUrl.parse_all("http://127.0.0.1:80", "X")
    assert url.addresses() == ["127.0.0.1"]
    [url] = PartUrl.parse_all("http://none.invalid:80", "X")
    assert url.addresses() == ["none.invalid"]
    [url] = PartUrl.parse_all("http://[::1]:80", "X")
    assert (url.addresses(), part_client.address_text(url.host, 80)) == (["::1"], "[::1]:80")


def test_pages_of_the_documentation_exist() -> None:
    page = Path(collector.__file__).parents[1] / "page"
    paths = {
        path for file in page.glob("*.js") for path in re.findall(r"page\(facts, '([\w./-]+)", file.read_text("utf-8"))
    }
    assert paths
    missing = [path for path in paths if not (REPOSITORY / path).is_file()]
    assert missing == []
