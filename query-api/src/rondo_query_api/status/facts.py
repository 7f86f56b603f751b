"""All that /status shows, from the reports of the parts."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any

from .. import __version__
from . import database, sink, topology
from .increases import WINDOW_S
from .model import Dropped, Fill, Instance, Policy, Problem, Refused, Replay, Stage, State, worst
from .samples import highest, total

Shown = dict[str, Any]


@dataclass(frozen=True)
class Reports:
    """Reports of all parts at ``at``, epoch seconds."""

    at: float
    brokers: Sequence[Instance]
    topology: Sequence[topology.Report]
    workers: Sequence[sink.WorkerReport]
    metrics: Sequence[sink.MetricsReport]
    database: database.Report
    api: Stage


@dataclass(frozen=True)
class Names:
    """Names of the database and of the topic of rows, and settings of parts that are ``missing``."""

    database: str
    rows: str
    missing: Sequence[str]


@dataclass(frozen=True)
class Facts:
    """What /status shows; problems are sorted, the worst first, then those earlier in the pipeline."""

    at: float
    missing: Sequence[str]
    stages: list[Stage]
    problems: list[Problem]
    drops: list[Dropped]
    refused: list[Refused]
    policies: list[Policy]
    policies_version: float | None
    fills: Sequence[Fill]
    replays: Sequence[Replay]
    sizes: database.Sizes | None

    @property
    def state(self) -> State:
        """The worst state of the problems; ok without problems."""
        return worst([State.OK, *(each.state for each in self.problems)])

    def shown(self) -> Shown:
        """Return the JSON of the endpoint."""
        stages = [_stage(each) for each in self.stages]
        return {**vars(self), "version": __version__, "state": self.state, "window_s": WINDOW_S, "stages": stages}


def facts(reports: Reports, names: Names) -> Facts:
    """Judge the reports."""
    of_topology, of_sink = topology.stage(reports.topology), sink.stage(reports.workers, reports.metrics)
    drops = topology.dropped(reports.topology)
    policies = database.policies(reports.database, topology.policies(reports.topology))
    rows_sent = topology.rows_sent(reports.topology)
    stages = [
        topology.sources(reports.topology, reports.brokers),
        of_topology,
        database.rows(reports.database, of_topology, rows_sent, of_sink, names.rows),
        of_sink,
        database.stage(reports.database, names.database),
        reports.api,
    ]
    problems = [
        problem for stage in stages for problem in chain(*(each.problems for each in stage.instances), stage.problems)
    ]
    problems += topology.problems_of_drops(drops) + topology.problems_of_policies(policies)
    return Facts(
        reports.at,
        names.missing,
        stages,
        sorted(problems, key=lambda each: -each.state.severity),
        drops,
        topology.refused(reports.topology),
        policies,
        topology.version_of_policies(reports.topology),
        reports.database.fills,
        reports.database.replays,
        database.sizes(reports.database),
    )


def _stage(stage: Stage) -> Mapping[str, Any]:
    return {
        "stage": stage.name,
        "state": stage.state,
        "unit": stage.unit,
        "rate": total(each.rate for each in stage.instances),
        "lag_s": highest(each.lag_s for each in stage.instances),
        "waiting": total(each.waiting for each in stage.instances),
        "errors": total(each.errors for each in stage.instances),
        "instances": [{"state": each.state, **asdict(each)} for each in stage.instances],
    }
