"""The objects and settings of the Helm chart. ChartTest of deploy/helm renders them by Helm."""

import re
import subprocess
import sys
from pathlib import Path

import kubernetes_validate
import pytest
import yaml

from rondo_query_api import __version__
from rondo_query_api.settings import Settings

from .chart import CHART, GOLDEN, HELM, KUBERNETES, VALUE_SETS, find, objects, pods
from .postgres import REPOSITORY

MIB = 1 << 20
BUILT_IN = {"v1", "apps/v1", "batch/v1", "policy/v1", "autoscaling/v2", "networking.k8s.io/v1"}


@pytest.mark.parametrize("value_set", VALUE_SETS)
def test_objects_have_the_schema_of_kubernetes(value_set: str) -> None:
    """Resources of operators (Strimzi, Prometheus, KEDA) are not checked: their schemas are not here."""
    for each in objects(value_set):
        if each["apiVersion"] in BUILT_IN:
            kubernetes_validate.validate(each, KUBERNETES, strict=True)


@pytest.mark.parametrize("value_set", VALUE_SETS)
def test_pods_have_no_rights(value_set: str) -> None:
    for name, pod in pods(objects(value_set)).items():
        assert pod["enableServiceLinks"] is False, name
        assert pod["automountServiceAccountToken"] is False, name
        assert pod["securityContext"]["runAsNonRoot"] is True, name
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}, name
        for container in pod["containers"]:
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }, name
            assert container["resources"]["limits"]["memory"], name
            words = [*container.get("command", []), *container.get("args", [])]
            assert not [word for word in words if "assword" in word or "://" in word], name


@pytest.mark.parametrize("value_set", VALUE_SETS)
def test_each_object_that_a_pod_needs_is_rendered(value_set: str) -> None:
    """Secrets exist before; ConfigMaps are of the chart, and a hook needs none, because it runs before."""
    rendered = objects(value_set)
    maps = {each["metadata"]["name"] for each in rendered if each["kind"] == "ConfigMap"}
    for name, pod in pods(rendered).items():
        [container] = pod["containers"]
        needed = {source["configMapRef"]["name"] for source in container.get("envFrom", [])}
        needed |= {volume["configMap"]["name"] for volume in pod["volumes"] if "configMap" in volume}
        assert needed <= maps, name
        assert {mount["name"] for mount in container["volumeMounts"]} == {volume["name"] for volume in pod["volumes"]}
        if name.endswith("-migrate"):
            assert not needed
            assert "serviceAccountName" not in pod


@pytest.mark.parametrize("value_set", VALUE_SETS)
def test_settings_of_the_api_are_known(value_set: str) -> None:
    data = find(objects(value_set), "ConfigMap", "rondo-api")["data"]
    settings = Settings.from_environment(data)
    assert settings.bind == "0.0.0.0:8888"
    assert settings.database_url.startswith("postgresql://rondo_api@postgres:5432/rondo")


@pytest.mark.parametrize("value_set", VALUE_SETS)
def test_pods_of_the_api_may_use_the_memory_of_their_workers(value_set: str) -> None:
    rendered = objects(value_set)
    settings = Settings.from_environment(find(rendered, "ConfigMap", "rondo-api")["data"])
    limit_mib = int(pods(rendered)["rondo-api"]["containers"][0]["resources"]["limits"]["memory"].removesuffix("Mi"))
    assert limit_mib * MIB >= settings.workers * settings.worker_memory_bytes + 128 * MIB


@pytest.mark.parametrize("value_set", [each for each in VALUE_SETS if each != "api-only"])
def test_settings_of_the_topology_are_known(value_set: str) -> None:
    page = (REPOSITORY / "docs" / "reference" / "topology-settings.md").read_text(encoding="utf-8")
    known = set(re.findall(r"`(RONDO_TOPOLOGY_\w+)`", page))
    data = find(objects(value_set), "ConfigMap", "rondo-topology")["data"]
    own = {variable for variable in data if variable.startswith("RONDO_TOPOLOGY_")}
    assert {"RONDO_TOPOLOGY_BOOTSTRAP_SERVERS", "RONDO_TOPOLOGY_STATE_DIR"} <= own
    assert own - known == set()


def test_settings_of_the_sink_are_known() -> None:
    lines = find(objects("secured"), "ConfigMap", "rondo-connect")["data"]["sink.properties"].splitlines()
    of_strimzi = find(objects("strimzi"), "KafkaConnector", "rondo-postgres-sink")["spec"]["config"]
    page = (REPOSITORY / "docs" / "reference" / "postgres-sink.md").read_text(encoding="utf-8")
    of_connect = r"name|connector\.class|tasks\.max|topics|(key|value)\.converter|(consumer\.override|errors|kafka)\..+"
    for settings in (dict(line.split("=", 1) for line in lines), of_strimzi):
        own = [key for key in settings if not re.fullmatch(of_connect, key)]
        assert {"connection.url", "connection.user", "connection.password"} == set(own)
        assert [key for key in own if f"| `{key}` |" in page] == own
        assert settings["connection.password"].startswith("${")


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("alerts.yml", "deploy/prometheus/alerts.yml"),
        ("jmx-exporter.yml", "connectors/postgres-sink/prometheus/jmx-exporter.yml"),
    ],
)
def test_files_of_monitoring_are_those_of_the_parts(file: str, source: str) -> None:
    assert (CHART / "files" / file).read_bytes() == (REPOSITORY / source).read_bytes(), f"copy {source}"


