"""Results of an audit, as JSON and as text."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from .compare import DIFFERENCES

SAME = ("equal", "open", "overwritten", "border")
KINDS = (*SAME, *DIFFERENCES)


@dataclass(frozen=True)
class Example:
    """One named difference; ``archive`` and ``end_ms`` are set for a slot."""

    kind: str
    what: str
    archive: str = ""
    end_ms: int | None = None
    expected: float | None = None
    found: float | None = None

    def json(self) -> dict[str, Any]:
        """Return a JSON object without missing fields, except the values of a slot."""
        document: dict[str, Any] = {"kind": self.kind, "what": self.what}
        if self.end_ms is not None:
            document |= {"archive": self.archive, "end": iso(self.end_ms), "end_ms": self.end_ms}
            document |= {"expected": self.expected, "found": self.found}
        return document

    def text(self) -> str:
        """One line of text."""
        if self.end_ms is None:
            return f"{self.kind}: {self.what}"
        values = f"expected {_value(self.expected)}, found {_value(self.found)}"
        return f"{self.kind}: {self.what} {self.archive} slot {iso(self.end_ms)}: {values}"


@dataclass
class Findings:
    """Additive counts: of batches, then of the whole plan."""

    show: int
    series: int = 0
    points: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    archives: dict[str, Counter[str]] = field(default_factory=dict)
    rendered: dict[str, Counter[str]] = field(default_factory=dict)
    others: Counter[str] = field(default_factory=Counter)
    examples: list[Example] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def counts(self) -> Counter[str]:
        """Slots in the tables by kind, over all archives."""
        return sum(self.archives.values(), Counter())

    @property
    def differing(self) -> Counter[str]:
        """Differences by kind: in the tables, in /render and elsewhere."""
        counts = self.counts + sum(self.rendered.values(), Counter()) + self.others
        return Counter({kind: n for kind, n in counts.items() if kind not in SAME})

    @property
    def is_clean(self) -> bool:
        """Whether there are no differences."""
        return not self.differing

    def add(self, more: "Findings") -> None:
        """Add the findings of another part of the plan."""
        self.series += more.series
        self.points += more.points
        self.dropped += more.dropped
        self.others += more.others
        for archive, counts in more.archives.items():
            self.archives[archive] = self.archives.get(archive, Counter()) + counts
        for archive, counts in more.rendered.items():
            self.rendered[archive] = self.rendered.get(archive, Counter()) + counts
        for example in more.examples:
            self.add_example(example)
        self.notes.extend(more.notes)

    def differ(self, kind: str, whats: Iterable[str]) -> None:
        """Count differences that do not concern a slot."""
        for what in whats:
            self.others[kind] += 1
            self.add_example(Example(kind, what))

    def add_example(self, example: Example) -> None:
        """Keep the example if there is room for its kind."""
        if sum(each.kind == example.kind for each in self.examples) < self.show:
            self.examples.append(example)

    def json(self) -> dict[str, Any]:
        """One JSON object."""
        return {
            "clean": self.is_clean,
            "series": self.series,
            "points": self.points,
            "slots": {kind: self.counts[kind] for kind in KINDS},
            "archives": {name: {kind: counts[kind] for kind in KINDS} for name, counts in self.archives.items()},
            "rendered": {name: {kind: counts[kind] for kind in KINDS} for name, counts in self.rendered.items()},
            "dropped": dict(self.dropped),
            "others": dict(self.others),
            "examples": [example.json() for example in self.examples],
            "notes": self.notes,
        }

    def text(self) -> str:
        """Text: a table of archives, then the differences."""
        lines = [f"{self.series} series, {self.points} points"]
        named = [*self.archives.items(), ("all", self.counts), *self.rendered.items()]
        kinds = [kind for kind in KINDS if kind != "border" or any(counts[kind] for _, counts in named)]
        lines.append("".join(["archive".ljust(24), *(kind.rjust(13) for kind in kinds)]))
        for name, counts in named:
            lines.append("".join([name.ljust(24), *(str(counts[kind]).rjust(13) for kind in kinds)]))
        if self.dropped:
            lines.append("dropped by the rules: " + ", ".join(f"{n} {why}" for why, n in sorted(self.dropped.items())))
        lines.extend(self.notes)
        lines.extend(f"{n} x {kind}" for kind, n in sorted(self.others.items()))
        lines.extend(example.text() for example in self.examples)
        return "\n".join(lines)


def iso(ms: int) -> str:
    """Epoch ms as ISO 8601 UTC, without the fraction if it is 0."""
    whole = ms % 1000 == 0
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="seconds" if whole else "milliseconds")[:-6] + "Z"


def _value(value: float | None) -> str:
    return "unknown" if value is None else repr(value)
