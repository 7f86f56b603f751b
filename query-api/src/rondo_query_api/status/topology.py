"""What instances of the topology say: sources, points, drops, policies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .increases import Increase
from .model import LATE_S, Dropped, DroppedSeries, Instance, Policy, Problem, Refused, Stage, State, lateness, runbook
from .samples import WAITING, Samples, highest, total

NAME = "topology"
SOURCES = "sources"
# Reasons whose bytes are kept in the topic of dead letters.
DEAD_LETTERS = {
    *("unreadable", "unsupported", "decoder-failed", "record-over-limit", "unknown-id", "unknown-schema"),
    *("name-too-long", "too-many-tags", "not-a-number", "too-far-in-the-future", "too-old"),
}
REFUSALS = {"too-many-series", "too-many-segments", "no-memory", "too-many-new-series"}
# Reasons that somebody has asked for.
WANTED = {"policy-drops", "deleted"}
STAGES = ("decoded", "received", "merged", "sent")
NEAR_MAX = 0.8
MAX_LAST = 10
MAX_TEXT = 300

POINTS = "rondo_lag_seconds_count"
READ = "rondo_sources_partitions"
BEHIND = "rondo_decode_behind_points_total"
AWAITED = "rondo_merge_awaited_seconds"
DROPS = "rondo_drops_points_total"
ASIDE = "rondo_sources_set_aside"
WHY = "docs/how-to/why.md"
LOSSES = ("rondo_sources_lost_records_total", "rondo_sources_replaced_total")


@dataclass(frozen=True)
class Told:
    """What one instance says; ``silence`` is why it says nothing, ``not_ready`` why it processes no points."""

    address: str
    samples: Samples = field(default_factory=Samples)
    increase: Increase = field(default_factory=Increase)
    drops: Mapping[str, Any] = field(default_factory=dict)
    not_ready: str = ""
    silence: str = ""

    @property
    def name(self) -> str:
        """Its id and address."""
        id_ = next((each.labels.get("instance_id") for each in self.samples.of("rondo_topology_info")), None)
        return f"{id_} ({self.address})" if id_ else self.address

    @property
    def part(self) -> str:
        """Name of its counters."""
        return f"topology {self.address}"

    def counters(self) -> dict[str, float]:
        """Counters of which /status shows the increase."""
        found = {
            name: value
            for name in ("rondo_decode_points_total", "rondo_rows_sent_total")
            if (value := self.samples.sum(name)) is not None
        }
        found |= {f"drop {reason}": value for reason, value in self.samples.sums(DROPS, "reason").items()}
        found |= {
            f"source {topic}": value for topic, value in self.samples.sums(POINTS, "source", stage="decoded").items()
        }
        found |= {f"behind {topic}": value for topic, value in self.samples.sums(BEHIND, "source").items()}
        refused = self.samples.sums("rondo_consolidate_refused_by_source_total", "source")
        return found | {f"refused {topic}": value for topic, value in refused.items()}


def stage(told: Sequence[Told]) -> Stage:
    """Return the instances."""
    return Stage(NAME, "points", [_instance(each) for each in told], _of_all(told))


def _instance(told: Told) -> Instance:
    if told.silence:
        text = f"instance {told.address} does not answer: {told.silence}. Points wait in Kafka until one takes them"
        return Instance(told.name, False, problems=[Problem(State.CRITICAL, NAME, text, runbook("RondoTopologyDown"))])
    info = next(iter(told.samples.of("rondo_topology_info")), None)
    lag, stage_of_lag = max((told.samples.highest(WAITING, stage=each) or 0.0, each) for each in STAGES)
    drops = [told.increase.lately(f"drop {each}") for each in told.samples.sums(DROPS, "reason") if each not in WANTED]
    problems = []
    if told.not_ready:
        text = f"{told.name} processes no points: {told.not_ready}"
        problems.append(Problem(State.CRITICAL, NAME, text, runbook("RondoTopologyDown")))
    if lateness(lag) is not State.OK:
        problems.append(_late(told, lag, stage_of_lag))
    points, most = (told.samples.sum(f"rondo_saturation_{each}points_per_second") for each in ("", "max_"))
    if points and most and points > NEAR_MAX * most:
        text = f"{told.name} processes {points:.0f} of at most about {most:.0f} points a second"
        if points >= most:
            text = (
                f"{told.name} processes {points:.0f} points a second; the machine or a thread has no CPU left for more"
            )
        problems.append(Problem(State.WARNING, NAME, text, runbook("RondoTopologyNearlySaturated")))
    return Instance(
        told.name,
        True,
        info.labels.get("version") if info else None,
        told.increase.rate("rondo_decode_points_total"),
        lag if told.samples.of(WAITING) else None,
        told.samples.sum("rondo_merge_buffered_points"),
        total(drops),
        problems,
    )


def _late(told: Told, lag: float, stage_of_lag: str) -> Problem:
    awaited = max(told.samples.of(AWAITED), key=lambda each: each.value, default=None)
    if stage_of_lag == "merged" and awaited and awaited.value > LATE_S:
        source = f"{awaited.labels.get('source')}-{awaited.labels.get('partition', '?')}"
        text = f"{told.name}: points wait {lag:.0f} s in the merge for partition {source}, which is silent or slow"
        return Problem(lateness(lag), NAME, text, runbook("RondoMergeWaits"))
    text = f"{told.name}: the oldest point has waited {lag:.0f} s to be {stage_of_lag}"
    return Problem(lateness(lag), NAME, text, runbook("RondoPointsWait"))


def _of_all(told: Sequence[Told]) -> list[Problem]:
    problems = []
    versions = {each.value for one in told for each in one.samples.of("rondo_consolidate_policy_version")}
    if len(versions) > 1:
        text = f"tasks have different versions of the policies: {min(versions):.0f} to {max(versions):.0f}"
        problems.append(Problem(State.WARNING, NAME, text, runbook("RondoPolicyVersionsDiffer")))
    if unassigned := highest(each.samples.highest("rondo_sources_unassigned_partitions") for each in told):
        text = f"{unassigned:.0f} source partitions are assigned to no instance"
        problems.append(Problem(State.WARNING, NAME, text, runbook("RondoPartitionsUnassigned")))
    return problems


def version_of_policies(told: Sequence[Told]) -> float | None:
    """Return the newest version of the policies that a task has taken."""
    return highest(each.samples.highest("rondo_consolidate_policy_version") for each in told)


def rows_sent(told: Sequence[Told]) -> float | None:
    """Rows a second that are sent to the topic of rows."""
    return total(each.increase.rate("rondo_rows_sent_total") for each in told)


def sources(told: Sequence[Told], brokers: Sequence[Instance]) -> Stage:
    """Source topics, after the brokers. Without metrics of lag, records of Kafka's consumers stand for points."""
    counted = {topic for each in told for topic in each.samples.sums(POINTS, "source", stage="decoded")}
    made = {topic for each in told for topic in each.samples.sums("rondo_consolidate_series_by_source", "source")}
    lossy = {topic for each in told for name in LOSSES for topic, n in each.samples.sums(name, "source").items() if n}
    aside = {each.labels.get("source", ""): each.labels.get("reason", "") for t in told for each in t.samples.of(ASIDE)}
    read = {topic: n for each in told for topic, n in each.samples.sums(READ, "source").items()}
    shown = [*brokers]
    for topic in sorted((counted | made | lossy | aside.keys() | read.keys()) - {""}):
        if topic in aside:
            shown.append(_set_aside(topic, aside[topic]))
        elif read.get(topic) == 0:
            shown.append(Instance(f"{topic}: no topic matches yet", True))
        elif read and topic not in read and not topic.startswith("("):
            shown.append(Instance(f"{topic}: gone, or no longer a source", False))
        else:
            shown.append(_source(told, topic))
    return Stage(SOURCES, "points" if counted else "records", shown)


