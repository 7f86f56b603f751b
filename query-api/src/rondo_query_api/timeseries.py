"""A series on its way through functions: values, their times, and how it is called."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from . import allowance, idents
from .errors import BadRequestError

Values = list[float | None]
CALL = re.compile(r"[a-z]+\(.+\)", re.IGNORECASE | re.DOTALL)

CONSOLIDATIONS: dict[str, Callable[[Sequence[float]], float]] = {
    "sum": sum,
    "average": lambda known: sum(known) / len(known),
    "avg": lambda known: sum(known) / len(known),
    "avg_zero": lambda known: sum(known) / len(known),  # it gets zeros for what is unknown
    "min": min,
    "max": max,
    "first": lambda known: known[0],
    "last": lambda known: known[-1],
}


@dataclass
class TimeSeries:
    """``values`` of slots of ``step`` seconds from ``start`` on, None where unknown. Never changed, only derived from.

    ``end`` is the time after the last slot's. ``path`` is the expression that functions name in their own names.
    ``consolidation`` and ``x_files_factor`` (least known share) say how values become fewer.
    ``options`` are for drawing.
    """

    name: str
    start: int
    end: int
    step: int
    values: Values
    path: str
    tags: dict[str, str]
    consolidation: str = "average"
    x_files_factor: float = 0.0
    options: dict[str, Any] = field(default_factory=dict)
    color: str | None = None

    @classmethod
    def computed(cls, name: str, start: int, end: int, step: int, values: Values, x_files_factor: float) -> Self:
        """One that is not derived from any other; its tags are those of its name."""
        return cls(name, start, end, step, values, name, tags_of(name), x_files_factor=x_files_factor)

    def derived(
        self,
        name: str | None = None,
        values: Values | None = None,
        tags: Mapping[str, object] | None = None,
        **rest: Any,
    ) -> Self:
        """Derive one, the same but for what is given; tags are added. A new name is the new path if none is given.

        Raises when the request has no time left: functions derive every series that they make.
        """
        allowance.current().seconds_left()
        if name is not None:
            rest = {"name": name, "path": name, **rest}
        if values is not None:
            rest["values"] = values
        if tags:
            rest["tags"] = {**self.tags, **{tag: str(value) for tag, value in tags.items()}}
        return replace(self, **rest)

    def renamed(self, name: str, tags: Mapping[str, object] | None = None, **rest: Any) -> Self:
        """Give it another name; functions around it still name its path."""
        return self.derived(tags=tags, **{"name": name, "path": self.path, **rest})

    def retagged(self, tags: Mapping[str, str]) -> Self:
        """Give it these tags and no others."""
        return replace(self, tags=dict(tags))

    def known(self) -> list[float]:
        """Known values, in order."""
        return [value for value in self.values if value is not None]

    def consolidated(self, per_point: int) -> Self:
        """Each ``per_point`` values as one by the series' own function; the last may be of fewer."""
        if per_point <= 1:
            return self
        function = consolidation(self.consolidation)
        unknown: list[float] = [0.0] if self.consolidation == "avg_zero" else []
        values: Values = []
        for n in range(0, len(self.values), per_point):
            slots = self.values[n : n + per_point]
            known = [value for value in slots if value is not None]
            enough = known and len(known) / per_point >= self.x_files_factor
            values.append(function(known + unknown * (len(slots) - len(known))) if enough else None)
        return replace(self, values=values, step=self.step * per_point)

    @property
    def times(self) -> range:
        """Times of the values, epoch seconds; there are no more than fit before the end."""
        return range(self.start, self.end + 1, max(1, self.step))


def consolidation(name: str) -> Callable[[Sequence[float]], float]:
    """Find the function that makes one value of many known ones."""
    if name not in CONSOLIDATIONS:
        raise BadRequestError(f"consolidateBy has no function {name!r}, only {', '.join(CONSOLIDATIONS)}")
    return CONSOLIDATIONS[name]


def tags_of(name: str) -> dict[str, str]:
    """Tags that Graphite shows for a name; a call of a function has none but the name."""
    return {"name": name} if CALL.fullmatch(name) else idents.tags_of(name)
