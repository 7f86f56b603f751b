"""Status of the sink, by the REST interface and the metrics of Connect workers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import rules
from .increases import Increase
from .model import Instance, Problem, Stage, State
from .rules import Rule, lateness
from .samples import Samples, total

NAME = "sink"
CLASS = "PostgresSinkConnector"
STATUS = rules.SINK_TASK_FAILED.metric
LAG, WAITING = rules.SINK_LAGS.metric, rules.POINTS_WAIT.metric
MAX_REASON = 300
ERROR_OF_SINK = "org.apache.kafka.connect.errors.ConnectException: "


@dataclass(frozen=True)
class WorkerReport:
    """Connectors of one worker with their status, by REST; ``error`` is why there is no report."""

    address: str
    connectors: Mapping[str, Any] = field(default_factory=dict)
    version: str | None = None
    error: str = ""


@dataclass(frozen=True)
class MetricsReport:
    """Metrics of one worker; ``error`` is why there is no report."""

    address: str
    samples: Samples = field(default_factory=Samples)
    increase: Increase = field(default_factory=Increase)
    error: str = ""

    @property
    def part(self) -> str:
        """Name of its counters."""
        return f"sink {self.address}"

    def counters(self) -> dict[str, float]:
        """Counters whose increase /status shows, by task."""
        found: dict[str, float] = {}
        for name in ("rows", "retries", "rejected_records"):
            for each in self.samples.of(f"rondo_sink_{name}_total"):
                key = f"{name} {_key(each.labels)}"
                found[key] = found.get(key, 0.0) + each.value
        return found


@dataclass(frozen=True)
class Task:
    """State of a task, such as RUNNING, and the reason of its failure."""

    connector: str
    number: str
    state: str
    reason: str
    version: str | None


def _key(labels: Mapping[str, str]) -> str:
    return f"{labels.get('connector', '')}-{labels.get('task', '')}"


def stage(workers: Sequence[WorkerReport], metrics: Sequence[MetricsReport]) -> Stage:
    """Return the workers, and the tasks of the sink's connectors."""
    tasks = [task for each in workers for task in _tasks(each)]
    down = rules.CONNECT_DOWN if all(each.error for each in workers or metrics) else rules.INSTANCE_DOWN
    shown = [_worker(each, down) for each in workers] or [_unanswered(each, down) for each in metrics if each.error]
    by_metrics = [_task(each, labels, tasks) for each in metrics for labels in _labels(each.samples)]
    shown += by_metrics or [_by_rest(each) for each in tasks]
    answered = any(not each.error for each in workers) or any(not each.error for each in metrics)
    problems = []
    if answered and not tasks and not by_metrics:
        text = "no Connect worker has a connector of the sink, so nothing is stored; Kafka keeps the rows"
        problems.append(rules.SINK_MISSING.problem(NAME, text))
    return Stage(NAME, "rows", shown, problems)


def _tasks(worker: WorkerReport) -> list[Task]:
    """Tasks of the sink's connectors; a report of another format has none."""
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


def _worker(worker: WorkerReport, down: Rule) -> Instance:
    name = f"worker {worker.address}"
    if worker.error:
        text = f"Connect at {worker.address} does not answer: {worker.error}. Kafka keeps the rows"
        return Instance(name, False, problems=[down.problem(NAME, text)])
    return Instance(name, True, f"Kafka {worker.version}" if worker.version else None)


def _unanswered(metrics: MetricsReport, down: Rule) -> Instance:
    text = f"Connect's metrics at {metrics.address} do not answer: {metrics.error}. Kafka keeps the rows"
    return Instance(f"worker {metrics.address}", False, problems=[down.problem(NAME, text)])


def _by_rest(task: Task) -> Instance:
    name = f"{task.connector}-{task.number}" if task.number else task.connector
    return Instance(name, task.state == "RUNNING", task.version, problems=_problems_of_state(name, task))


def _problems_of_state(name: str, task: Task) -> list[Problem]:
    if task.state == "RUNNING":
        return []
    state = State.WARNING if task.state in {"PAUSED", "STOPPED", "RESTARTING"} else State.CRITICAL
    reason = f": {task.reason}" if task.reason else ""
    return [rules.SINK_TASK_FAILED.problem(NAME, f"{name} is {task.state}{reason}", state)]


def _task(metrics: MetricsReport, labels: Mapping[str, str], tasks: Sequence[Task]) -> Instance:
    of = {"connector": labels.get("connector", ""), "task": labels.get("task", "")}
    name, samples, increase = _key(labels), metrics.samples, metrics.increase
    listed = next((each for each in tasks if (each.connector, each.number) == tuple(of.values())), None)
    state = next((each.labels.get("status", "") for each in samples.of(STATUS, **of) if each.value == 1), "running")
    known = listed or Task(of["connector"], of["task"], state.upper(), "", None)
    waiting_s = samples.highest(WAITING, stage="stored", **of)
    return Instance(
        name,
        known.state == "RUNNING",
        known.version,
        increase.rate(f"rows {name}"),
        samples.highest(LAG, **of) if waiting_s is None else waiting_s,
        samples.highest("kafka_consumer_records_lag_max", **of),
        total(increase.last_minute(f"{each} {name}") for each in ("retries", "rejected_records")),
        [*_problems_of_state(name, known), *_lag(name, samples, of), *_refusals(name, samples, increase, of)],
    )


def _lag(name: str, samples: Samples, of: Mapping[str, str]) -> list[Problem]:
    """Judge retries and the time that rows wait; if that is unknown, the age of the newest stored slot."""
    retrying_s = samples.highest(rules.SINK_RETRIES.metric, **of) or 0.0
    waiting_s = samples.highest(WAITING, stage="stored", **of)
    age_s = samples.highest(LAG, **of)
    if retrying_s:
        errors = [each.labels.get("error", "")[:MAX_REASON] for each in samples.of("rondo_sink_retry_error", **of)]
        state = State.CRITICAL if retrying_s > rules.SINK_RETRIES.bound else State.WARNING
        text = ": ".join([f"{name}: no row has been stored for {retrying_s:.0f} s, Kafka keeps them", *errors])
        return [rules.SINK_RETRIES.problem(NAME, text, state)]
    if (state := lateness(waiting_s)) is not State.OK:
        return [rules.SINK_LAGS.problem(NAME, f"{name}: rows have waited {waiting_s:.0f} s", state)]
    if waiting_s is None and lateness(age_s) is not State.OK:
        return [rules.SINK_LAGS.problem(NAME, f"{name}: the newest slot stored ended {age_s:.0f} s ago")]
    return []


def _refusals(name: str, samples: Samples, increase: Increase, of: Mapping[str, str]) -> list[Problem]:
    problems = []
    if increase.last_minute(f"rejected_records {name}"):
        text = f"{name}: PostgreSQL refuses records, which become dead letters"
        problems.append(rules.SINK_REJECTS.problem(NAME, text))
    if samples.sum(rules.SINK_LOST_RECORDS.metric, **of):
        text = f"{name}: Kafka had deleted records, or compacted them away, before they were stored"
        problems.append(rules.SINK_LOST_RECORDS.problem(NAME, text))
    return problems
