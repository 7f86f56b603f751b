"""Status of the topology by the reports of its instances: sources, points, drops, policies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import rules
from .increases import Increase
from .model import Dropped, DroppedSeries, Instance, Policy, Problem, Refused, Stage, State
from .rules import Rule, lateness
from .samples import Samples, highest, total

NAME = "topology"
SOURCES = "sources"
# Reasons whose records are in the topic of dead letters.
DEAD_LETTERS = {*rules.DEAD_LETTERS_GROW.reasons, "too-far-in-the-future"}
# Reasons of points that a policy or a request drops on purpose.
REQUESTED = {"policy-drops", "deleted"}
STAGES = ("decoded", "received", "merged", "sent")
MAX_LAST = 10
MAX_TEXT = 300

WAITING = rules.POINTS_WAIT.metric  # absent in earlier versions
POINTS = "rondo_lag_seconds_count"
READ = "rondo_sources_partitions"
REFUSED = "rondo_consolidate_refused_by_source_total"
BEHIND = "rondo_decode_behind_points_total"
VERSION = rules.POLICY_VERSIONS_DIFFER.metric
LOSSES = (rules.SOURCE_LOST_RECORDS.metric, rules.SOURCE_REPLACED.metric)
WHY = "docs/how-to/why.md"


@dataclass(frozen=True)
class Report:
    """Report of one instance; ``error`` is why there is none, ``not_ready`` why the instance processes no points."""

    address: str
    samples: Samples = field(default_factory=Samples)
    increase: Increase = field(default_factory=Increase)
    drops: Mapping[str, Any] = field(default_factory=dict)
    not_ready: str = ""
    error: str = ""

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
        """Counters whose increase /status shows."""
        found = {
            name: value
            for name in ("rondo_decode_points_total", "rondo_rows_sent_total")
            if (value := self.samples.sum(name)) is not None
        }
        found |= {f"drop {reason}": value for reason, value in self.samples.sums(rules.DROPS, "reason").items()}
        found |= {
            f"source {topic}": value for topic, value in self.samples.sums(POINTS, "source", stage="decoded").items()
        }
        found |= {f"behind {topic}": value for topic, value in self.samples.sums(BEHIND, "source").items()}
        return found | {f"refused {topic}": value for topic, value in self.samples.sums(REFUSED, "source").items()}


def stage(reports: Sequence[Report]) -> Stage:
    """Return the instances."""
    down = rules.TOPOLOGY_DOWN if all(each.error for each in reports) else rules.INSTANCE_DOWN
    return Stage(NAME, "points", [_instance(each, down) for each in reports], _of_all(reports))


def _instance(report: Report, down: Rule) -> Instance:
    if report.error:
        text = f"instance {report.address} does not answer: {report.error}. Its points wait in Kafka"
        return Instance(report.name, False, problems=[down.problem(NAME, text)])
    samples, increase = report.samples, report.increase
    info = next(iter(samples.of("rondo_topology_info")), None)
    lag, stage_of_lag = max((samples.highest(WAITING, stage=each) or 0.0, each) for each in STAGES)
    dropped = [reason for reason in samples.sums(rules.DROPS, "reason") if reason not in REQUESTED]
    problems = []
    if report.not_ready:
        text = f"{report.name} processes no points: {report.not_ready}"
        problems.append(rules.TOPOLOGY_DOWN.problem(NAME, text))
    if lateness(lag) is not State.OK:
        problems.append(_late(report, lag, stage_of_lag))
    saturation = rules.NEARLY_SATURATED
    points, most = samples.sum(saturation.metric), samples.sum(saturation.share_of)
    if points and most and points > saturation.bound * most:
        text = f"{report.name} processes {points:.0f} of at most about {most:.0f} points a second"
        if points >= most:
            text = f"{report.name} processes {points:.0f} points a second; its machine or a thread has no CPU left"
        problems.append(saturation.problem(NAME, text))
    return Instance(
        report.name,
        True,
        info.labels.get("version") if info else None,
        increase.rate("rondo_decode_points_total"),
        lag if samples.of(WAITING) else None,
        samples.sum("rondo_merge_buffered_points"),
        total(increase.last_minute(f"drop {reason}") for reason in dropped),
        problems,
    )


def _late(report: Report, lag: float, stage_of_lag: str) -> Problem:
    awaited = max(report.samples.of(rules.MERGE_WAITS.metric), key=lambda each: each.value, default=None)
    if stage_of_lag == "merged" and awaited and awaited.value > rules.MERGE_WAITS.bound:
        source = f"{awaited.labels.get('source')}-{awaited.labels.get('partition', '?')}"
        text = f"{report.name}: points wait {lag:.0f} s in the merge for partition {source}, which is silent or slow"
        return rules.MERGE_WAITS.problem(NAME, text, lateness(lag))
    text = f"{report.name}: the oldest point has waited {lag:.0f} s to be {stage_of_lag}"
    return rules.POINTS_WAIT.problem(NAME, text, lateness(lag))


def _of_all(reports: Sequence[Report]) -> list[Problem]:
    problems = []
    versions = {each.value for report in reports for each in report.samples.of(VERSION)}
    if len(versions) > 1:
        text = f"tasks have different versions of the policies: {min(versions):.0f} to {max(versions):.0f}"
        problems.append(rules.POLICY_VERSIONS_DIFFER.problem(NAME, text))
    unassigned = highest(report.samples.highest(rules.PARTITIONS_UNASSIGNED.metric) for report in reports)
    if unassigned:
        text = f"{unassigned:.0f} source partitions are assigned to no instance"
        # A rebalance leaves new partitions unassigned for seconds; the alert fires after minutes.
        problems.append(rules.PARTITIONS_UNASSIGNED.problem(NAME, text, State.WARNING))
    return problems


def version_of_policies(reports: Sequence[Report]) -> float | None:
    """Return the newest version of the policies that a task has taken."""
    return highest(each.samples.highest(VERSION) for each in reports)


def rows_sent(reports: Sequence[Report]) -> float | None:
    """Rows per second that are sent to the topic of rows."""
    return total(each.increase.rate("rondo_rows_sent_total") for each in reports)


def sources(reports: Sequence[Report], brokers: Sequence[Instance]) -> Stage:
    """Brokers and source topics. Without metrics of lag, rates are those of Kafka's consumers, in records."""
    counted = {topic for each in reports for topic in each.samples.sums(POINTS, "source", stage="decoded")}
    of_series = {
        topic for each in reports for topic in each.samples.sums("rondo_consolidate_series_by_source", "source")
    }
    lossy = {
        topic for each in reports for name in LOSSES for topic, n in each.samples.sums(name, "source").items() if n
    }
    set_aside = [each.labels for report in reports for each in report.samples.of(rules.SOURCE_SET_ASIDE.metric)]
    aside = {labels.get("source", ""): labels.get("reason", "") for labels in set_aside}
    read = {topic: n for each in reports for topic, n in each.samples.sums(READ, "source").items()}
    shown = [*brokers]
    for topic in sorted((counted | of_series | lossy | aside.keys() | read.keys()) - {""}):
        if topic in aside:
            shown.append(_set_aside(topic, aside[topic]))
        elif read.get(topic) == 0:
            shown.append(Instance(f"{topic}: no topic matches yet", True))
        elif read and topic not in read and not topic.startswith("("):
            shown.append(Instance(f"{topic}: gone, or no longer a source", False))
        else:
            shown.append(_source(reports, topic))
    return Stage(SOURCES, "points" if counted else "records", shown)


