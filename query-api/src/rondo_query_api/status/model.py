"""What /status shows: stages of the pipeline with their instances, problems, drops, policies, fills and replays."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from .samples import highest, total


class State(StrEnum):
    """How well a part is; the later ones are worse."""

    OK = "ok"
    UNKNOWN = "unknown"
    WARNING = "warning"
    CRITICAL = "critical"

    @property
    def severity(self) -> int:
        """Rank, 0 is the best."""
        return list(State).index(self)


LATE_S, VERY_LATE_S = 60.0, 300.0
UNITS_MS = {"y": 31_536_000_000, "d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1000, "ms": 1}


def lateness(lag_s: float | None) -> State:
    """Rate a lag; an unknown one is well."""
    if lag_s is None or lag_s <= LATE_S:
        return State.OK
    return State.WARNING if lag_s <= VERY_LATE_S else State.CRITICAL


def worst(states: Sequence[State]) -> State:
    """Return the worst of the states, unknown if there are none."""
    return max(states, key=lambda each: each.severity, default=State.UNKNOWN)


@dataclass(frozen=True)
class Problem:
    """Something that is wrong, and the page that tells what to do: a path in the repository."""

    state: State
    stage: str
    text: str
    docs: str


def runbook(alert: str) -> str:
    """Path of the page of an alert."""
    return f"docs/runbooks/{alert}.md"


@dataclass(frozen=True)
class Instance:
    """One process, task, topic or server. Of what is None nothing is known.

    ``rate`` counts the unit of the stage a second, ``lag_s`` is the age of the oldest that waits, ``waiting`` the
    number of records that wait, ``errors`` are those of a minute.
    """

    name: str
    up: bool | None
    version: str | None = None
    rate: float | None = None
    lag_s: float | None = None
    waiting: float | None = None
    errors: float | None = None
    problems: list[Problem] = field(default_factory=list)

    @property
    def state(self) -> State:
        """The worst of its problems; without any it is well, if it is known to be up."""
        known = State.UNKNOWN if self.up is None else State.OK
        return worst([known, *(each.state for each in self.problems)])


@dataclass(frozen=True)
class Stage:
    """A step of the pipeline; ``problems`` are those of no instance alone."""

    name: str
    unit: str
    instances: list[Instance]
    problems: list[Problem] = field(default_factory=list)

    @property
    def state(self) -> State:
        """The worst of its instances and problems."""
        return worst([*(each.state for each in self.instances), *(each.state for each in self.problems)])

    @property
    def rate(self) -> float | None:
        """Sum over its instances, of the unit a second."""
        return total(each.rate for each in self.instances)

    @property
    def lag_s(self) -> float | None:
        """Return the highest of its instances."""
        return highest(each.lag_s for each in self.instances)

    @property
    def waiting(self) -> float | None:
        """Sum over its instances, records."""
        return total(each.waiting for each in self.instances)

    @property
    def errors(self) -> float | None:
        """Sum over its instances, of a minute."""
        return total(each.errors for each in self.instances)


@dataclass(frozen=True)
class DroppedSeries:
    """What was dropped last for a reason: a series, or the place of a record; ``seen`` is epoch seconds."""

    series: str | None
    detail: str | None
    record: str | None
    points: int
    seen: float | None


@dataclass(frozen=True)
class Dropped:
    """Points that were not stored for a reason, since the start of the instances and in the last minute."""

    reason: str
    points: float
    minute: float | None
    is_dead_letter: bool
    last: list[DroppedSeries]


@dataclass(frozen=True)
class Archive:
    """One archive of a policy: ``step_s``, slots, and the age of its newest slot in seconds."""

    function: str
    step_s: int
    slots: int
    age_s: float | None


@dataclass(frozen=True)
class Policy:
    """A policy with its archives, the number of its series and how many it may have."""

    name: str
    series: float | None
    max_series: float | None
    archives: list[Archive]


@dataclass(frozen=True)
class Fill:
    """An archive that is being filled: rows written, segments that are open, seconds since the start and progress."""

    policy: str
    function: str
    step_s: float
    slots: int
    rows: int
    open_segments: int
    age_s: float
    idle_s: float

    @property
    def archive(self) -> str:
        """Its name, as in a policies file: ``app max:1h:1y``."""
        return f"{self.policy} {self.function}:{_span(self.step_s)}:{_span(self.step_s * self.slots)}"


def _span(seconds: float) -> str:
    ms = round(seconds * 1000)
    return next(f"{ms // length}{unit}" for unit, length in UNITS_MS.items() if ms % length == 0)


@dataclass(frozen=True)
class Replay:
    """A live replay or backfill that is not over: records, and those that are not read; seconds as of a fill."""

    id: str
    state: str
    records: int
    remaining: int
    age_s: float
    idle_s: float


@dataclass(frozen=True)
class Refused:
    """Points of a source whose series are new and were refused."""

    source: str
    points: float
    minute: float | None
