"""What Connect workers say of the sink: by their REST interface, and by their metrics."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .increases import Increase
from .model import Instance, Problem, Stage, State, lateness, runbook
from .samples import WAITING, Samples, total

NAME = "sink"
CLASS = "PostgresSinkConnector"
STATUS = "kafka_connect_task_status"
RETRYING_S = 300.0
MAX_REASON = 300
ERROR_OF_SINK = "org.apache.kafka.connect.errors.ConnectException: "


@dataclass(frozen=True)
class Worker:
    """What one worker says by REST: its connectors with their status; ``silence`` is why it says nothing."""

    address: str
    connectors: Mapping[str, Any] = field(default_factory=dict)
    version: str | None = None
    silence: str = ""


@dataclass(frozen=True)
class Metrics:
    """Metrics of one worker."""

    address: str
    samples: Samples = field(default_factory=Samples)
    increase: Increase = field(default_factory=Increase)
    silence: str = ""

    @property
    def part(self) -> str:
        """Name of its counters."""
        return f"sink {self.address}"

    def counters(self) -> dict[str, float]:
        """Counters of which /status shows the increase, by task."""
        found: dict[str, float] = {}
        for name in ("rows", "retries", "rejected_records"):
            for each in self.samples.of(f"rondo_sink_{name}_total"):
                key = f"{name} {_key(each.labels)}"
                found[key] = found.get(key, 0.0) + each.value
        return found


@dataclass(frozen=True)
class Task:
    """State of a task, such as RUNNING, and why it failed."""

    connector: str
    number: str
    state: str
    reason: str
    version: str | None


def _key(labels: Mapping[str, str]) -> str:
    return f"{labels.get('connector', '')}-{labels.get('task', '')}"


def stage(workers: Sequence[Worker], metrics: Sequence[Metrics]) -> Stage:
    """Return the workers, and the tasks of the sink's connectors."""
    tasks = [task for each in workers for task in _tasks(each)]
    shown = [_worker(each) for each in workers] or [_silent(each) for each in metrics if each.silence]
    by_metrics = [_task(each, labels, tasks) for each in metrics for labels in _labels(each.samples)]
    shown += by_metrics or [_of_rest(each) for each in tasks]
    answered = any(not each.silence for each in workers) or any(not each.silence for each in metrics)
    problems = [] if tasks or by_metrics or not answered else [_missing()]
    return Stage(NAME, "rows", shown, problems)


def _tasks(worker: Worker) -> list[Task]:
    """Tasks of the sink's connectors; answers of another shape have none."""
    found = []
    for name, each in worker.connectors.items():
        status, config = _dict(_dict(each).get("status")), _dict(_dict(_dict(each).get("info")).get("config"))
        if not str(config.get("connector.class", "")).endswith(CLASS):
            continue
        connector = _dict(status.get("connector"))
        listed = status.get("tasks")
        given = [task for task in listed if isinstance(task, dict)] if isinstance(listed, list) else []
        if connector.get("state") == "FAILED" or not given:
            given = [{"id": "", "state": connector.get("state", "UNKNOWN"), "trace": connector.get("trace")}]
        for task in given:
            version = task.get("version") or connector.get("version")
            found.append(
                Task(
                    str(name),
                    str(task.get("id", "")),
                    str(task.get("state", "")),
                    cause(str(task.get("trace") or "")),
                    str(version) if version else None,
                )
            )
    return found


