"""The environment, files and arguments that the Helm chart renders start the real processes, which store points."""

import os
import re
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

import psycopg
import pytest
from confluent_kafka import Producer
from psycopg import sql

from . import running
from .api_server import QUERY_API, ApiClient
from .chart import Object, environment, find, objects, pods
from .ports import choose_port
from .postgres import REPOSITORY, fresh_database
from .waiting import wait_until

MODULES = {
    "topology": "topology/streams",
    "history": "topology/history",
    "migrate": "deploy/local",
    "kafka": "deploy/local",
}
SINK = REPOSITORY / "connectors/postgres-sink"
BOUND_S = 300
LOGINS = {
    "rondo_api": ["rondo_reader", "rondo_event_writer"],
    "rondo_fill": ["rondo_filler"],
    "rondo_sink": ["rondo_writer"],
}


def java(module: str, *arguments: str) -> list[str]:
    target = REPOSITORY / MODULES[module] / "target"
    options = shlex.split(os.environ.get("RONDO_JAVA_OPTIONS", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"))
    return ["java", "-Xmx256m", *options, "-cp", f"{target}/*:{target}/lib/*", *arguments]


def is_ok(url: str) -> bool:
    try:
        with urlopen(url, timeout=60) as response:
            return bool(response.status == 200)
    except (URLError, OSError):
        return False


@dataclass
class Cluster:
    """Runs pods of rendered objects as processes: addresses and folders of the cluster become those of this machine."""

    rendered: list[Object]
    directory: Path
    replaced: dict[str, str]
    processes: ExitStack
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def container(self, name: str) -> Object:
        [container] = pods(self.rendered)[name]["containers"]
        return dict(container)

    def here(self, value: str) -> str:
        return re.sub("|".join(map(re.escape, self.replaced)), lambda found: self.replaced[found[0]], value)

    def environment(self, name: str) -> dict[str, str]:
        secrets = {f"rondo-postgres/{key}": key for key in ("migrate", "api", "fill", "sink")}
        own = environment(self.rendered, self.container(name), f"{name}-0", secrets)
        inherited = {key: value for key, value in os.environ.items() if not key.startswith("RONDO_")}
        return inherited | {key: self.here(value) for key, value in own.items()}

    def files(self, name: str) -> None:
        """Write the files of a ConfigMap."""
        for file, text in find(self.rendered, "ConfigMap", name)["data"].items():
            (self.directory / file).write_text(self.here(text), encoding="utf-8")

    def run(self, name: str, command: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, env=self.environment(name), capture_output=True, text=True, timeout=BOUND_S, check=False
        )

    def start(self, name: str, command: list[str], env: dict[str, str] | None = None) -> None:
        log = self.processes.enter_context((self.directory / f"{name}.log").open("wb"))
        process = subprocess.Popen(
            command, cwd=self.directory, env=env or self.environment(name), stdout=log, stderr=subprocess.STDOUT
        )
        self.running[name] = process
        self.processes.callback(process.wait)
        self.processes.callback(process.terminate)

    def await_probe(self, name: str, probe: str) -> None:
        """Wait until the path of a probe answers at the port of the container."""
        container = self.container(name)
        get = container[probe]["httpGet"]
        [port] = [str(each["containerPort"]) for each in container["ports"] if each["name"] == get["port"]]
        url = f"http://127.0.0.1:{self.here(port)}{get['path']}"
        log = self.directory / f"{name}.log"

        def answers() -> bool:
            assert self.running[name].poll() is None, log.read_text(encoding="utf-8")[-3000:]
            return is_ok(url)

        wait_until(answers, f"{name} answers at {url}", bound_s=BOUND_S)


def kafka(directory: Path, port: int) -> list[str]:
    controller = choose_port()
    file = directory / "server.properties"
    settings = {
        "node.id": 1,
        "process.roles": "broker,controller",
        "controller.listener.names": "CONTROLLER",
        "controller.quorum.voters": f"1@127.0.0.1:{controller}",
        "listeners": f"PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}",
        "advertised.listeners": f"PLAINTEXT://127.0.0.1:{port}",
        "log.dirs": directory / "kafka",
        "offsets.topic.replication.factor": 1,
        "transaction.state.log.replication.factor": 1,
        "transaction.state.log.min.isr": 1,
        "group.initial.rebalance.delay.ms": 0,
    }
    file.write_text("".join(f"{key}={value}\n" for key, value in settings.items()), encoding="utf-8")
    return java("kafka", "dev.rondo.embedded.KafkaMain", str(file), "5rYQsLQ0Q2yB3K0lTzv1Zg")


def is_listening(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=60).close()
    except OSError:
        return False
    return True


def create_logins(database_url: str) -> None:
    """Create the users of the values, as members of the roles that the migration has created.

    The password of each is the key of the Secret that has it, see ``Cluster.environment``.
    """
    with psycopg.connect(database_url, autocommit=True) as connection:
        for login, roles in LOGINS.items():
            user = sql.Identifier(login)
            if not connection.execute("select from pg_roles where rolname = %s", [login]).rowcount:
                connection.execute(sql.SQL("create role {} login").format(user))
            password = sql.Literal(login.removeprefix("rondo_"))
            connection.execute(sql.SQL("alter role {} password {}").format(user, password))
            for role in roles:
                connection.execute(sql.SQL("grant {} to {}").format(sql.Identifier(role), user))


# Six programs start, one after the other; deploy/helm and test_chart.py test what is rendered.
pytestmark = pytest.mark.long


@pytest.fixture
def cluster(server_url: str, tmp_path: Path) -> Iterator[Cluster]:
    with fresh_database(server_url, migrated=False) as url, ExitStack() as processes:
        database = urlsplit(url)
        with psycopg.connect(url) as connection:
            owner = f"{connection.info.user}:{connection.info.password}"
        ports = {port: str(choose_port()) for port in ("9092", "8888", "8889", "8083", "8084")}
        replaced = {
            "rondo@postgres:5432/rondo": f"{owner}@{database.hostname}:{database.port}{database.path}",
            "postgres:5432/rondo": f"{database.hostname}:{database.port}{database.path}",
            "kafka:9092": f"127.0.0.1:{ports['9092']}",
            "0.0.0.0": "127.0.0.1",  # noqa: S104
            "/var/lib/rondo": str(tmp_path / "state"),
            "/tmp/offsets": str(tmp_path / "offsets"),  # noqa: S108
            "/opt/rondo/connect/plugins": str(SINK / "target/plugin"),
            "/opt/rondo/connect/jmx-exporter.yml": str(SINK / "prometheus/jmx-exporter.yml"),
            "/opt/rondo/connect/jmx_prometheus_javaagent.jar": str(
                SINK / "target/jmx-exporter/jmx_prometheus_javaagent.jar"
            ),
            "/etc/rondo": str(tmp_path),
            **{port: here for port, here in ports.items() if port != "9092"},
        }
        here = Cluster(objects("minimal"), tmp_path, replaced, processes)
        broker = int(ports["9092"])
        here.start("kafka", kafka(tmp_path, broker), dict(os.environ))
        migrate = here.container("rondo-migrate")["args"]
        migrated = here.run("rondo-migrate", java("migrate", "dev.rondo.local.Main", *migrate))
        assert migrated.returncode == 0, migrated.stderr
        create_logins(url)
        wait_until(lambda: is_listening(broker), "the broker listens", bound_s=BOUND_S)
        with running.shown("chart", lambda: {log.name: log for log in tmp_path.glob("*.log")}):
            yield here


def test_points_are_stored(cluster: Cluster) -> None:
    cluster.start("rondo-topology", java("topology", "dev.rondo.topology.Main"))
    fill = [cluster.here(each) for each in cluster.container("rondo-fill")["args"][1:]]
    cluster.start("rondo-fill", java("history", "dev.rondo.history.Main", "policies", *fill))
    configuration = str(QUERY_API / "gunicorn.conf.py")
    command = [sys.executable, "-m", "gunicorn", "-c", configuration, "rondo_query_api.app:create_app()"]
    cluster.start("rondo-api", command)
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        cluster.await_probe("rondo-topology", probe)

    versions = cluster.run("rondo-topology", java("history", "dev.rondo.history.Main", "policies", "show"))
    assert versions.returncode == 0, versions.stderr
    assert "name: default" in versions.stdout

    cluster.files("rondo-connect")
    container = cluster.container("rondo-connect")
    agents = [word for word in container["command"] if word.startswith("-javaagent:")]
    arguments = [cluster.here(each) for each in [*agents, *container["args"]]]
    cluster.start("rondo-connect", java("kafka", *arguments))
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        cluster.await_probe("rondo-api", probe)
    cluster.await_probe("rondo-connect", "readinessProbe")

    now = int(time.time())
    producer = Producer({"bootstrap.servers": cluster.here("kafka:9092")})
    for second in range(now - 120, now, 10):
        producer.produce("points", f"chart.test 7 {second}".encode())
    assert producer.flush(60) == 0
    client = ApiClient(f"http://127.0.0.1:{cluster.here('8888')}", cluster.directory / "rondo-api.log")

    def is_stored() -> bool:
        answer = client.get("/render", target="chart.test", **{"from": now - 120, "format": "json", "noCache": 1})
        return bool(
            answer.status == 200 and [value for each in answer.json for value, _ in each["datapoints"] if value]
        )

    wait_until(is_stored, "/render has a value of chart.test", bound_s=BOUND_S)
    with urlopen(f"http://127.0.0.1:{cluster.here('8084')}/metrics", timeout=60) as scraped:
        metrics = {line.split("{")[0] for line in scraped.read().decode().splitlines()}
    assert {"rondo_sink_lag_seconds", "rondo_sink_retrying_seconds", "kafka_connect_task_status"} <= metrics
