"""Conclusions of /status from the reports of the parts; test_status_endpoint tests the endpoint."""

import json
import math
import re
from dataclasses import replace
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rondo_query_api.metrics import REQUEST_SECONDS
from rondo_query_api.status import api, database, rules, sink, topology
from rondo_query_api.status.increases import MAX_WINDOW_S, MIN_S, PACE_S, WINDOW_S, Increases
from rondo_query_api.status.model import Instance, Stage, State
from rondo_query_api.status.samples import PREFIXES, Samples, UnreadableError

from .part_server import SINK_METRICS, TOPOLOGY_METRICS, connectors
from .postgres import REPOSITORY

DROP_REASONS = REPOSITORY / "topology/formats/src/main/java/dev/rondo/formats/DropReason.java"


T = TypeVar("T", topology.Report, sink.MetricsReport)


def report(metrics: str = TOPOLOGY_METRICS, before: str | None = None, **parts: object) -> topology.Report:
    """Report of an instance now, with increases since its report of ten seconds ago."""
    now = topology.Report("h:1", Samples.parse(metrics), **parts)  # type: ignore[arg-type]
    return since(now, None if before is None else topology.Report("h:1", Samples.parse(before)))


def of_sink(metrics: str = SINK_METRICS, before: str | None = None) -> sink.MetricsReport:
    now = sink.MetricsReport("h:2", Samples.parse(metrics))
    return since(now, None if before is None else sink.MetricsReport("h:2", Samples.parse(before)))


def since(now: T, before: T | None) -> T:
    increases = Increases()
    if before is not None:
        increases.add(before.part, before.counters(), 0.0)
    return replace(now, increase=increases.add(now.part, now.counters(), 10.0))


def changed(metrics: str, **values: float | str) -> str:
    """The metrics with other values, of the samples whose lines begin with these names and labels."""
    for name, value in values.items():
        metrics, count = re.subn(rf"(?m)^({name}[{{ ].*?) \S+$|^({name}) \S+$", rf"\1\2 {value}", metrics)
        assert count, name
    return metrics


def problems(stage: Stage) -> list[tuple[str, str]]:
    every = [*(each for one in stage.instances for each in one.problems), *stage.problems]
    return [(each.state.value, each.docs.removeprefix("docs/runbooks/").removesuffix(".md")) for each in every]


def instance(stage: Stage, name: str) -> Instance:
    return next(each for each in stage.instances if each.name == name)


def test_only_known_metrics_are_read_and_only_finite_values() -> None:
    samples = Samples.parse(TOPOLOGY_METRICS)
    assert all(f"{name}{{".startswith(PREFIXES) for name in samples.by_name)
    assert samples.sum("jvm_memory_used_bytes") is None
    assert samples.sum("kafka_consumer_fetch_manager_records_lag", topic="points") == 4
    assert samples.sums("rondo_consolidate_series", "task", policy="default") == {"0_0": 30, "0_1": 12}
    assert samples.highest("rondo_consolidate_series") == 30


def test_labels_may_contain_anything() -> None:
    odd = 'a"b\\c\n<script>{},= é\u2028rondo_x 1\x0brondo_y 1'
    escaped = odd.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    samples = Samples.parse(f'rondo_consolidate_series{{policy="{escaped}",task="0_0"}} 1')
    assert samples.sums("rondo_consolidate_series", "policy") == {odd: 1}


@pytest.mark.parametrize("text", ['rondo_x{a="b} 1', "rondo_x one", "rondo_", 'rondo_x{a="b"'])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(UnreadableError, match=r"^its metrics are not in Prometheus' text format"):
        Samples.parse(text)


@given(st.text() | st.text('rondo_{}="\\, 1.\nNaInf#').map(lambda tail: f"rondo_a{tail}"))
def test_no_text_is_another_error(text: str) -> None:
    try:
        samples = Samples.parse(text)
    except UnreadableError:
        return
    assert all(math.isfinite(each.value) for found in samples.by_name.values() for each in found)