def _set_aside(topic: str, reason: str) -> Instance:
    text = f"source {topic} is set aside: {reason}"[:MAX_TEXT]
    return Instance(topic, False, problems=[Problem(State.CRITICAL, SOURCES, text, runbook("RondoSourceSetAside"))])


def _source(told: Sequence[Told], topic: str) -> Instance:
    rate = total(each.increase.rate(f"source {topic}") for each in told)
    if rate is None:
        consumed = "kafka_consumer_fetch_manager_records_consumed_rate"
        rate = total(each.samples.sum(consumed, topic=topic) for each in told)
    lag = highest(each.samples.highest(WAITING, stage="fetched", source=topic) for each in told)
    waiting = total(each.samples.sum("kafka_consumer_fetch_manager_records_lag", topic=topic) for each in told)
    problems = []
    if lost := total(each.samples.sum(LOSSES[0], source=topic) for each in told):
        text = f"Kafka had deleted up to {lost:.0f} records of {topic} before the topology read them"
        problems.append(Problem(State.CRITICAL, SOURCES, text, runbook("RondoSourceLostRecords")))
    if total(each.samples.sum(LOSSES[1], source=topic) for each in told):
        text = f"the log of {topic} was replaced: what the former one had unread is lost, the new one is read entirely"
        problems.append(Problem(State.CRITICAL, SOURCES, text, runbook("RondoSourceLostRecords")))
    if (state := lateness(lag)) is not State.OK:
        text = f"points of {topic} wait {lag:.0f} s in Kafka until the topology reads them"
        problems.append(Problem(state, SOURCES, text, runbook("RondoPointsWait")))
    if behind := total(each.increase.lately(f"behind {topic}") for each in told):
        text = (
            f"{behind:.0f} points of source {topic} are far older than their records: the clock of a sender is behind"
        )
        problems.append(Problem(State.WARNING, SOURCES, text, WHY))
    return Instance(topic, True, rate=rate, lag_s=lag, waiting=waiting, problems=problems)


