"""What PostgreSQL says: the newest slots, how far the sink is, sizes, fills and replays."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..db import Database, Row
from ..errors import DatabaseUnavailableError
from .increases import Increase
from .model import Archive, Fill, Instance, Policy, Problem, Replay, Stage, State, lateness, runbook
from .samples import total

NAME = "postgresql"
IDLE_FILL_S = 7200.0
IDLE_REPLAY_S = 900.0
CLOCKS_APART_S = 60.0
LONGEST_OPEN_S = 60.0
GUARANTEES = "docs/guarantees.md"


@dataclass(frozen=True)
class Told:
    """What the database says; ``silence`` is why it says nothing. ``applied`` are offsets by topic, None if unknown.

    ``ahead_s`` is how far its clock is ahead of that of this process.
    """

    server: Row | None = None
    ages: Sequence[Row] = ()
    fills: Sequence[Row] = ()
    replays: Sequence[Row] = ()
    applied: dict[str, float] | None = None
    increase: Increase = field(default_factory=Increase)
    silence: str = ""
    ahead_s: float = 0.0
    part: str = NAME

    def counters(self) -> dict[str, float]:
        """Counters of which /status shows the increase."""
        return self.applied or {}


@dataclass(frozen=True)
class Sizes:
    """Bytes of the database and of the table of values, and about how many series there are."""

    database_bytes: int
    values_bytes: int
    series: int


def read(database: Database) -> Told:
    """Read everything; the offsets only if the user may, whose role got that right later than the others."""
    try:
        [(*server, now_s)] = database.rows("status_server")
        ahead_s = now_s - time.time()
        ages, fills, replays = (database.rows(name) for name in ("status_ages", "fills", "replays"))
    except DatabaseUnavailableError as e:
        return Told(silence=e.with_reason)
    try:
        applied: dict[str, float] | None = dict(database.rows("status_applied"))
    except DatabaseUnavailableError:
        applied = None
    return Told(tuple(server), ages, fills, replays, applied, ahead_s=ahead_s)


def stage(told: Told, address: str) -> Stage:
    """Return the server."""
    if told.server is None:
        text = f"{address}: {told.silence}. Graphs show nothing; Kafka keeps the rows meanwhile"
        down = Problem(State.CRITICAL, NAME, text, runbook("RondoPostgresDown"))
        return Stage(NAME, "records", [Instance(address, False, problems=[down])])
    version, is_standby, *_ = told.server
    name = f"{address} (standby)" if is_standby else address
    rate = total(told.increase.rate(topic) for topic in told.applied or {})
    lags = (_lag(age, step) for _, _, step, _, age in told.ages if age is not None)
    lag = min((each for each in lags if each is not None), default=None)
    problems = [_stuck(fill) for fill in fills(told) if fill.idle_s > IDLE_FILL_S]
    problems += [
        _stuck_replay(each) for each in replays(told) if each.state != "paused" and each.idle_s > IDLE_REPLAY_S
    ]
    if (state := lateness(lag)) is not State.OK:
        text = f"no slot has been stored for {lag:.0f} s: the newest one is older than that, and its step"
        problems.append(Problem(state, NAME, text, runbook("RondoSinkLags")))
    if abs(told.ahead_s) > CLOCKS_APART_S:
        problems.append(_apart(told.ahead_s, address))
    return Stage(NAME, "records", [Instance(name, True, str(version), rate, lag, problems=problems)])


def _lag(age_s: float, step_s: float) -> float | None:
    """Time since a slot should have ended.

    An open slot, which ends later, was stored after its begin, if not by a sender that is ahead; a long one tells
    nothing.
    """
    if age_s >= 0:
        return float(max(0.0, age_s - step_s))
    return float(age_s + step_s) if -age_s < step_s <= LONGEST_OPEN_S else None


def _apart(ahead_s: float, address: str) -> Problem:
    apart = f"{abs(ahead_s):.0f} s {'ahead of' if ahead_s > 0 else 'behind'}"
    text = f"{address}: its clock is {apart} that of the query API, so that ages of slots are wrong by as much"
    return Problem(State.WARNING, NAME, text, GUARANTEES)


def _stuck(fill: Fill) -> Problem:
    text = f"the fill of {fill.archive} has stood still for {fill.idle_s / 60:.0f} min"
    return Problem(State.WARNING, NAME, text, runbook("RondoFillStuck"))


def _stuck_replay(replay: Replay) -> Problem:
    text = f"the replay {replay.id}, which is {replay.state}, has stood still for {replay.idle_s / 60:.0f} min"
    return Problem(State.WARNING, NAME, text, runbook("RondoReplayStuck"))


def rows(told: Told, topology: Stage, sent: float | None, sink: Stage, topic: str) -> Stage:
    """Return the topic of rows: what is sent to it, and what of it waits for the sink."""
    is_up = True if any(each.up for each in [*topology.instances, *sink.instances]) else None
    waiting = total(each.waiting for each in sink.instances)
    names = [each for each in told.applied or {} if each.endswith("bundle-rows")]
    return Stage("rows", "rows", [Instance(names[0] if len(names) == 1 else topic, is_up, rate=sent, waiting=waiting)])


def sizes(told: Told) -> Sizes | None:
    """Sizes; None without an answer."""
    return Sizes(*told.server[2:]) if told.server else None


def policies(told: Told, of_topology: dict[str, Policy]) -> list[Policy]:
    """Policies of the topology and of the tables, with their archives."""
    found = dict(of_topology)
    for name, function, step, slots, age in told.ages:
        policy = found.get(name, Policy(name, None, None, []))
        archive = Archive(function, step, slots, age)
        found[name] = Policy(name, policy.series, policy.max_series, [*policy.archives, archive])
    return [found[name] for name in sorted(found)]


def fills(told: Told) -> list[Fill]:
    """Return archives that are being filled."""
    return [Fill(*row) for row in told.fills]


def replays(told: Told) -> list[Replay]:
    """Return live replays and backfills that are not over."""
    return [Replay(*row) for row in told.replays]