@given(st.lists(st.tuples(st.floats(0.1, 30), st.integers(0, 1000), st.integers(0, 4)), min_size=1, max_size=40))
def test_an_increase_covers_the_last_minute_for_any_reader(steps: list[tuple[float, int, int]]) -> None:
    now, count = 0.0, 0
    samples: list[tuple[float, int]] = []
    paced, looked_at = Increases(), Increases()
    for seconds, more, looks in steps:
        now += seconds
        count += more
        increase = paced.add("part", {"n": count}, now)
        lately, rate = increase.last_minute("n"), increase.rate("n")
        for _ in range(looks + 1):  # by others, from the same file
            looked_at = Increases(json.loads(json.dumps(looked_at.samples(now))))
            again = looked_at.add("part", {"n": count}, now)
            assert (again.last_minute("n"), again.rate("n")) == (lately, rate)
        if not samples or now // PACE_S > samples[-1][0] // PACE_S:
            samples.append((now, count))
        if now - samples[0][0] < MIN_S:
            assert (lately, rate) == (None, None)
            continue
        # Since the newest sample that is at least a minute old.
        at, n = max((each for each in samples if now - each[0] >= WINDOW_S), default=samples[0])
        assert lately == count - n
        assert rate == pytest.approx((count - n) / (now - at))


def test_a_sample_that_is_too_old_is_ignored() -> None:
    increases = Increases()
    increases.add("part", {"n": 1}, 0.0)
    increases.add("other", {"n": 1}, MAX_WINDOW_S)
    assert list(increases.samples(MAX_WINDOW_S + 1)) == ["other"]
    assert increases.add("part", {"n": 7}, MAX_WINDOW_S + 1).rate("n") is None


def test_counters_restart_with_the_process() -> None:
    increases = Increases()
    increases.add("part", {"n": 100, "m": 1}, 0.0)
    assert increases.add("part", {"n": 5, "m": 2}, 10.0).rate("n") is None
    assert increases.add("part", {"n": 25, "m": 2}, 20.0).rate("n") == 2


def test_an_instance_of_the_topology() -> None:
    before = changed(TOPOLOGY_METRICS, rondo_decode_points_total=500)
    shown = topology.stage([report(before=before)])
    [one] = shown.instances
    assert (one.name, one.version, one.up, one.state) == ("rondo-1 (h:1)", "0.1.0", True, State.OK)
    assert (one.rate, one.errors, one.lag_s, one.waiting) == (50, 0, None, 3)
    [points] = topology.sources([report()], []).instances
    assert (points.name, points.rate, points.waiting, points.lag_s) == ("points", 12.5, 4, None)


def test_parts_of_the_topology_that_are_down() -> None:
    silent = topology.Report("h:2", error="Connection refused")
    shown = topology.stage([report(not_ready="Kafka Streams is REBALANCING"), silent])
    assert problems(shown) == [("critical", "RondoTopologyDown"), ("warning", "RondoInstanceDown")]
    assert [each.up for each in shown.instances] == [True, False]
    assert shown.state is State.CRITICAL
    assert problems(topology.stage([silent])) == [("critical", "RondoTopologyDown")]


LAGS = """
rondo_lag_waiting_seconds{stage="fetched",source="points",partition="3"} 400
rondo_lag_waiting_seconds{stage="fetched",source="other"} 0
rondo_lag_waiting_seconds{stage="decoded",source="points"} 2
rondo_lag_waiting_seconds{stage="merged",source="points",partition="1"} 90
rondo_merge_awaited_seconds{source="points",partition="7"} 95
rondo_lag_seconds_count{stage="decoded",source="points"} 1000
rondo_lag_seconds_count{stage="decoded",source="other"} 10
"""


