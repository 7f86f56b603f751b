"""Status of PostgreSQL: the newest slots, offsets of the sink, sizes, fills and replays."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..db import Database, Row
from ..errors import DatabaseUnavailableError
from .increases import Increase
from .model import Archive, Fill, Instance, Policy, Problem, Replay, Stage, State
from .rules import FILL_STUCK, POSTGRES_DOWN, REPLAY_STUCK, SINK_LAGS, lateness
from .samples import total

NAME = "postgresql"
CLOCKS_APART_S = 60.0
LONGEST_OPEN_S = 60.0
GUARANTEES = "docs/guarantees.md"


@dataclass(frozen=True)
class Report:
    """Results of the statements of /status; ``error`` is why there are none.

    ``applied`` are offsets by topic, None if unknown. ``ahead_s`` is how far its clock is ahead of this machine's.
    """

    server: Row | None = None
    ages: Sequence[Row] = ()
    fills: Sequence[Fill] = ()
    replays: Sequence[Replay] = ()
    applied: dict[str, float] | None = None
    increase: Increase = field(default_factory=Increase)
    error: str = ""
    ahead_s: float = 0.0
    part: str = NAME

    def counters(self) -> dict[str, float]:
        """Counters whose increase /status shows."""
        return self.applied or {}


@dataclass(frozen=True)
class Sizes:
    """Bytes of the database and of the table of values, and the approximate number of series."""

    database_bytes: int
    values_bytes: int
    series: int


def read(database: Database) -> Report:
    """Read everything; offsets are unknown without the right to read them, which older roles lack."""
    try:
        [(*server, now_s)] = database.rows("status_server")
        ahead_s = now_s - time.time()
        ages = database.rows("status_ages")
        fills = [Fill(*row) for row in database.rows("fills")]
        replays = [Replay(*row) for row in database.rows("replays")]
    except DatabaseUnavailableError as e:
        return Report(error=e.with_reason)
    try:
        applied: dict[str, float] | None = dict(database.rows("status_applied"))
    except DatabaseUnavailableError:
        applied = None
    return Report(tuple(server), ages, fills, replays, applied, ahead_s=ahead_s)


def stage(report: Report, address: str) -> Stage:
    """Return the server."""
    if report.server is None:
        text = f"{address}: {report.error}. Graphs show nothing; Kafka keeps the rows meanwhile"
        return Stage(NAME, "records", [Instance(address, False, problems=[POSTGRES_DOWN.problem(NAME, text)])])
    version, is_standby, *_ = report.server
    name = f"{address} (standby)" if is_standby else address
    rate = total(report.increase.rate(topic) for topic in report.applied or {})
    lags = (_lag(age, step) for _, _, step, _, age in report.ages if age is not None)
    lag = min((each for each in lags if each is not None), default=None)
    problems = [*_stuck_fills(report), *_stuck_replays(report)]
    if (state := lateness(lag)) is not State.OK:
        text = f"no slot has been stored since the next one was due {lag:.0f} s ago"
        problems.append(SINK_LAGS.problem(NAME, text, state))
    if abs(report.ahead_s) > CLOCKS_APART_S:
        apart = f"{abs(report.ahead_s):.0f} s {'ahead of' if report.ahead_s > 0 else 'behind'}"
        text = f"{address}: its clock is {apart} that of the query API, so that ages of slots are wrong by as much"
        problems.append(Problem(State.WARNING, NAME, text, GUARANTEES))
    return Stage(NAME, "records", [Instance(name, True, str(version), rate, lag, problems=problems)])


def _lag(age_s: float, step_s: float) -> float | None:
    """Time since a slot should have ended.

    An open slot was stored after it began, unless a sender's clock is ahead; a long one has no known lag.
    """
    if age_s >= 0:
        return float(max(0.0, age_s - step_s))
    return float(age_s + step_s) if -age_s < step_s <= LONGEST_OPEN_S else None


def _stuck_fills(report: Report) -> list[Problem]:
    return [
        FILL_STUCK.problem(NAME, f"the fill of {each.archive} has made no progress for {each.idle_s / 60:.0f} min")
        for each in report.fills
        if each.idle_s > FILL_STUCK.bound
    ]


def _stuck_replays(report: Report) -> list[Problem]:
    return [
        REPLAY_STUCK.problem(
            NAME, f"the replay {each.id}, which is {each.state}, has made no progress for {each.idle_s / 60:.0f} min"
        )
        for each in report.replays
        if each.state != "paused" and each.idle_s > REPLAY_STUCK.bound
    ]


def rows(report: Report, topology: Stage, sent: float | None, sink: Stage, topic: str) -> Stage:
    """Return the topic of rows: what the topology sends to it, and what waits in it for the sink."""
    is_up = True if any(each.up for each in [*topology.instances, *sink.instances]) else None
    waiting = total(each.waiting for each in sink.instances)
    names = [each for each in report.applied or {} if each.endswith("bundle-rows")]
    return Stage("rows", "rows", [Instance(names[0] if len(names) == 1 else topic, is_up, rate=sent, waiting=waiting)])


def sizes(report: Report) -> Sizes | None:
    """Sizes; None if PostgreSQL does not answer."""
    return Sizes(*report.server[2:]) if report.server else None


def policies(report: Report, of_topology: dict[str, Policy]) -> list[Policy]:
    """Policies of the topology and of the tables, with their archives."""
    found = dict(of_topology)
    for name, function, step, slots, age in report.ages:
        policy = found.get(name, Policy(name, None, None, []))
        found[name] = replace(policy, archives=[*policy.archives, Archive(function, step, slots, age)])
    return [found[name] for name in sorted(found)]
