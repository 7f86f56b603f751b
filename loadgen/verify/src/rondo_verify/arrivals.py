"""The points that a plan sends for some series, in sending order."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from .arrays import Bools, Floats, Ints
from .draws import Purpose, uniform
from .plan import Plan

# All unacknowledged points may be in one of up to this many partitions, and so reach back this many times further.
UNCERTAIN_TURNS = 64


@dataclass(frozen=True)
class Subjects:
    """Series to compare, each with its generation (0 if the shape has none), sorted by both."""

    series: Ints
    generation: Ints

    @property
    def size(self) -> int:
        """Number of subjects."""
        return self.series.size

    def take(self, which: Ints | slice) -> "Subjects":
        """Select some of them."""
        return Subjects(self.series[which], self.generation[which])


@dataclass(frozen=True)
class Arrivals:
    """Points as flat arrays: those of a subject are consecutive, in sending order.

    ``subject`` is the index in the :class:`Subjects`; ``t_ms`` epoch ms; ``sure`` is false if the point may be missing.
    """

    subject: Ints
    t_ms: Ints
    value: Floats
    sure: Bools

    def take(self, which: Bools | Ints) -> "Arrivals":
        """Select some of them."""
        return Arrivals(self.subject[which], self.t_ms[which], self.value[which], self.sure[which])


def arrivals(plans: Sequence[Plan], subjects: Subjects) -> Arrivals:
    """List all planned points of the subjects; successive plans may send points of the same series."""
    each = [_arrivals(plan, subjects) for plan in plans]
    if len(each) == 1:
        return each[0]
    columns = ([getattr(points, name) for points in each] for name in ("subject", "t_ms", "value", "sure"))
    every = Arrivals(*map(np.concatenate, columns))
    return every.take(np.argsort(every.subject, kind="stable"))


def _arrivals(plan: Plan, subjects: Subjects) -> Arrivals:
    series = np.unique(subjects.series)
    s = series[:, None]
    k = _ticks(plan, subjects)[None, :]
    turn = k * plan.series + s
    lanes = [(tick, mask & (turn < plan.points)) for tick, mask in _lanes(plan, s, k)]
    present = np.stack([mask for _, mask in lanes], axis=2)
    tick = np.stack([np.broadcast_to(tick, turn.shape) for tick, _ in lanes], axis=2)[present]
    at = np.broadcast_to(np.arange(series.size)[:, None, None], present.shape)[present]
    sure = np.broadcast_to((turn < plan.sure)[:, :, None], present.shape)[present]
    t_ms = times(plan, series[at], tick) + _jump_ms(plan, series[at] // plan.metrics, tick)
    points = Arrivals(at, t_ms, uniform(plan.seed, Purpose.VALUE)(series[at], tick) * 100.0, sure)
    if plan.shape == "churn":
        points = _by_generation(plan, subjects, series, points)
    t_ms = points.t_ms + ahead_ms(plan, subjects.series[points.subject] // plan.metrics)
    return replace(points, t_ms=t_ms // plan.time_unit_ms * plan.time_unit_ms)


def with_uncertainty(plan: Plan) -> Plan:
    """Reduce the turns that are ``sure`` if the generator was killed: unacknowledged points may be missing."""
    if plan.finished:
        return plan
    handed_over = 0
    for series in np.array_split(np.arange(plan.series), -(-plan.series * plan.ticks // (1 << 20))):
        s, k = series[:, None], np.arange(plan.ticks)[None, :]
        left = k * plan.series + s < plan.sent
        handed_over += sum(int((mask & left).sum()) for _, mask in _lanes(plan, s, k))
    open_points = max(0, handed_over - plan.acked - plan.failed)
    return replace(plan, sure=max(0, plan.sent - UNCERTAIN_TURNS * open_points))


def times(plan: Plan, series: Ints, tick: Ints) -> Ints:
    """Time of each series' point at each tick by a correct clock, epoch ms."""
    if plan.shape == "collectors":
        return _times_of_collectors(plan, series // plan.metrics, tick)
    n = (tick * plan.series + series).astype(np.float64)
    if plan.shape == "ramp":
        first = plan.numbers["ramp_from"] * plan.rate
        growth = plan.rate * plan.rate - first * first
        divisor = first + np.sqrt(first * first + growth * n / plan.points)
        since = np.floor(n * 2000.0 / np.where(n == 0, 1.0, divisor))
    else:
        since = np.floor(n * 1000.0 / plan.rate)
    if plan.shape == "jitter":
        since = since + _delay_ms(plan, series, tick)
    return plan.start_ms + since.astype(np.int64)


def _times_of_collectors(plan: Plan, machine: Ints, tick: Ints) -> Ints:
    n = (tick * plan.series + machine * plan.metrics).astype(np.float64)
    t_ms = plan.start_ms + np.floor(n * 1000.0 / plan.rate).astype(np.int64)
    drawn = uniform(plan.seed, Purpose.ALIGNED)(machine, np.zeros(1, dtype=np.int64))
    delayed = t_ms + _delay_ms(plan, machine, tick).astype(np.int64)
    return np.where(drawn < plan.numbers["aligned_share"], t_ms - t_ms % int(plan.interval_ms), delayed)


def _delay_ms(plan: Plan, of: Ints, tick: Ints) -> Floats:
    return np.floor(uniform(plan.seed, Purpose.JITTER)(of, tick) * (plan.numbers["jitter"] * plan.interval_ms))


def _jump_ms(plan: Plan, machine: Ints, tick: Ints) -> Ints:
    if plan.shape != "jumping":
        return np.zeros_like(tick)
    drawn = uniform(plan.seed, Purpose.JUMP)(machine, tick // int(plan.numbers["jump_ticks"]))
    share, jump_ms = plan.numbers["jump_share"], int(plan.numbers["jump_ms"])
    return np.where(drawn < share / 2, jump_ms, np.where(drawn < share, -jump_ms, 0))


def ahead_ms(plan: Plan, machine: Ints) -> Ints:
    """Milliseconds by which each machine's clock is ahead."""
    drawn = uniform(plan.seed, Purpose.CLOCK)(machine, np.zeros(1, dtype=np.int64))
    return np.floor(drawn * (2 * plan.clock_skew_ms + 1)).astype(np.int64) - plan.clock_skew_ms


def generations(plan: Plan, machine: Ints, t_ms: Ints) -> Ints:
    """Count how often each machine has been replaced by each time, by a correct clock."""
    life = plan.numbers["churn_ms"]
    alive = (t_ms - plan.start_ms) + uniform(plan.seed, Purpose.CHURN)(machine, np.zeros(1, dtype=np.int64)) * life
    return np.floor(np.maximum(0.0, alive) / life).astype(np.int64)


def planned(plans: Sequence[Plan]) -> Subjects:
    """List all subjects with a point, and possibly some without."""
    each = [_planned(plan) for plan in plans]
    pairs = np.unique(np.hstack([np.stack([some.series, some.generation]) for some in each]), axis=1)
    return Subjects(pairs[0], pairs[1])


def _planned(plan: Plan) -> Subjects:
    series = np.arange(min(plan.series, plan.sure))
    if plan.shape != "churn":
        return Subjects(series, np.zeros_like(series))
    machines = np.arange(-(-series.size // plan.metrics))
    ticks = np.arange(-(-plan.sure // plan.series))
    last = generations(
        plan, machines, times(plan, np.minimum((machines + 1) * plan.metrics, plan.series) - 1, ticks[-1:])
    )
    count = np.repeat(last + 1, plan.metrics)[: series.size]
    generation = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    return Subjects(np.repeat(series, count), generation)


def _ticks(plan: Plan, subjects: Subjects) -> Ints:
    if plan.shape != "churn":
        return np.arange(plan.ticks)
    ticks_a_life = plan.numbers["churn_ms"] / plan.interval_ms
    low = int((subjects.generation.min(initial=0) - 1) * ticks_a_life) - 1
    high = int((subjects.generation.max(initial=0) + 1) * ticks_a_life) + 2
    return np.arange(max(0, low), min(plan.ticks, high))


def _lanes(plan: Plan, s: Ints, k: Ints) -> list[tuple[Ints, Bools]]:
    """List what is sent at the turn of series s and tick k, in order: the tick of a point, and whether it exists."""
    always = np.ones((s.size, k.size), dtype=np.bool_)
    match plan.shape:
        case "gaps":
            ticks = int(plan.numbers["gap_ticks"])
            return [(k, uniform(plan.seed, Purpose.GAPS)(s, k // ticks) >= plan.numbers["gap_share"])]
        case "late":
            before = k - int(plan.numbers["late_ticks"])
            return [(k, ~_is_late(plan, s, k)), (before, (before >= 0) & _is_late(plan, s, before))]
        case "duplicate":
            return [(k, always), (k, uniform(plan.seed, Purpose.DUPLICATE)(s, k) < plan.numbers["duplicate_share"])]
        case "disorder":
            odd = k % 2 == 1
            swapped = uniform(plan.seed, Purpose.DISORDER)(s, k // 2) < plan.numbers["disorder_share"]
            swapped &= (k // 2 * 2 + 1) * plan.series + s < plan.points
            return [(k, ~swapped | odd), (k - 1, swapped & odd)]
        case _:
            return [(k, always)]


def _is_late(plan: Plan, s: Ints, k: Ints) -> Bools:
    turn = (k + int(plan.numbers["late_ticks"])) * plan.series + s
    return (uniform(plan.seed, Purpose.LATE)(s, k) < plan.numbers["late_share"]) & (turn < plan.points)


def _by_generation(plan: Plan, subjects: Subjects, series: Ints, points: Arrivals) -> Arrivals:
    """Assign the points of each series, ascending in time and generation, to the subjects."""
    s = series[points.subject]
    width = 1 << 32
    keys = subjects.series * width + subjects.generation
    wanted = s * width + generations(plan, s // plan.metrics, points.t_ms)
    found = np.minimum(np.searchsorted(keys, wanted), max(0, keys.size - 1))
    known = keys[found] == wanted
    return Arrivals(found[known], points.t_ms[known], points.value[known], points.sure[known])