def test_lag_by_stage_names_the_awaited_partition() -> None:
    one = report(TOPOLOGY_METRICS + LAGS, before=TOPOLOGY_METRICS + LAGS.replace("} 1000", "} 800"))
    shown = topology.stage([one])
    assert problems(shown) == [("warning", "RondoMergeWaits")]
    assert (shown.instances[0].lag_s, "points-7" in shown.instances[0].problems[0].text) == (90, True)
    sources = topology.sources([one], [])
    assert (sources.unit, problems(sources)) == ("points", [("critical", "RondoPointsWait")])
    assert [(each.name, each.rate, each.lag_s) for each in sources.instances] == [("other", 0, 0), ("points", 20, 400)]


def test_points_that_wait_for_no_partition() -> None:
    metrics = TOPOLOGY_METRICS + 'rondo_lag_waiting_seconds{stage="received",source="by-series"} 301\n'
    assert problems(topology.stage([report(metrics)])) == [("critical", "RondoPointsWait")]


@pytest.mark.parametrize(("most", "expected"), [("NaN", []), (1000, []), (100, ["RondoTopologyNearlySaturated"])])
def test_an_instance_near_its_limit(most: float | str, expected: list[str]) -> None:
    saturation = f"rondo_saturation_points_per_second 90\nrondo_saturation_max_points_per_second {most}\n"
    assert [alert for _, alert in problems(topology.stage([report(TOPOLOGY_METRICS + saturation)]))] == expected


def test_an_instance_is_not_said_to_exceed_its_limit() -> None:
    saturation = "rondo_saturation_points_per_second 90\nrondo_saturation_max_points_per_second 70\n"
    [problem] = topology.stage([report(TOPOLOGY_METRICS + saturation)]).instances[0].problems
    assert ("90" in problem.text, "70" in problem.text) == (True, False)


def test_tasks_with_other_policies_and_unassigned_partitions() -> None:
    metrics = changed(TOPOLOGY_METRICS, rondo_sources_unassigned_partitions=2)
    metrics += 'rondo_consolidate_policy_version{task="0_1"} 1.0\n'
    expected = [("warning", "RondoPolicyVersionsDiffer"), ("warning", "RondoPartitionsUnassigned")]
    assert problems(topology.stage([report(metrics)])) == expected
    assert topology.version_of_policies([report(metrics)]) == 2


def test_a_source_that_is_set_aside() -> None:
    metrics = TOPOLOGY_METRICS + 'rondo_sources_set_aside{source="points",reason="the topic does not exist"} 1\n'
    stage = topology.sources([report(metrics), report(metrics)], [])
    assert problems(stage) == [("critical", "RondoSourceSetAside")]
    [points] = stage.instances
    assert (points.up, "points" in points.problems[0].text, "not exist" in points.problems[0].text) == (
        False,
        True,
        True,
    )


def test_sources_without_a_topic() -> None:
    read = """
rondo_sources_partitions{source="points"} 4
rondo_sources_partitions{source="later\\\\..*"} 0
rondo_consolidate_series_by_source{source="lost"} 7
rondo_consolidate_series_by_source{source="(backfill)"} 7
"""
    stage = topology.sources([report(TOPOLOGY_METRICS + read)], [])
    assert [(each.name, each.up) for each in stage.instances] == [
        ("(backfill)", True),
        (r"later\..*: no topic matches yet", True),
        ("lost: gone, or no longer a source", False),
        ("points", True),
    ]
    assert problems(stage) == []


def test_a_sender_whose_clock_is_behind() -> None:
    before = TOPOLOGY_METRICS + 'rondo_decode_behind_points_total{source="points"} 5\n'
    [points] = topology.sources([report(before.replace("} 5\n", "} 65\n"), before)], []).instances
    assert (points.state, "60 points of source points" in points.problems[0].text) == (State.WARNING, True)
    assert topology.sources([report(before, before)], []).state is State.OK