def _dict(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def cause(trace: str) -> str:
    """Return the sink's own error, which has the SQLSTATE and advice, else the innermost cause of a stack trace.

    The first line is only Connect's wrapper.
    """
    causes = [line.removeprefix("Caused by: ") for line in trace.splitlines() if line.startswith("Caused by: ")]
    own = [line.removeprefix(ERROR_OF_SINK) for line in causes if line.startswith(ERROR_OF_SINK)]
    lines = own[:1] or causes[-1:] or trace.splitlines()[:1]
    return lines[0][:MAX_REASON] if lines else ""


def _labels(samples: Samples) -> list[Mapping[str, str]]:
    """Labels of each task of a sink."""
    found = {_key(each.labels): each.labels for each in samples.of("rondo_sink_rows_total")}
    sinks = {labels.get("connector") for labels in found.values()}
    failed = [each.labels for each in samples.of(STATUS, status="failed") if each.labels.get("connector") in sinks]
    found |= {_key(labels): labels for labels in failed}
    return [found[key] for key in sorted(found)]


def _worker(worker: Worker) -> Instance:
    name = f"worker {worker.address}"
    if worker.silence:
        text = f"Connect at {worker.address} does not answer: {worker.silence}. Kafka keeps the rows"
        return Instance(name, False, problems=[Problem(State.CRITICAL, NAME, text, runbook("RondoConnectDown"))])
    return Instance(name, True, f"Kafka {worker.version}" if worker.version else None)


def _silent(metrics: Metrics) -> Instance:
    text = f"Connect's metrics at {metrics.address} do not answer: {metrics.silence}. Kafka keeps the rows"
    problem = Problem(State.CRITICAL, NAME, text, runbook("RondoConnectDown"))
    return Instance(f"worker {metrics.address}", False, problems=[problem])


def _missing() -> Problem:
    text = "no Connect worker has a connector of the sink, so nothing is stored; Kafka keeps the rows"
    return Problem(State.CRITICAL, NAME, text, runbook("RondoSinkMissing"))


def _of_rest(task: Task) -> Instance:
    name = f"{task.connector}-{task.number}" if task.number else task.connector
    return Instance(name, task.state == "RUNNING", task.version, problems=_problems_of_state(name, task))


def _problems_of_state(name: str, task: Task) -> list[Problem]:
    if task.state == "RUNNING":
        return []
    state = State.WARNING if task.state in {"PAUSED", "STOPPED", "RESTARTING"} else State.CRITICAL
    reason = f": {task.reason}" if task.reason else ""
    return [Problem(state, NAME, f"{name} is {task.state}{reason}", runbook("RondoSinkTaskFailed"))]


def _task(metrics: Metrics, labels: Mapping[str, str], tasks: Sequence[Task]) -> Instance:
    of = {"connector": labels.get("connector", ""), "task": labels.get("task", "")}
    name, samples, increase = _key(labels), metrics.samples, metrics.increase
    told = next((each for each in tasks if (each.connector, each.number) == tuple(of.values())), None)
    state = next((each.labels.get("status", "") for each in samples.of(STATUS, **of) if each.value == 1), "running")
    known = told or Task(of["connector"], of["task"], state.upper(), "", None)
    waiting_s = samples.highest(WAITING, stage="stored", **of)
    return Instance(
        name,
        known.state == "RUNNING",
        known.version,
        increase.rate(f"rows {name}"),
        samples.highest("rondo_sink_lag_seconds", **of) if waiting_s is None else waiting_s,
        samples.highest("kafka_consumer_records_lag_max", **of),
        total(increase.lately(f"{each} {name}") for each in ("retries", "rejected_records")),
        [*_problems_of_state(name, known), *_lag(name, samples, of), *_refusals(name, samples, increase, of)],
    )


def _lag(name: str, samples: Samples, of: Mapping[str, str]) -> list[Problem]:
    """PostgreSQL takes no rows, or too slowly. Where nothing tells how long rows wait, the newest one is looked at."""
    retrying_s = samples.highest("rondo_sink_retrying_seconds", **of) or 0.0
    waiting_s = samples.highest(WAITING, stage="stored", **of)
    age_s = samples.highest("rondo_sink_lag_seconds", **of)
    if retrying_s:
        errors = [each.labels.get("error", "")[:MAX_REASON] for each in samples.of("rondo_sink_retry_error", **of)]
        state = State.CRITICAL if retrying_s > RETRYING_S else State.WARNING
        text = ": ".join([f"{name}: no row has been stored for {retrying_s:.0f} s, Kafka keeps them", *errors])
        return [Problem(state, NAME, text, runbook("RondoSinkRetries"))]
    if (state := lateness(waiting_s)) is not State.OK:
        return [Problem(state, NAME, f"{name}: rows have waited {waiting_s:.0f} s", runbook("RondoSinkLags"))]
    if waiting_s is None and lateness(age_s) is not State.OK:
        text = f"{name}: the newest slot stored ended {age_s:.0f} s ago"
        return [Problem(State.WARNING, NAME, text, runbook("RondoSinkLags"))]
    return []


def _refusals(name: str, samples: Samples, increase: Increase, of: Mapping[str, str]) -> list[Problem]:
    problems = []
    if increase.lately(f"rejected_records {name}"):
        text = f"{name}: PostgreSQL refuses records, which become dead letters"
        problems.append(Problem(State.WARNING, NAME, text, runbook("RondoSinkRejects")))
    if samples.sum("rondo_sink_lost_records_total", **of):
        text = f"{name}: Kafka had deleted records, or compacted them away, before they were stored"
        problems.append(Problem(State.CRITICAL, NAME, text, runbook("RondoSinkLostRecords")))
    return problems
