"""The Grafana dashboards of deploy/dashboards: as described, complete, and with names that Rondo knows.

Targets of the hosts are sent to a real API, with the names that the host collector sends; TokenIT sends those of Rondo
itself to a running Rondo.
"""

import json
import re
import runpy
import shutil
import subprocess
import time
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml

from . import in_process
from .api_server import ApiClient
from .archive_rows import Policy
from .postgres import REPOSITORY, fresh_database

FOLDER = REPOSITORY / "deploy" / "dashboards"
COLLECTOR = REPOSITORY / "connectors" / "host-collector" / "README.md"
DASHBOARDS = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(FOLDER.glob("*.json"))}
PANELS = [(name, panel) for name, dashboard in DASHBOARDS.items() for panel in dashboard["panels"]]
TARGETS = [(panel["title"], each["target"]) for name, panel in PANELS if name == "hosts" for each in panel["targets"]]
OWN_TARGETS = [
    (name, panel["title"], target["target"])
    for name, panel in PANELS
    if name != "hosts"
    for target in panel.get("targets", [])
    if "target" in target
]
EXPRESSIONS = [
    (panel["title"], target["expr"]) for _, panel in PANELS for target in panel.get("targets", []) if "expr" in target
]
HOSTS = ("web1", "web2")

REFERENCES = [*(REPOSITORY / "docs" / "reference").glob("*metrics.md"), REPOSITORY / "query-api" / "README.md"]
STANDARD = re.compile(r"(jvm|process)_\w+")


@cache
def now() -> int:
    """Time when the first test of this file runs, not when it is collected, of a slot of 10 s."""
    return int(time.time()) // 10 * 10


def known_metrics() -> set[str]:
    """Names in the tables of the reference pages."""
    pages = "\n".join(page.read_text(encoding="utf-8") for page in REFERENCES)
    names = re.findall(r"(?m)^\| `((?:rondo|kafka)_\w+)", pages)
    return {re.sub("_(bucket|sum|count)$", "", name) for name in names}


def braces(text: str) -> list[str]:
    """Every text that the alternatives in braces stand for."""
    parts = [part.split(",") if n % 2 else [part] for n, part in enumerate(re.split(r"[{}]", text))]
    return ["".join(chosen) for chosen in product(*parts)]


def collected() -> list[str]:
    """Names after the host's, as the table of the host collector's README has them."""
    cells = re.findall(r"(?m)^\| `([^`]+)` \|", COLLECTOR.read_text(encoding="utf-8"))
    return [
        re.sub("<[a-z]+>", "one", name)
        for cell in cells
        if not cell.startswith(("--", "rondo_"))
        for name in braces(cell)
    ]


@pytest.fixture(scope="module")
def hosts(server_url: str) -> Iterator[ApiClient]:
    with fresh_database(server_url) as url, psycopg.connect(url, autocommit=True) as connection:
        policy = Policy(connection, "hosts").archive(10, 360)
        for host, name in product(HOSTS, collected()):
            policy.series(f"hosts.{host}.{name}").slots(10, {now() - 10: 2.0, now(): 3.0})
        yield in_process.api(url)


def test_the_collector_sends_what_its_readme_says() -> None:
    assert {
        *("cpu.busy", "load.1m", "memory.used", "disk.one.read_bytes", "filesystem.one.free", "network.one.rx_bytes"),
        *("processes.count", "uptime"),
    } <= set(collected())


def test_the_explorer_opens_with_series_of_the_collector(hosts: ApiClient) -> None:
    [target] = re.findall(r"(?m)^const DEFAULT_TARGET = '(.+)';$", hosts.get("/page/app.js").text)
    series = hosts.render(target, now() - 600, now())
    assert [each["target"] for each in series] == [f"hosts.{host}.cpu.busy" for host in HOSTS]


@pytest.mark.parametrize("host", ["*", "web1", "{web1,web2}"])
@pytest.mark.parametrize(("title", "target"), TARGETS)
def test_a_panel_shows_series(hosts: ApiClient, title: str, target: str, host: str) -> None:
    """Requests are those of Grafana: all hosts, one, or some of them, and each name with the target's letter."""
    asked = f'aliasSub({target.replace("$host", host)}, "(^.*$)", "\\1 A")'
    series = hosts.render(asked, now() - 600, now(), maxDataPoints=500)
    assert series
    assert all(each["target"].endswith(" A") for each in series)
    assert all(any(value is not None for value, _ in each["datapoints"]) for each in series)


@pytest.mark.parametrize(("title", "target"), TARGETS)
def test_each_name_in_a_target_is_one_that_is_sent(hosts: ApiClient, title: str, target: str) -> None:
    """Including each alternative in braces, which a panel would silently lack."""
    paths = [path for pattern in re.findall(r"hosts\.(?:\{[^}]*\}|[^\s(){},])+", target) for path in braces(pattern)]
    assert paths
    for path in paths:
        query = path.replace("$host", "web1")
        assert hosts.get("/metrics/expand", query=query, leavesOnly=1).json["results"], path


def test_the_variable_lists_the_hosts(hosts: ApiClient) -> None:
    [query] = [each["query"] for each in DASHBOARDS["hosts"]["templating"]["list"] if each["type"] == "query"]
    assert [node["text"] for node in hosts.post("/metrics/find", {"query": query}).json] == list(HOSTS)