def test_sources_that_kafka_cut_or_replaced() -> None:
    labels = '{source="other",partition="0"}'
    metrics = TOPOLOGY_METRICS + f"rondo_sources_lost_records_total{labels} 0\nrondo_sources_replaced_total{labels} 0\n"
    assert [each.name for each in topology.sources([report(metrics)], []).instances] == ["points"]
    for name in topology.LOSSES:
        stage = topology.sources([report(metrics.replace(f"{name}{labels} 0", f"{name}{labels} 7"))], [])
        assert [each.name for each in stage.instances] == ["other", "points"]
        assert problems(stage) == [("critical", "RondoSourceLostRecords")]


def test_drops_by_reason_with_what_was_dropped_last() -> None:
    metrics = TOPOLOGY_METRICS.replace('"unreadable"} 0.0', '"unreadable"} 7.0').replace('"late"} 0.0', '"late"} 90.0')
    last = [{"ident": "b" * 1000, "points": 2, "seen_ms": 2000}, {"ident": "a", "points": 1, "seen_ms": 1000}]
    letter = {"detail": "d", "points": 5, "seen_ms": 3000, "topic": "points", "partition": 3, "offset": 9}
    drops = {"late": {"total": 90, "series": last}, "unreadable": {"total": 7, "series": [letter]}}
    found = topology.dropped([report(metrics, TOPOLOGY_METRICS, drops=drops)])
    assert [(each.reason, each.points, each.minute, each.is_dead_letter) for each in found] == [
        ("late", 90, 90, False),
        ("unreadable", 7, 7, True),
    ]
    assert [each.series for each in found[0].last] == [f"{'b' * topology.MAX_TEXT}…", "a"]
    assert (found[1].last[0].record, found[1].last[0].series) == ("points-3 offset 9", None)
    assert [each.docs for each in topology.problems_of_drops(found)] == ["docs/runbooks/RondoDeadLettersGrow.md"]
    assert topology.problems_of_drops(topology.dropped([report(metrics, metrics)])) == []


@pytest.mark.parametrize("drops", [{"late": 1}, {"late": {"series": {}}}, {"late": {"series": [1, {"points": "x"}]}}])
def test_answers_of_another_shape_are_ignored(drops: dict[str, object]) -> None:
    metrics = TOPOLOGY_METRICS.replace('"late"} 0.0', '"late"} 1.0')
    [late] = topology.dropped([report(metrics, drops=drops)])
    assert all(each.series is None for each in late.last)


def test_new_series_that_are_refused() -> None:
    more = 'rondo_drops_points_total{reason="too-many-series"} 3\n'
    more += 'rondo_consolidate_refused_by_source_total{source="points"} 3\n'
    one = report(TOPOLOGY_METRICS + more, TOPOLOGY_METRICS)
    [problem] = topology.problems_of_drops(topology.dropped([one]))
    assert problem.docs == "docs/runbooks/RondoNewSeriesRefused.md"
    assert [(each.source, each.points, each.minute) for each in topology.refused([one])] == [("points", 3, 3)]


@pytest.mark.parametrize("reason", rules.POINTS_OF_THE_FUTURE.reasons)
def test_points_of_the_future(reason: str) -> None:
    before = f'rondo_drops_points_total{{reason="{reason}"}} 3\n'
    [dropped] = topology.dropped([report(before.replace("} 3", "} 5"), before)])
    [problem] = topology.problems_of_drops([dropped])
    assert (dropped.minute, problem.docs) == (2, "docs/runbooks/RondoPointsOfTheFuture.md")


@pytest.mark.parametrize(
    ("route", "status", "expected"),
    [
        ("/render", "200", []),
        ("/render", "429", [("critical", "RondoApiRefuses")]),
        ("/render", "503", [("critical", "RondoApiRefuses")]),
        ("/health/ready", "503", []),
    ],
)
def test_requests_that_are_refused(route: str, status: str, expected: list[tuple[str, str]]) -> None:
    increases = Increases()
    api.stage(increases, 0.0)
    for _ in range(18):
        REQUEST_SECONDS.labels("/render", "200").observe(0.1)
    REQUEST_SECONDS.labels(route, status).observe(0.1)
    assert problems(api.stage(increases, 10.0)) == expected


