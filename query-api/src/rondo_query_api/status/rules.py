"""Rules by which /status judges the parts, the same as those of the alerts in deploy/prometheus/alerts.yml."""

from dataclasses import dataclass

from .model import Problem, State

WARNING, CRITICAL = State.WARNING, State.CRITICAL
LATE_S, VERY_LATE_S = 60.0, 300.0
DROPS = "rondo_drops_points_total"
SATURATION, MAX_SATURATION = "rondo_saturation_points_per_second", "rondo_saturation_max_points_per_second"
SERIES, MAX_SERIES = "rondo_consolidate_series", "rondo_consolidate_max_series"
# Reasons of drops: the limits for new series, times, and contents of records.
LIMITS = ("too-many-series", "too-many-new-series", "too-many-segments", "no-memory")
FUTURE = ("too-far-in-the-future", "slot-too-far-ahead")
CONTENTS = (
    *("unreadable", "unsupported", "decoder-failed", "record-over-limit", "unknown-id", "unknown-schema"),
    *("name-too-long", "too-many-tags", "not-a-number", "too-old"),
)


@dataclass(frozen=True)
class Rule:
    """An alert, and when it fires: ``metric``, or its share of ``share_of``, exceeds ``bound``.

    If ``metric`` counts dropped points, only those with one of the ``reasons`` count.
    """

    alert: str
    severity: State
    metric: str = ""
    bound: float = 0.0
    share_of: str = ""
    reasons: tuple[str, ...] = ()

    def problem(self, stage: str, text: str, state: State | None = None) -> Problem:
        """Create a problem of the severity of the alert, or of another state."""
        return Problem(state or self.severity, stage, text, f"docs/runbooks/{self.alert}.md")


def lateness(lag_s: float | None) -> State:
    """Judge a lag; an unknown one is ok."""
    if lag_s is None or lag_s <= LATE_S:
        return State.OK
    return State.WARNING if lag_s <= VERY_LATE_S else State.CRITICAL


TOPOLOGY_DOWN = Rule("RondoTopologyDown", CRITICAL)
CONNECT_DOWN = Rule("RondoConnectDown", CRITICAL)
BROKER_DOWN = Rule("RondoBrokerDown", CRITICAL)
POSTGRES_DOWN = Rule("RondoPostgresDown", CRITICAL)
INSTANCE_DOWN = Rule("RondoInstanceDown", WARNING)

# Sources and the topology.
POINTS_WAIT = Rule("RondoPointsWait", WARNING, "rondo_lag_waiting_seconds", LATE_S)
MERGE_WAITS = Rule("RondoMergeWaits", WARNING, "rondo_merge_awaited_seconds", LATE_S)
NEARLY_SATURATED = Rule("RondoTopologyNearlySaturated", WARNING, SATURATION, 0.8, MAX_SATURATION)
PARTITIONS_UNASSIGNED = Rule("RondoPartitionsUnassigned", CRITICAL, "rondo_sources_unassigned_partitions")
SOURCE_SET_ASIDE = Rule("RondoSourceSetAside", CRITICAL, "rondo_sources_set_aside")
SOURCE_LOST_RECORDS = Rule("RondoSourceLostRecords", CRITICAL, "rondo_sources_lost_records_total")
SOURCE_REPLACED = Rule("RondoSourceLostRecords", CRITICAL, "rondo_sources_replaced_total")
POINTS_OF_THE_FUTURE = Rule("RondoPointsOfTheFuture", WARNING, DROPS, reasons=FUTURE)
DEAD_LETTERS_GROW = Rule("RondoDeadLettersGrow", WARNING, DROPS, reasons=CONTENTS)
NEW_SERIES_REFUSED = Rule("RondoNewSeriesRefused", CRITICAL, DROPS, reasons=LIMITS)
POLICY_NEAR_MAX_SERIES = Rule("RondoPolicyNearMaxSeries", WARNING, SERIES, 0.8, MAX_SERIES)
POLICY_VERSIONS_DIFFER = Rule("RondoPolicyVersionsDiffer", WARNING, "rondo_consolidate_policy_version")

# The sink.
SINK_LAGS = Rule("RondoSinkLags", WARNING, "rondo_sink_lag_seconds", LATE_S)
SINK_RETRIES = Rule("RondoSinkRetries", CRITICAL, "rondo_sink_retrying_seconds", 300.0)
SINK_TASK_FAILED = Rule("RondoSinkTaskFailed", CRITICAL, "kafka_connect_task_status")
SINK_MISSING = Rule("RondoSinkMissing", CRITICAL)
SINK_REJECTS = Rule("RondoSinkRejects", WARNING, "rondo_sink_rejected_records_total")
SINK_LOST_RECORDS = Rule("RondoSinkLostRecords", CRITICAL, "rondo_sink_lost_records_total")

# The query API and jobs.
API_REFUSES = Rule("RondoApiRefuses", CRITICAL, "rondo_query_request_duration_seconds_count", 0.05)
FILL_STUCK = Rule("RondoFillStuck", WARNING, "rondo_fill_progress_age_seconds", 7200.0)
REPLAY_STUCK = Rule("RondoReplayStuck", WARNING, "rondo_replay_progress_age_seconds", 900.0)