def test_connect_of_strimzi_has_the_metrics_of_the_alerts() -> None:
    rendered = objects("strimzi")
    connect = find(rendered, "KafkaConnect", "rondo-connect")
    reference = connect["spec"]["metricsConfig"]["valueFrom"]["configMapKeyRef"]
    rules = yaml.safe_load(find(rendered, "ConfigMap", reference["name"])["data"][reference["key"]])
    groups = find(rendered, "PrometheusRule", "rondo-alerts")["spec"]["groups"]
    [alerts] = [group["rules"] for group in groups if group["name"] == "rondo-sink"]
    read = {metric for alert in alerts for metric in re.findall(r"\b(?:rondo|kafka)_\w+", alert["expr"])}
    assert read - {"rondo_part"} <= {rule["name"] for rule in rules["rules"]}
    assert read - {"rondo_part"}
    monitor = find(rendered, "PodMonitor", "rondo-strimzi-connect")["spec"]
    assert monitor["selector"]["matchLabels"]["strimzi.io/cluster"] == connect["metadata"]["name"]


@pytest.mark.parametrize("value_set", ["secured", "strimzi"])
def test_alerts_know_the_targets_of_the_monitors(value_set: str) -> None:
    """Otherwise a part that runs would count as down."""
    rendered = objects(value_set)
    monitors = [each["spec"] for each in rendered if each["kind"] in ("ServiceMonitor", "PodMonitor")]
    endpoints = [each for spec in monitors for each in spec.get("endpoints") or spec["podMetricsEndpoints"]]
    parts = {label["replacement"] for each in endpoints for label in each["relabelings"]}
    named = set(re.findall(r'rondo_part="(\w+)"', str(find(rendered, "PrometheusRule", "rondo-alerts"))))
    assert named
    assert named <= parts


def test_no_pod_reaches_connect() -> None:
    """Its REST API resolves references when it validates a config, so any pod could read the password."""
    rendered = objects("minimal")
    worker = find(rendered, "ConfigMap", "rondo-connect")["data"]["connect.properties"].splitlines()
    settings = dict(line.split("=", 1) for line in worker)
    assert settings["rest.extension.classes"] == "dev.rondo.connect.rest.RestGuard"
    allowed = re.compile(settings["config.providers.env.param.allowlist.pattern"])
    assert allowed.fullmatch("RONDO_SINK_PASSWORD")
    assert not allowed.fullmatch("KUBERNETES_SERVICE_HOST")
    policies = [each for each in rendered if each["kind"] == "NetworkPolicy"]
    [policy] = [each["spec"] for each in policies]
    assert policy["policyTypes"] == ["Ingress"]
    assert [port["port"] for rule in policy["ingress"] for port in rule["ports"]] == [8084]


def test_monitors_select_pods_and_ports_of_the_chart() -> None:
    rendered = objects("secured")
    templates = [each["spec"]["template"] for each in rendered if each["kind"] in ("StatefulSet", "Deployment")]
    [monitor] = [each["spec"] for each in rendered if each["kind"] == "PodMonitor"]
    labels = monitor["selector"]["matchLabels"].items()
    [selected] = [each["spec"] for each in templates if labels <= each["metadata"]["labels"].items()]
    ports = {port["name"]: port["containerPort"] for port in selected["containers"][0]["ports"]}
    policy = find(rendered, "NetworkPolicy", "rondo-connect")["spec"]["ingress"]
    assert policy[0]["ports"] == [{"port": ports[monitor["podMetricsEndpoints"][0]["port"]], "protocol": "TCP"}]


def test_readme_has_all_values() -> None:
    """Else: python deploy/helm/readme.py."""
    readme = CHART / "README.md"
    before = readme.read_text(encoding="utf-8")
    script = "import runpy, sys; sys.stdout.write(runpy.run_path(sys.argv[1])['page']())"
    command = [sys.executable, "-c", script, str(HELM / "readme.py")]
    assert subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout == before


def test_users_of_strimzi_have_the_rights_of_their_part() -> None:
    """Rights of files/rights.yaml, which a test of the topology compares with the code."""
    rendered = objects("strimzi")
    acls = find(rendered, "KafkaUser", "rondo-topology")["spec"]["authorization"]["acls"]
    rights = {(each["resource"]["name"], each["resource"]["patternType"]): set(each["operations"]) for each in acls}
    assert rights["points", "literal"] == {"Read"}
    assert rights["metrics-", "prefix"] == {"Read"}
    assert rights["rondo-", "prefix"] == {"Write"}
    assert not [name for name, _ in rights if "PREFIX" in name or "APPLICATION" in name or "SOURCE" in name]
    assert not [each for each in rights.values() if "Create" in each]  # KafkaTopics are there
    topics = {each["spec"]["topicName"]: each["spec"] for each in rendered if each["kind"] == "KafkaTopic"}
    assert topics["rondo.bundle-rows"]["partitions"] == 24
    assert topics["rondo.policies"]["partitions"] == 1
    assert topics["rondo-segments-changelog"]["config"]["cleanup.policy"] == "compact"
    assert {name for name, _ in rights if name.endswith("-changelog")} <= set(topics)


def test_the_version_is_that_of_the_parts() -> None:
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text(encoding="utf-8"))
    assert (chart["version"], chart["appVersion"]) == (__version__, __version__)


def test_goldens_are_those_of_the_value_sets() -> None:
    assert sorted(each.stem for each in Path(GOLDEN).glob("*.yaml")) == VALUE_SETS
