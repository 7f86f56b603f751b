"""A series on its way through functions: values, their times, and how it is called."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from . import allowance, idents
from .columns import Values, in_turn, reduced
from .errors import BadRequestError

Listed = list[float | None]
Given = Values | Sequence[float | None]
CALL = re.compile(r"[a-z]+\(.+\)", re.IGNORECASE | re.DOTALL)

# Names of consolidation functions, and the reductions that they are.
CONSOLIDATIONS = {
    "sum": "sum",
    "average": "average",
    "avg": "average",
    "avg_zero": "avg_zero",
    "min": "min",
    "max": "max",
    "first": "first",
    "last": "last",
}


@dataclass(eq=False)
class TimeSeries:
    """``values`` of slots of ``step`` seconds from ``start`` on, NaN where unknown. Never changed, only derived from.

    Functions may give and take them as a list as well, None where unknown: ``listed``.
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
    def computed(cls, name: str, start: int, end: int, step: int, values: Given, x_files_factor: float) -> Self:
        """One that is not derived from any other; its tags are those of its name."""
        return cls(name, start, end, step, array_of(values), name, tags_of(name), x_files_factor=x_files_factor)

    def derived(
        self,
        name: str | None = None,
        values: Given | None = None,
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
            rest["values"] = array_of(values)
        if tags:
            rest["tags"] = {**self.tags, **{tag: str(value) for tag, value in tags.items()}}
        return replace(self, **rest)

    def renamed(self, name: str, tags: Mapping[str, object] | None = None, **rest: Any) -> Self:
        """Give it another name; functions around it still name its path."""
        return self.derived(tags=tags, **{"name": name, "path": self.path, **rest})

    def retagged(self, tags: Mapping[str, str]) -> Self:
        """Give it these tags and no others."""
        return replace(self, tags=dict(tags))

    @property
    def listed(self) -> Listed:
        """Values as a list, None where unknown."""
        values: Listed = self.values.tolist()
        for n in np.flatnonzero(np.isnan(self.values)).tolist():
            values[n] = None
        return values

    @property
    def known(self) -> Values:
        """Known values, in order."""
        return self.values[~np.isnan(self.values)]

    def consolidated(self, per_point: int) -> Self:
        """Each ``per_point`` values as one by the series' own function; the last may be of fewer."""
        if per_point <= 1:
            return self
        columns = in_turn(self.values, per_point)
        slots = np.full(columns.shape[1], per_point)
        slots[-1:] -= columns.size - len(self.values)
        values = reduced(consolidation(self.consolidation), columns, self.x_files_factor, slots, per_point)
        return replace(self, values=values, step=self.step * per_point)

    @property
    def times(self) -> range:
        """Times of the values, epoch seconds; there are no more than fit before the end."""
        return range(self.start, self.end + 1, max(1, self.step))


def array_of(values: Given) -> Values:
    """Make an array of a list."""
    return values if isinstance(values, np.ndarray) else np.array(values, dtype=np.float64)


def consolidation(name: str) -> str:
    """Find the reduction of that name."""
    if name not in CONSOLIDATIONS:
        raise BadRequestError(f"consolidateBy has no function {name!r}, only {', '.join(CONSOLIDATIONS)}")
    return CONSOLIDATIONS[name]


def tags_of(name: str) -> dict[str, str]:
    """Tags that Graphite shows for a name; a call of a function has none but the name."""
    return {"name": name} if CALL.fullmatch(name) else idents.tags_of(name)