def _set_aside(topic: str, reason: str) -> Instance:
    text = f"source {topic} is set aside: {reason}"[:MAX_TEXT]
    return Instance(topic, False, problems=[rules.SOURCE_SET_ASIDE.problem(SOURCES, text)])


def _source(reports: Sequence[Report], topic: str) -> Instance:
    rate = total(each.increase.rate(f"source {topic}") for each in reports)
    if rate is None:
        consumed = "kafka_consumer_fetch_manager_records_consumed_rate"
        rate = total(each.samples.sum(consumed, topic=topic) for each in reports)
    lag = highest(each.samples.highest(WAITING, stage="fetched", source=topic) for each in reports)
    waiting = total(each.samples.sum("kafka_consumer_fetch_manager_records_lag", topic=topic) for each in reports)
    problems = []
    if lost := total(each.samples.sum(LOSSES[0], source=topic) for each in reports):
        text = f"Kafka had deleted up to {lost:.0f} records of {topic} before the topology read them"
        problems.append(rules.SOURCE_LOST_RECORDS.problem(SOURCES, text))
    if total(each.samples.sum(LOSSES[1], source=topic) for each in reports):
        text = f"the log of {topic} was replaced: unread records of the old one are lost, all of the new one are read"
        problems.append(rules.SOURCE_REPLACED.problem(SOURCES, text))
    if (state := lateness(lag)) is not State.OK:
        text = f"points of {topic} wait {lag:.0f} s in Kafka until the topology reads them"
        problems.append(rules.POINTS_WAIT.problem(SOURCES, text, state))
    if behind := total(each.increase.last_minute(f"behind {topic}") for each in reports):
        text = (
            f"{behind:.0f} points of source {topic} are far older than their records: the clock of a sender is behind"
        )
        problems.append(Problem(State.WARNING, SOURCES, text, WHY))
    return Instance(topic, True, rate=rate, lag_s=lag, waiting=waiting, problems=problems)