def test_policies_near_their_maximum() -> None:
    found = topology.policies([report()])
    assert {name: (each.series, each.max_series) for name, each in found.items()} == {"default": (42, 200)}
    assert topology.problems_of_policies(list(found.values())) == []
    near = topology.policies([report(changed(TOPOLOGY_METRICS, rondo_consolidate_series=90))])
    [problem] = topology.problems_of_policies(list(near.values()))
    assert "policy default has 180 of 200 series" in problem.text


def test_reasons_of_dead_letters_are_those_of_the_topology() -> None:
    reasons = dict(re.findall(r'(?m)^  [A-Z_]+\("([a-z-]+)", (true|false)\)', DROP_REASONS.read_text(encoding="utf-8")))
    assert {reason for reason, is_letter in reasons.items() if is_letter == "true"} == topology.DEAD_LETTERS
    judged = {*rules.NEW_SERIES_REFUSED.reasons, *rules.POINTS_OF_THE_FUTURE.reasons}
    assert reasons.keys() >= judged | topology.REQUESTED


@pytest.mark.parametrize(
    ("slots", "lag_s"),
    [
        ([(10.0, 25.0), (60.0, 300.0)], 15.0),
        ([(10.0, 400.0), (3600.0, -1800.0)], 390.0),  # an open hour tells nothing
        ([(10.0, -4.0)], 6.0),  # an open slot of a source that adds up
        ([(10.0, -300.0), (60.0, 200.0)], 140.0),  # a sender that is ahead
        ([(10.0, -300.0)], None),
    ],
)
def test_the_lag_of_rows_is_that_of_slots_that_have_ended(
    slots: list[tuple[float, float]], lag_s: float | None
) -> None:
    read = database.Report(("18.6", False, 1, 1, 1), [("default", "wmean", step, 100, age) for step, age in slots])
    [server] = database.stage(read, "h:5432").instances
    assert server.lag_s == lag_s


@pytest.mark.parametrize(
    ("ahead_s", "expected"),
    [(-59.0, []), (60.0, []), (-3600.0, ["3600 s behind"]), (3600.0, ["3600 s ahead of"])],
)
def test_a_server_whose_clock_is_another(ahead_s: float, expected: list[str]) -> None:
    read = database.Report(("18.6", False, 1, 1, 1), ahead_s=ahead_s)
    [server] = database.stage(read, "h:5432").instances
    assert [problem.state for problem in server.problems] == [State.WARNING for _ in expected]
    for problem, part in zip(server.problems, expected, strict=True):
        assert f"h:5432: its clock is {part} that of the query API" in problem.text


def test_a_task_of_the_sink() -> None:
    workers = [sink.WorkerReport("h:3", connectors(), "4.4.0")]
    before = changed(SINK_METRICS, rondo_sink_rows_total=60)
    shown = sink.stage(workers, [of_sink(before=before)])
    assert [each.name for each in shown.instances] == ["worker h:3", "rondo-postgres-sink-0"]
    task = shown.instances[1]
    assert (task.up, task.version, task.rate, task.lag_s, task.waiting) == (True, "0.1.0", 4, 9, 7)
    assert (shown.state, task.errors) == (State.OK, 0)
    assert [each.name for each in sink.stage([], [of_sink()]).instances] == ["rondo-postgres-sink-0"]
    assert [each.up for each in sink.stage(workers, []).instances] == [True, True]


TRACE = "ConnectException: Exiting\n\tat x\nCaused by: java.Wrapper\nCaused by: SQLException: no table ts\n\tat y\n"


def test_a_task_that_has_failed() -> None:
    workers = [sink.WorkerReport("h:3", connectors("FAILED", TRACE))]
    failed = SINK_METRICS.replace('"running"} 1.0', '"running"} 0.0').replace(
        'status="failed"} 0.0', 'status="failed"} 1.0'
    )
    for metrics in ([], [of_sink(failed)]):
        shown = sink.stage(workers, metrics)
        assert problems(shown) == [("critical", "RondoSinkTaskFailed")]
        assert shown.instances[-1].problems[0].text == "rondo-postgres-sink-0 is FAILED: SQLException: no table ts"
    assert problems(sink.stage([], [of_sink(failed)])) == [("critical", "RondoSinkTaskFailed")]
    paused = sink.WorkerReport("h:3", connectors("PAUSED"))
    assert problems(sink.stage([paused], [])) == [("warning", "RondoSinkTaskFailed")]


