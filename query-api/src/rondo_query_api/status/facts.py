"""All that /status shows, put together from what the parts say."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from .. import __version__
from . import database, sink, topology
from .increases import WINDOW_S
from .model import Dropped, Fill, Instance, Policy, Problem, Refused, Replay, Stage, State, worst

Shown = dict[str, Any]


@dataclass(frozen=True)
class Told:
    """What all parts say, at ``at``, epoch seconds."""

    at: float
    brokers: Sequence[Instance]
    topology: Sequence[topology.Told]
    workers: Sequence[sink.Worker]
    metrics: Sequence[sink.Metrics]
    database: database.Told
    api: Stage


@dataclass(frozen=True)
class Names:
    """What the settings name: the database, the topic of rows, and settings of parts that are ``missing``."""

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
    fills: list[Fill]
    replays: list[Replay]
    sizes: database.Sizes | None

    @property
    def state(self) -> State:
        """The worst problem; without any, well if the newest slot is known to be in time."""
        return worst([State.OK, *(each.state for each in self.problems)])

    def shown(self) -> Shown:
        """Return what the endpoint answers as JSON."""
        plain = {name: value for name, value in vars(self).items() if name not in ("stages", "at")}
        return {
            "at": self.at,
            "version": __version__,
            "state": self.state,
            "window_s": WINDOW_S,
            "stages": [_stage(each) for each in self.stages],
            **plain,
        }


def facts(told: Told, names: Names) -> Facts:
    """Put everything together."""
    of_topology, of_sink = topology.stage(told.topology), sink.stage(told.workers, told.metrics)
    drops = topology.dropped(told.topology)
    policies = database.policies(told.database, topology.policies(told.topology))
    rows_sent = topology.rows_sent(told.topology)
    stages = [
        topology.sources(told.topology, told.brokers),
        of_topology,
        database.rows(told.database, of_topology, rows_sent, of_sink, names.rows),
        of_sink,
        database.stage(told.database, names.database),
        told.api,
    ]
    problems = [problem for stage in stages for problem in [*_of_instances(stage), *stage.problems]]
    problems += topology.problems_of_drops(drops) + topology.problems_of_policies(policies)
    return Facts(
        told.at,
        names.missing,
        stages,
        sorted(problems, key=lambda each: -each.state.severity),
        drops,
        topology.refused(told.topology),
        policies,
        topology.version_of_policies(told.topology),
        database.fills(told.database),
        database.replays(told.database),
        database.sizes(told.database),
    )


def _of_instances(stage: Stage) -> list[Problem]:
    return [problem for instance in stage.instances for problem in instance.problems]


def _stage(stage: Stage) -> Mapping[str, Any]:
    return {
        "stage": stage.name,
        "state": stage.state,
        "unit": stage.unit,
        "rate": stage.rate,
        "lag_s": stage.lag_s,
        "waiting": stage.waiting,
        "errors": stage.errors,
        "instances": [{"state": each.state, **asdict(each)} for each in stage.instances],
    }