def dropped(told: Sequence[Told]) -> list[Dropped]:
    """Reasons for which points were dropped, those of the last minute first."""
    points: dict[str, float] = {}
    for each in told:
        for reason, value in each.samples.sums(DROPS, "reason").items():
            points[reason] = points.get(reason, 0.0) + value
    found = [
        Dropped(
            reason,
            value,
            total(each.increase.lately(f"drop {reason}") for each in told),
            reason in DEAD_LETTERS,
            _last(told, reason),
        )
        for reason, value in points.items()
        if value
    ]
    return sorted(found, key=lambda each: (-(each.minute or 0), -each.points, each.reason))


def _last(told: Sequence[Told], reason: str) -> list[DroppedSeries]:
    """Series that were dropped last; the instances are other programs: what has another shape is left out."""
    listed = [each.drops.get(reason) for each in told]
    every = [entry for each in listed if isinstance(each, dict) for entry in _list(each.get("series"))]
    found = [_series(entry) for entry in every if isinstance(entry, dict)]
    return sorted(found, key=lambda each: -(each.seen or 0))[:MAX_LAST]


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _series(entry: Mapping[str, Any]) -> DroppedSeries:
    place = [entry.get(key) for key in ("topic", "partition", "offset")]
    seen, points = entry.get("seen_ms"), entry.get("points")
    return DroppedSeries(
        _text(entry.get("ident")),
        _text(entry.get("detail")),
        None if None in place else _text("{}-{} offset {}".format(*place)),
        points if isinstance(points, int) else 0,
        seen / 1000 if isinstance(seen, int | float) else None,
    )


def _text(value: object) -> str | None:
    if not isinstance(value, str):
        return None
    return value if len(value) <= MAX_TEXT else f"{value[:MAX_TEXT]}…"


def problems_of_drops(drops: Sequence[Dropped]) -> list[Problem]:
    """Return new series that are refused, and dead letters, of the last minute."""
    problems = []
    if refused := [each for each in drops if each.reason in REFUSALS and each.minute]:
        text = f"points of new series are refused: {', '.join(each.reason for each in refused)}"
        problems.append(Problem(State.WARNING, NAME, text, runbook("RondoNewSeriesRefused")))
    if letters := [each for each in drops if each.is_dead_letter and each.minute]:
        text = f"points cannot be stored and become dead letters: {', '.join(each.reason for each in letters)}"
        problems.append(Problem(State.WARNING, NAME, text, runbook("RondoDeadLettersGrow")))
    return problems


def refused(told: Sequence[Told]) -> list[Refused]:
    """Return sources whose new series were refused."""
    found: dict[str, float] = {}
    for each in told:
        for topic, points in each.samples.sums("rondo_consolidate_refused_by_source_total", "source").items():
            found[topic] = found.get(topic, 0.0) + points
    return [
        Refused(topic, points, total(each.increase.lately(f"refused {topic}") for each in told))
        for topic, points in sorted(found.items())
        if points
    ]


def policies(told: Sequence[Told]) -> dict[str, Policy]:
    """Policies that have series, without their archives."""
    found: dict[str, Policy] = {}
    for name in sorted({topic for each in told for topic in each.samples.sums("rondo_consolidate_series", "policy")}):
        series = total(each.samples.sum("rondo_consolidate_series", policy=name) for each in told)
        most = total(each.samples.sum("rondo_consolidate_max_series", policy=name) for each in told)
        found[name] = Policy(name, series, most, [])
    return found


def problems_of_policies(found: Sequence[Policy]) -> list[Problem]:
    """Policies that have nearly as many series as they may."""
    return [
        Problem(
            State.WARNING,
            NAME,
            f"policy {each.name} has {each.series:.0f} of {each.max_series:.0f} series (max.series)",
            runbook("RondoPolicyNearMaxSeries"),
        )
        for each in found
        if each.series and each.max_series and each.series > NEAR_MAX * each.max_series
    ]
