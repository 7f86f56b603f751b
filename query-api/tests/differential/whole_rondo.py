"""A whole Rondo, from Kafka to the query API, as ``./rondo up`` starts it."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import psycopg
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient
from confluent_kafka.admin._config import AlterConfigOpType, ConfigEntry, ConfigResource
from confluent_kafka.admin._resource import ResourceType

from .. import journal, running
from ..api_server import ApiClient
from ..postgres import REPOSITORY, folder
from ..waiting import wait_until
from .data import NOW, Stored

FREE_PORTS = [
    f"--{part}-port=0"
    for part in ("kafka", "postgres", "topology", "connect", "connect-metrics", "kafka-metrics", "api")
]
SOURCES = """
sources:
  - {topic: carbon, format: graphite, keyed: true}
"""
PATIENCE_S = 300
# For JVMs that run for minutes: the C2 compiler would take more than it saves.
JAVA_OPTIONS = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
# What is built stays as it is; archives of classes do not pay for a single start.
STANDING = {"RONDO_NO_BUILD": "1"}
# From the rows: the view tv asks of each slot whether its series has moved, which these never do.
KNOWN = """
select (select count(*) from ds),
       (select count(*)
        from ts
        join (select id, step_ms, size * step_ms - max(step_ms) over (partition by policy) as span_ms from rra_bundle)
          as bundle on bundle.id = rra_bundle_id
        cross join unnest(dp) as r
        where r <> 'NaN' and case when isfinite(t) then t - to_timestamp(%s)
          between (2 * step_ms - span_ms) * interval '1 ms' and step_ms * interval '1 ms' end)
"""


@dataclass(frozen=True)
class Start:
    """A Rondo that starts in the background."""

    directory: Path
    up: subprocess.Popen[bytes]

    @property
    def home(self) -> Path:
        return self.directory / "data"

    @property
    def output(self) -> Path:
        return self.directory / "up.log"

    def logs(self) -> dict[str, Path]:
        return {log.name: log for log in [self.output, *sorted((self.home / "logs").glob("*.log"))]}

    @contextmanager
    def ready(self) -> Iterator[ApiClient]:
        """Wait until it is ready; from now on, a test that fails shows its logs."""
        with running.shown("rondo", self.logs):
            with journal.starting("rondo"):
                assert self.up.wait() == 0, self.output.read_text()
            yield ApiClient(addresses(self.home)["api"], self.home / "logs" / "api.log")


@contextmanager
def begun(policies: str, **environment: str) -> Iterator[Start]:
    """Begin to start it, without series."""
    with folder() as directory:
        (directory / "policies.yaml").write_text(policies)
        (directory / "sources.yaml").write_text(SOURCES)
        files = [f"--policies={directory / 'policies.yaml'}", f"--sources={directory / 'sources.yaml'}"]
        with (directory / "up.log").open("wb") as output:
            up = subprocess.Popen(
                line(
                    directory / "data", "up", "--detach", "--no-host-metrics", "--no-own-metrics", *files, *FREE_PORTS
                ),
                env=variables(environment),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        start = Start(directory, up)
        try:
            yield start
        finally:
            up.wait()
            run_rondo(start.home, "down")


@contextmanager
def serve(policies: str, **environment: str) -> Iterator[ApiClient]:
    """Start it, without series."""
    with begun(policies, **environment) as start, start.ready() as api:
        yield api


def store(api: ApiClient, series: list[Stored]) -> None:
    """Send the points of new series to its Kafka, and wait until each is in its slot."""
    of = addresses(home(api))
    with psycopg.connect(of["postgres"], autocommit=True) as connection:
        before = _known(connection)
        wanted = (before[0] + len(series), before[1] + sum(each.known_slots() for each in series))
        _send(of["kafka"], series)
        wait_until(
            lambda: _known(connection),
            f"{wanted[0]} series with {wanted[1]} slots are known",
            lambda known: known == wanted,
            bound_s=PATIENCE_S,
            longest_pause_s=2,  # it counts all slots
        )


@cache
def addresses(home: Path) -> dict[str, str]:
    """Addresses of its parts, which do not change."""
    return dict(json.loads(run_rondo(home, "status", "--json")))


def home(api: ApiClient) -> Path:
    """Its data folder."""
    return api.log.parents[1]


def _known(connection: psycopg.Connection) -> tuple[int, int]:
    [(series, slots)] = connection.execute(KNOWN, (NOW,)).fetchall()
    return series, slots


def _send(brokers: str, series: list[Stored]) -> None:
    """Send about one record per series and hour, keyed by the series.

    Records have the times of their points, which would otherwise be too old.
    """
    configs = {"message.timestamp.type": "CreateTime", "retention.ms": "-1"}
    entries = [ConfigEntry(*each, incremental_operation=AlterConfigOpType.SET) for each in configs.items()]
    carbon = ConfigResource(ResourceType.TOPIC, "carbon", incremental_configs=entries)
    admin = AdminClient({"bootstrap.servers": brokers})
    admin.incremental_alter_configs([carbon])[carbon].result()
    producer = Producer({"bootstrap.servers": brokers, "enable.idempotence": True, "linger.ms": 50})
    for each in series:
        lines = list(each.lines())
        for first in range(0, len(lines), 360):
            value = b"\n".join(lines[first : first + 360])
            producer.produce("carbon", key=each.path, value=value, timestamp=NOW * 1000)
        producer.poll(0)
    assert producer.flush(PATIENCE_S) == 0


def run_rondo(home: Path, *command: str) -> str:
    """Run ``./rondo COMMAND`` and return its output; what is built stays as it is."""
    done = subprocess.run(line(home, *command), env=variables({}), capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout


def line(home: Path, *command: str) -> list[str]:
    return [str(REPOSITORY / "rondo"), command[0], f"--dir={home}", *command[1:]]


def variables(environment: dict[str, str]) -> dict[str, str]:
    return {"RONDO_JAVA_OPTIONS": JAVA_OPTIONS} | os.environ | STANDING | environment
