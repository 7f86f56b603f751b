"""Samples of a part's metrics, from Prometheus' text format."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

from prometheus_client.parser import text_string_to_metric_families

# Names that /status reads begin with these: a topology exports thousands of others.
PREFIXES = (
    "rondo_",
    "kafka_connect_task_status",
    "kafka_consumer_records_lag_max",
    "kafka_consumer_fetch_manager_records_lag{",
    "kafka_consumer_fetch_manager_records_consumed_rate{",
)


class UnreadableError(ValueError):
    """A part sent an answer in an unknown format."""


@dataclass(frozen=True)
class Sample:
    """One value of a metric; it is finite."""

    labels: Mapping[str, str]
    value: float


@dataclass(frozen=True)
class Samples:
    """Samples by metric; an absent metric has none."""

    by_name: Mapping[str, list[Sample]] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the lines that begin with ``PREFIXES``, without values that are not finite.

        Raises :class:`UnreadableError`.
        """
        wanted = "\n".join(line for line in text.split("\n") if line.startswith(PREFIXES)) + "\n"
        by_name: dict[str, list[Sample]] = {}
        try:
            for family in text_string_to_metric_families(wanted):
                for each in family.samples:
                    if math.isfinite(each.value):
                        by_name.setdefault(each.name, []).append(Sample(each.labels, each.value))
        except (ValueError, KeyError, IndexError) as e:
            raise UnreadableError(f"its metrics are not in Prometheus' text format: {e}"[:200]) from e
        return cls(by_name)

    def of(self, name: str, **labels: str) -> list[Sample]:
        """Return all samples of a metric with these labels."""
        return [each for each in self.by_name.get(name, []) if labels.items() <= each.labels.items()]

    def sum(self, name: str, **labels: str) -> float | None:
        """Sum of the samples; None if there are none."""
        values = [each.value for each in self.of(name, **labels)]
        return sum(values) if values else None

    def highest(self, name: str, **labels: str) -> float | None:
        """Return the highest of the samples; None if there are none."""
        return max((each.value for each in self.of(name, **labels)), default=None)

    def sums(self, name: str, label: str, **labels: str) -> dict[str, float]:
        """Return sums by the value of a label."""
        found: dict[str, float] = {}
        for each in self.of(name, **labels):
            key = each.labels.get(label, "")
            found[key] = found.get(key, 0.0) + each.value
        return found


def highest(values: Iterable[float | None]) -> float | None:
    """Return the highest known value; None if none is known."""
    return max((each for each in values if each is not None), default=None)


def total(values: Iterable[float | None]) -> float | None:
    """Sum of the known values; None if none is known."""
    known = [each for each in values if each is not None]
    return sum(known) if known else None