def dropped(reports: Sequence[Report]) -> list[Dropped]:
    """Count the dropped points by reason, those of the last minute first."""
    found = [
        Dropped(
            reason,
            value,
            total(each.increase.last_minute(f"drop {reason}") for each in reports),
            reason in DEAD_LETTERS,
            _last(reports, reason),
        )
        for reason, value in _sums(reports, rules.DROPS, "reason").items()
        if value
    ]
    return sorted(found, key=lambda each: (-(each.minute or 0), -each.points, each.reason))


def _last(reports: Sequence[Report], reason: str) -> list[DroppedSeries]:
    """Series that were dropped last. Entries of an unknown format, perhaps of another version, are omitted."""
    of_reason = [each.drops.get(reason) for each in reports]
    lists = [each.get("series") for each in of_reason if isinstance(each, dict)]
    found = [_series(entry) for each in lists if isinstance(each, list) for entry in each if isinstance(entry, dict)]
    return sorted(found, key=lambda each: -(each.seen or 0))[:MAX_LAST]


def _series(entry: Mapping[str, Any]) -> DroppedSeries:
    record = [entry.get(key) for key in ("topic", "partition", "offset")]
    seen, points = entry.get("seen_ms"), entry.get("points")
    return DroppedSeries(
        _text(entry.get("ident")),
        _text(entry.get("detail")),
        None if None in record else _text("{}-{} offset {}".format(*record)),
        points if isinstance(points, int) else 0,
        seen / 1000 if isinstance(seen, int | float) else None,
    )


def _text(value: object) -> str | None:
    if not isinstance(value, str):
        return None
    return value if len(value) <= MAX_TEXT else f"{value[:MAX_TEXT]}…"


def problems_of_drops(drops: Sequence[Dropped]) -> list[Problem]:
    """Judge the points that were dropped in the last minute."""
    problems = []
    for rule, text in (
        (rules.NEW_SERIES_REFUSED, "points of new series are refused"),
        (rules.POINTS_OF_THE_FUTURE, "points have times too far in the future: a clock is wrong"),
        (rules.DEAD_LETTERS_GROW, "points cannot be stored and become dead letters"),
    ):
        if reasons := [each.reason for each in drops if each.reason in rule.reasons and each.minute]:
            problems.append(rule.problem(NAME, f"{text}: {', '.join(reasons)}"))
    return problems


def refused(reports: Sequence[Report]) -> list[Refused]:
    """Return sources whose new series were refused."""
    return [
        Refused(topic, points, total(each.increase.last_minute(f"refused {topic}") for each in reports))
        for topic, points in sorted(_sums(reports, REFUSED, "source").items())
        if points
    ]


def _sums(reports: Sequence[Report], metric: str, label: str) -> dict[str, float]:
    """Add up the metric of all instances by the value of a label."""
    found: dict[str, float] = {}
    for value, number in (each for report in reports for each in report.samples.sums(metric, label).items()):
        found[value] = found.get(value, 0.0) + number
    return found


def policies(reports: Sequence[Report]) -> dict[str, Policy]:
    """Policies that have series, without their archives."""
    series, most = rules.POLICY_NEAR_MAX_SERIES.metric, rules.POLICY_NEAR_MAX_SERIES.share_of
    return {
        name: Policy(
            name,
            total(each.samples.sum(series, policy=name) for each in reports),
            total(each.samples.sum(most, policy=name) for each in reports),
            [],
        )
        for name in sorted({name for each in reports for name in each.samples.sums(series, "policy")})
    }


def problems_of_policies(found: Sequence[Policy]) -> list[Problem]:
    """Judge the numbers of series of the policies."""
    rule = rules.POLICY_NEAR_MAX_SERIES
    return [
        rule.problem(NAME, f"policy {each.name} has {each.series:.0f} of {each.max_series:.0f} series (max.series)")
        for each in found
        if each.series and each.max_series and each.series > rule.bound * each.max_series
    ]
