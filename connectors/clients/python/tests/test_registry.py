import threading
from collections import defaultdict
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rondo_client.metrics import Counter, Gauge, Timer
from rondo_client.names import Names
from rondo_client.native import Point
from rondo_client.pace import Pace
from rondo_client.registry import Registry

BEGIN_MS = 1_700_000_000_000
STEP_MS = 10_000
EXACTNESS = 0.008


def registry(max_metrics: int = 100) -> Registry:
    return Registry(Names("", {"host": "web01"}), max_metrics, BEGIN_MS, lambda _total, _reason: None)


def by_time(points: list[Point]) -> dict[int, dict[str, float]]:
    """Return values by time and name, without those of the client itself."""
    values: dict[int, dict[str, float]] = defaultdict(dict)
    for ident, t_ms, value in points:
        name = ident.decode().removesuffix(";host=web01")
        assert name not in values[t_ms], "a second point in the step"
        if not name.startswith("rondo_client."):
            values[t_ms][name] = value
    return values


@given(
    st.lists(
        st.tuples(
            st.integers(1, 3),
            st.lists(st.integers(0, 5)),
            st.lists(st.floats(1e-3, 3000)),
        ),
        max_size=10,
    )
)
def test_publishes_each_step_as_the_model(steps: list[tuple[int, list[int], list[float]]]) -> None:
    metrics = registry()
    counter = metrics.get(Counter, "orders", {})
    timer = metrics.get(Timer, "pay", {})
    published: list[Point] = []
    model: dict[int, dict[str, float]] = defaultdict(dict)
    begin_ms = BEGIN_MS
    if steps:
        model[BEGIN_MS] = {"orders.rate": 0, "pay.rate": 0}
    for slept, events, seconds in steps:
        end_ms = begin_ms + slept * STEP_MS
        for n in events:
            counter.add(n)
        for s in seconds:
            timer.record(s)
        published += metrics.collect(end_ms)
        assert metrics.collect(end_ms) == []
        model[end_ms] |= {"orders.count": sum(events), "orders.rate": sum(events) / slept / 10}
        model[end_ms] |= {"pay.count": len(seconds), "pay.rate": len(seconds) / slept / 10}
        if seconds:
            model[end_ms] |= {"pay.mean": sum(seconds) / len(seconds) * 1000}
            model[end_ms] |= {"pay.min": min(seconds) * 1000, "pay.max": max(seconds) * 1000}
            for p in (50, 95, 99):
                model[end_ms][f"pay.p{p}"] = sorted(seconds)[ceil(len(seconds) * p / 100) - 1] * 1000
        begin_ms = end_ms
    values = by_time(published)
    assert values.keys() == model.keys()
    for t_ms, expected in model.items():
        assert values[t_ms] == pytest.approx(expected, rel=EXACTNESS)


def test_publishes_each_event_of_any_thread_in_one_step() -> None:
    metrics = registry()
    counter = metrics.get(Counter, "orders", {})
    timer = metrics.get(Timer, "pay", {})

    def update() -> None:
        for _ in range(20_000):
            counter.add()
            timer.record(0.001)

    threads = [threading.Thread(target=update) for _ in range(4)]
    for thread in threads:
        thread.start()
    points: list[Point] = []
    end_ms = BEGIN_MS
    while any(thread.is_alive() for thread in threads):
        end_ms += STEP_MS
        points += metrics.collect(end_ms)
    points += metrics.collect(end_ms + STEP_MS)
    steps = by_time(points).values()
    assert sum(step.get("orders.count", 0) for step in steps) == 80_000
    assert sum(step.get("pay.count", 0) for step in steps) == 80_000


def test_publishes_gauges_once_they_are_known() -> None:
    metrics = registry()
    gauge = metrics.get(Gauge, "queue", {})
    metrics.supplied("threads", {}, lambda: 7)
    metrics.supplied("broken", {}, lambda: 1 / 0)
    assert by_time(metrics.collect(BEGIN_MS + STEP_MS))[BEGIN_MS + STEP_MS]["threads"] == 7
    assert metrics.dropped.total == 1
    gauge.set(3)
    assert by_time(metrics.collect(BEGIN_MS + 2 * STEP_MS))[BEGIN_MS + 2 * STEP_MS]["queue"] == 3


def test_continues_after_the_clock_was_far_ahead() -> None:
    metrics = registry()
    counter = metrics.get(Counter, "orders", {})
    ahead_ms = BEGIN_MS + 1_000_000_000
    metrics.collect(ahead_ms)
    counter.add(20)
    assert metrics.collect(ahead_ms - 600_000) == []  # waits: the points ahead were stored
    assert metrics.collect(BEGIN_MS) == []
    assert by_time(metrics.collect(BEGIN_MS + STEP_MS))[BEGIN_MS + STEP_MS]["orders.rate"] == 2


def test_rejects_another_metric_with_the_same_series() -> None:
    metrics = registry()
    counter = metrics.get(Counter, "orders", {})
    assert metrics.get(Counter, "orders", {}) is counter
    with pytest.raises(ValueError, match="'orders;host=web01' already exists as a Counter"):
        metrics.get(Timer, "orders", {})
    with pytest.raises(ValueError, match="would publish 'orders\\.rate;host=web01', as another metric does"):
        metrics.get(Gauge, "orders.rate", {})
    metrics.remove(counter)
    metrics.get(Timer, "orders", {})


def test_counts_metrics_beyond_the_maximum() -> None:
    metrics = registry(max_metrics=3)
    metrics.get(Counter, "orders", {})
    metrics.get(Counter, "returns", {}).add()
    assert metrics.dropped.total == 2
    assert "returns.count" not in by_time(metrics.collect(BEGIN_MS + STEP_MS))[BEGIN_MS + STEP_MS]


@given(st.integers(1000, 3_600_000), st.floats(0, 1, exclude_max=True), st.integers(0, 1 << 42), st.integers(1, 50))
def test_sends_the_records_of_a_step_in_the_first_half_of_the_next(
    step_ms: int, phase: float, now_ms: int, records: int
) -> None:
    pace = Pace(step_ms, phase)
    end_ms = pace.end_before(now_ms)
    assert end_ms <= now_ms < pace.end_after(now_ms)
    due = [pace.due_ms(end_ms, n, records) for n in range(records)]
    assert due == sorted(due)
    assert end_ms <= due[0]
    assert due[-1] <= end_ms + step_ms / 2
