"""What /status shows: stages of the pipeline with their instances, problems, drops, policies, fills and replays."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class State(StrEnum):
    """State of a part, from best to worst."""

    OK = "ok"
    UNKNOWN = "unknown"
    WARNING = "warning"
    CRITICAL = "critical"

    @property
    def severity(self) -> int:
        """Rank, 0 is the best."""
        return list(State).index(self)


UNITS_MS = {"y": 31_536_000_000, "d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1000, "ms": 1}


def worst(states: Sequence[State]) -> State:
    """Return the worst of the states; unknown if there are none."""
    return max(states, key=lambda each: each.severity, default=State.UNKNOWN)


@dataclass(frozen=True)
class Problem:
    """What is wrong; ``docs`` is the path of the page that says what to do, in the repository."""

    state: State
    stage: str
    text: str
    docs: str


@dataclass(frozen=True)
class Instance:
    """One process, task, topic or server; None is unknown.

    ``rate`` counts the unit of the stage per second, ``lag_s`` is the age of the oldest waiting record or point,
    ``waiting`` the number of waiting records, ``errors`` are those of the last minute.
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
        """The worst of its problems; without any it is ok if it is known to be up."""
        known = State.UNKNOWN if self.up is None else State.OK
        return worst([known, *(each.state for each in self.problems)])


@dataclass(frozen=True)
class Stage:
    """A step of the pipeline; ``problems`` are those that concern more than one instance."""

    name: str
    unit: str
    instances: list[Instance]
    problems: list[Problem] = field(default_factory=list)

    @property
    def state(self) -> State:
        """The worst of its instances and problems."""
        return worst([*(each.state for each in self.instances), *(each.state for each in self.problems)])


@dataclass(frozen=True)
class DroppedSeries:
    """A series, or the position of a record, that was dropped last; ``seen`` is epoch seconds."""

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
    """A policy with its archives, the number of its series and their limit."""

    name: str
    series: float | None
    max_series: float | None
    archives: list[Archive]


@dataclass(frozen=True)
class Fill:
    """The fill of an archive: rows written, open segments, seconds since the start and since the last progress."""

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
    """An unfinished live replay or backfill: its records, those that remain to be read, and times as in ``Fill``."""

    id: str
    state: str
    records: int
    remaining: int
    age_s: float
    idle_s: float


@dataclass(frozen=True)
class Refused:
    """Points of a source that were refused because their series are new."""

    source: str
    points: float
    minute: float | None