def test_dashboards_are_as_described() -> None:
    """After a change of panels: python deploy/dashboards/generate.py."""
    generated = dict(runpy.run_path(str(FOLDER / "generate.py"))["dashboards"]())
    assert {path.stem for path in generated} == set(DASHBOARDS)
    for path, text in generated.items():
        assert path.read_text(encoding="utf-8") == text, path


@pytest.mark.parametrize("dashboard", DASHBOARDS.values(), ids=DASHBOARDS)
def test_a_dashboard_can_be_imported(dashboard: dict[str, Any]) -> None:
    assert dashboard["uid"]
    assert "id" not in dashboard
    panels = dashboard["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    variables = {each["name"]: each for each in dashboard["templating"]["list"]}
    source = {"type": variables["datasource"]["query"], "uid": "${datasource}"}
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        place = panel["gridPos"]
        cells = set(product(range(place["x"], place["x"] + place["w"]), range(place["y"], place["y"] + place["h"])))
        assert not cells & taken
        taken |= cells
        assert place["x"] + place["w"] <= 24
        if panel["type"] == "row":
            continue
        assert panel["datasource"] == source
        assert panel["description"]
        assert panel["fieldConfig"]["defaults"]["unit"]
        letters = [target["refId"] for target in panel["targets"]]
        assert letters == sorted(set(letters))
        assert all(target["datasource"] == source for target in panel["targets"])
        assert set(re.findall(r"\$(?!__)(\w+)", json.dumps(panel["targets"]))) <= set(variables)


@pytest.mark.parametrize(("name", "panel"), PANELS, ids=[f"{name}: {panel['title']}" for name, panel in PANELS])
def test_a_panel_links_to_pages_that_exist(name: str, panel: dict[str, Any]) -> None:
    for link in panel.get("links", []):
        page = link["url"].removeprefix("${docs}/")
        assert (REPOSITORY / page).is_file(), page


def test_uids_differ() -> None:
    assert len({dashboard["uid"] for dashboard in DASHBOARDS.values()}) == len(DASHBOARDS)


@pytest.mark.parametrize(("name", "title", "target"), OWN_TARGETS)
def test_a_target_names_metrics_that_parts_have(name: str, title: str, target: str) -> None:
    """The collector names them without rondo_ and _total."""
    nodes = re.findall(r"rondo\.(?:\w+|\{[\w,]+\})\.(?:\$\w+|\*)\.(\w+)", target)
    assert nodes
    for node in nodes:
        assert node == "up" or {f"rondo_{node}", f"rondo_{node}_total", f"{node}_total", node} & known_metrics(), node


@pytest.mark.parametrize(("title", "expression"), EXPRESSIONS)
def test_an_expression_names_metrics_that_parts_have(title: str, expression: str) -> None:
    names = re.findall(r"\b(?:rondo|kafka|jvm|process)_\w+", expression)
    assert names or "up{" in expression
    for name in names:
        assert STANDARD.fullmatch(name) or re.sub("_(bucket|sum|count)$", "", name) in known_metrics(), name


def test_expressions_are_promql(tmp_path: Path) -> None:
    if not (promtool := shutil.which("promtool")):
        pytest.skip("no promtool to read the expressions with; apt install prometheus")
    rules = [
        {"record": f"panel:{number}", "expr": expression.replace("$job", ".*").replace("$__rate_interval", "1m")}
        for number, (_, expression) in enumerate(EXPRESSIONS)
    ]
    assert rules
    file = tmp_path / "rules.yml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "panels", "rules": rules}]}), encoding="utf-8")
    done = subprocess.run([promtool, "check", "rules", str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(("file", "kind"), [("rondo", "graphite"), ("prometheus", "prometheus")])
def test_a_data_source_is_provisioned(file: str, kind: str) -> None:
    (source,) = provisioned(f"datasources/{file}.yaml", "datasources")
    assert set(source) == {"name", "uid", "type", "access", "url", "isDefault", "editable", "jsonData"}
    assert (source["type"], source["access"], source["isDefault"]) == (kind, "proxy", kind == "graphite")
    for dashboard in DASHBOARDS.values():
        (variable,) = (each for each in dashboard["templating"]["list"] if each["type"] == "datasource")
        if variable["query"] == kind:
            assert variable["current"] == {"text": source["name"], "value": source["uid"]}


def test_rondo_is_provisioned_as_graphite() -> None:
    (source,) = provisioned("datasources/rondo.yaml", "datasources")
    assert (source["jsonData"]["graphiteVersion"], source["jsonData"]["graphiteType"]) == ("1.1", "default")


def test_the_dashboards_are_provisioned() -> None:
    (provider,) = provisioned("dashboards/rondo.yaml", "providers")
    assert (provider["type"], set(provider["options"])) == ("file", {"path"})


def provisioned(name: str, key: str) -> list[dict[str, Any]]:
    document = yaml.safe_load((FOLDER / "provisioning" / name).read_text(encoding="utf-8"))
    assert (document.pop("apiVersion"), list(document)) == (1, [key])
    return list(document[key])
