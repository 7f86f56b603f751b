"""The Grafana dashboards of deploy/dashboards, with the names that the host collector sends, on a real API."""

import json
import re
import time
from collections.abc import Iterator
from itertools import product
from typing import Any

import psycopg
import pytest
import yaml

from .api_server import ApiClient, serve
from .archive_rows import Policy
from .postgres import REPOSITORY, fresh_database

FOLDER = REPOSITORY / "deploy" / "dashboards"
COLLECTOR = REPOSITORY / "deploy" / "host-collector" / "README.md"
DASHBOARDS = {file.name: json.loads(file.read_text(encoding="utf-8")) for file in sorted(FOLDER.glob("*.json"))}
PANELS = [(name, panel) for name, dashboard in DASHBOARDS.items() for panel in dashboard["panels"]]
TARGETS = [(panel["title"], target["target"]) for _, panel in PANELS for target in panel["targets"]]
HOSTS = ("web1", "web2")
NOW = int(time.time()) // 10 * 10


def braces(text: str) -> list[str]:
    """Every text that the alternatives in braces stand for."""
    parts = [part.split(",") if n % 2 else [part] for n, part in enumerate(re.split(r"[{}]", text))]
    return ["".join(chosen) for chosen in product(*parts)]


def collected() -> list[str]:
    """Names after the host's, as the table of the host collector's README has them."""
    cells = re.findall(r"(?m)^\| `([^`]+)` \|", COLLECTOR.read_text(encoding="utf-8"))
    return [re.sub("<[a-z]+>", "one", name) for cell in cells if not cell.startswith("--") for name in braces(cell)]


@pytest.fixture(scope="module")
def hosts(server_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiClient]:
    with fresh_database(server_url) as url, psycopg.connect(url, autocommit=True) as connection:
        policy = Policy(connection, "hosts").archive(10, 360)
        for host, name in product(HOSTS, collected()):
            policy.series(f"hosts.{host}.{name}").slots(10, {NOW - 10: 2.0, NOW: 3.0})
        with serve(tmp_path_factory.mktemp("dashboards"), url) as api:
            yield api


def test_the_collector_sends_what_its_readme_says() -> None:
    assert {
        *("cpu.busy", "load.1m", "memory.used", "disk.one.read_bytes", "filesystem.one.free", "network.one.rx_bytes"),
        *("processes.count", "uptime"),
    } <= set(collected())


def test_the_explorer_opens_with_series_of_the_collector(hosts: ApiClient) -> None:
    [target] = re.findall(r"(?m)^const DEFAULT_TARGET = '(.+)';$", hosts.get("/page/app.js").text)
    series = hosts.render(target, NOW - 600, NOW)
    assert [each["target"] for each in series] == [f"hosts.{host}.cpu.busy" for host in HOSTS]


@pytest.mark.parametrize("host", ["*", "web1", "{web1,web2}"])
@pytest.mark.parametrize(("title", "target"), TARGETS)
def test_a_panel_shows_series(hosts: ApiClient, title: str, target: str, host: str) -> None:
    """Asked as Grafana does: all hosts, one, or some of them, and each name with the target's letter."""
    asked = f'aliasSub({target.replace("$host", host)}, "(^.*$)", "\\1 A")'
    series = hosts.render(asked, NOW - 600, NOW, maxDataPoints=500)
    assert series
    assert all(each["target"].endswith(" A") for each in series)
    assert all(any(value is not None for value, _ in each["datapoints"]) for each in series)


@pytest.mark.parametrize(("title", "target"), TARGETS)
def test_each_name_in_a_target_is_one_that_is_sent(hosts: ApiClient, title: str, target: str) -> None:
    """Also each alternative in braces, which the panel would miss without a word."""
    paths = [path for pattern in re.findall(r"hosts\.(?:\{[^}]*\}|[^\s(){},])+", target) for path in braces(pattern)]
    assert paths
    for path in paths:
        query = path.replace("$host", "web1")
        assert hosts.get("/metrics/expand", query=query, leavesOnly=1).json["results"], path


@pytest.mark.parametrize("dashboard", DASHBOARDS.values(), ids=DASHBOARDS)
def test_a_variable_lists_what_is_there(hosts: ApiClient, dashboard: dict[str, Any]) -> None:
    queries = [each["query"] for each in dashboard["templating"]["list"] if each["type"] == "query"]
    assert queries == ["hosts.*"]
    for query in queries:
        assert [node["text"] for node in hosts.post("/metrics/find", {"query": query}).json] == list(HOSTS)


@pytest.mark.parametrize("dashboard", DASHBOARDS.values(), ids=DASHBOARDS)
def test_a_dashboard_can_be_imported(dashboard: dict[str, Any]) -> None:
    assert dashboard["uid"]
    assert "id" not in dashboard
    panels = dashboard["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    source = {"type": "graphite", "uid": "${datasource}"}
    for panel in panels:
        assert panel["datasource"] == source
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
        letters = [target["refId"] for target in panel["targets"]]
        assert letters == sorted(set(letters))
        assert all(target["datasource"] == source for target in panel["targets"])


def test_the_data_source_is_provisioned() -> None:
    (source,) = provisioned("datasources/rondo.yaml", "datasources")
    assert set(source) == {"name", "uid", "type", "access", "url", "isDefault", "editable", "jsonData"}
    assert (source["type"], source["access"], source["uid"]) == ("graphite", "proxy", "rondo")
    assert (source["jsonData"]["graphiteVersion"], source["jsonData"]["graphiteType"]) == ("1.1", "default")
    for dashboard in DASHBOARDS.values():
        (variable,) = (each for each in dashboard["templating"]["list"] if each["type"] == "datasource")
        assert variable["current"]["value"] == source["uid"]


def test_the_dashboards_are_provisioned() -> None:
    (provider,) = provisioned("dashboards/rondo.yaml", "providers")
    assert (provider["type"], set(provider["options"])) == ("file", {"path"})


def provisioned(name: str, key: str) -> list[dict[str, Any]]:
    document = yaml.safe_load((FOLDER / "provisioning" / name).read_text(encoding="utf-8"))
    assert (document.pop("apiVersion"), list(document)) == (1, [key])
    return list(document[key])
