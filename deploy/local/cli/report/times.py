"""Sums up the time by class and module: starting servers, waiting, and work."""

import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .reading import Case, JournalEntry, Run, TestClass

SLOWEST = 20
BUDGETS = Path(__file__).parents[1] / "test-budgets.toml"


@dataclass(frozen=True)
class Times:
    """Seconds of class time: start, wait, and work, which is the rest. Classes run concurrently."""

    seconds: float = 0.0
    start: float = 0.0
    wait: float = 0.0

    @property
    def work(self) -> float:
        """The rest. Starts and waits can overlap, and exceed the seconds."""
        return max(0.0, self.seconds - self.start - self.wait)

    def __add__(self, other: "Times") -> "Times":
        """Return the sum."""
        return Times(self.seconds + other.seconds, self.start + other.start, self.wait + other.wait)

    def line(self) -> str:
        """Return four columns."""
        return f"{self.seconds:9.1f} {self.start:8.1f} {self.wait:8.1f} {self.work:8.1f}"


HEADING = f"{'seconds':>9} {'start':>8} {'wait':>8} {'work':>8}"


def times_of(classes: Iterable[TestClass], journal: Iterable[JournalEntry]) -> dict[tuple[str, str], Times]:
    """Return the times of each module and class."""
    noted: defaultdict[tuple[str, str, str], float] = defaultdict(float)
    for entry in journal:
        noted[(entry.module, entry.test_class, entry.kind)] += entry.seconds
    found: dict[tuple[str, str], Times] = {}
    for each in classes:
        key = (each.module, each.name)
        found[key] = found.get(key, Times()) + Times(each.seconds, noted[(*key, "start")], noted[(*key, "wait")])
    return found


def by_module(times: dict[tuple[str, str], Times]) -> dict[str, Times]:
    """Return the times of each module, the longest first."""
    found: dict[str, Times] = {}
    for (module, _), each in times.items():
        found[module] = found.get(module, Times()) + each
    return dict(sorted(found.items(), key=lambda entry: -entry[1].seconds))


def read_budgets(run_kind: str, file: Path = BUDGETS) -> dict[str, float]:
    """Return the budget of each module, seconds, in a kind of run (``test`` or ``all``); empty without a file."""
    if not file.exists():
        return {}
    return {module: float(seconds) for module, seconds in tomllib.loads(file.read_text()).get(run_kind, {}).items()}


def describe_times(run: Run, budgets: dict[str, float]) -> list[str]:
    """Return lines about the slowest classes, the modules and the stages."""
    times = times_of(run.classes, run.journal)
    if not times:
        return describe_stages(run)
    slowest = sorted(times.items(), key=lambda entry: -entry[1].seconds)[:SLOWEST]
    modules = by_module(times)
    return [
        f"{HEADING}  slowest classes",
        *(f"{each.line()}  {module} {name.rpartition('.')[2]}" for (module, name), each in slowest),
        "",
        f"{HEADING}  modules",
        *(f"{each.line()}  {module}{over(each.seconds, budgets.get(module))}" for module, each in modules.items()),
        f"{sum(modules.values(), Times()).line()}  all",
        "",
        *describe_stages(run),
    ]


def over(seconds: float, budget: float | None) -> str:
    """Return a note if a module exceeds its budget."""
    if budget is None or seconds <= budget:
        return ""
    return f"  EXCEEDS its budget of {budget:.0f} s by {seconds - budget:.0f} s"


def describe_stages(run: Run) -> list[str]:
    """Return a line for each stage."""
    if not run.stages:
        return []
    return [
        f"{'seconds':>9}  stages",
        *(f"{stage.seconds:9d}  {stage.name}{': failed' if stage.failed else ''}" for stage in run.stages),
    ]


def skipped_by_reason(cases: Iterable[Case]) -> dict[str, int]:
    """Return the number of skipped tests by reason, the most frequent first."""
    return dict(Counter(case.reason for case in cases if case.reason is not None).most_common())


def describe_skipped(cases: Iterable[Case]) -> list[str]:
    """Return a line for each reason."""
    reasons = skipped_by_reason(cases)
    return (
        [f"{'skipped':>9}  reason", *(f"{count:9d}  {reason}" for reason, count in reasons.items())] if reasons else []
    )