def test_a_task_that_has_failed_shows_the_error_of_the_sink() -> None:
    error = "org.apache.kafka.connect.errors.ConnectException: "
    own = "record rows-0@7: db:5432/rondo answers [42501] ERROR: permission denied; make the role a member"
    trace = f"{error}Exiting\n\tat x\nCaused by: {error}{own}\nCaused by: PSQLException: ERROR: permission denied\n"
    assert sink.cause(trace) == own


def test_a_task_that_retries_shows_why() -> None:
    error = 'db:5432/rondo answers [53100] ERROR: could not extend file "base/1/2", {full}; free disk space'
    labels = f'connector="rondo-postgres-sink",error="{error}",task="0"'.replace('"base/1/2"', r"\"base/1/2\"")
    metrics = changed(SINK_METRICS, rondo_sink_retrying_seconds=12) + f"rondo_sink_retry_error{{{labels}}} 1\n"
    [_, task] = sink.stage([sink.WorkerReport("h:3", connectors(), "4.4.0")], [of_sink(metrics)]).instances
    assert task.problems[0].text.endswith(f": {error}")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"rondo_sink_retrying_seconds": 12}, [("warning", "RondoSinkRetries")]),
        ({"rondo_sink_retrying_seconds": 301}, [("critical", "RondoSinkRetries")]),
        ({"rondo_sink_lag_seconds": 61}, [("warning", "RondoSinkLags")]),
        ({"rondo_sink_rejected_records_total": 1}, [("warning", "RondoSinkRejects")]),
    ],
)
def test_problems_of_a_task(values: dict[str, float], expected: list[tuple[str, str]]) -> None:
    assert problems(sink.stage([], [of_sink(changed(SINK_METRICS, **values), SINK_METRICS)])) == expected


def test_rows_that_wait_count_more_than_the_age_of_the_newest() -> None:
    labels = 'stage="stored",connector="rondo-postgres-sink",task="0"'
    idle = changed(SINK_METRICS, rondo_sink_lag_seconds=4000)
    shown = sink.stage([], [of_sink(f"{idle}rondo_lag_waiting_seconds{{{labels}}} 0\n")])
    assert (shown.state, shown.instances[0].lag_s) == (State.OK, 0)
    shown = sink.stage([], [of_sink(f"{idle}rondo_lag_waiting_seconds{{{labels}}} 301\n")])
    assert problems(shown) == [("critical", "RondoSinkLags")]


def test_connect_without_the_sink_and_without_an_answer() -> None:
    assert problems(sink.stage([sink.WorkerReport("h:3", {})], [])) == [("critical", "RondoSinkMissing")]
    worker = sink.WorkerReport("h:3", error="Connection refused")
    metrics = sink.MetricsReport("h:2", error="Connection refused")
    assert problems(sink.stage([worker], [metrics])) == [("critical", "RondoConnectDown")]
    assert problems(sink.stage([], [metrics])) == [("critical", "RondoConnectDown")]
    other = sink.WorkerReport("h:4", connectors())
    assert problems(sink.stage([worker, other], [])) == [("warning", "RondoInstanceDown")]
    assert sink.stage([], []).state is State.UNKNOWN


@pytest.mark.parametrize("answer", [{"a": 1}, {"a": {"status": [], "info": {"config": []}}}, {"a": None}])
def test_answers_of_connect_of_another_shape(answer: dict[str, object]) -> None:
    assert problems(sink.stage([sink.WorkerReport("h:3", answer)], [])) == [("critical", "RondoSinkMissing")]
