"""A series that functions transform: its values, their times, and its name."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from .errors import BadRequestError
from .find import idents
from .limits import request_budget
from .reductions import Values, in_chunks, reduce_columns

ValueList = list[float | None]
ValuesLike = Values | Sequence[float | None]
CALL = re.compile(r"[a-z]+\(.+\)", re.IGNORECASE | re.DOTALL)

AVERAGE = "average"
# Reductions by the names of Graphite's consolidation functions.
CONSOLIDATIONS = {
    "sum": "sum",
    AVERAGE: AVERAGE,
    "avg": AVERAGE,
    "avg_zero": "avg_zero",
    "min": "min",
    "max": "max",
    "first": "first",
    "last": "last",
}


class TimelyList(list[float | None]):
    """A long list of values, whose iteration checks the request's time."""

    def __iter__(self) -> Iterator[float | None]:
        """Values one by one; raises when the request has no time left."""
        return request_budget.timely(self)


@dataclass(eq=False)
class TimeSeries:
    """``values`` of slots of ``step`` seconds from ``start`` on; NaN is unknown. Immutable: functions derive new ones.

    Functions may also use a list of values with None where unknown: ``value_list``.
    ``end`` is the time after the last slot. ``path`` is the expression that functions put into their own names.
    ``nodes`` has the nodes that functions number: the name, or the first path in it if it is a call; None if they must
    be parsed from the name. ``path_nodes`` has those of the path.
    Values are consolidated by ``consolidate_by``, which consolidateBy sets, or else by ``aggregate``: the function of
    the policy, or average for computed values. ``x_files_factor`` is the minimum known share.
    ``options`` are for drawing.
    """

    name: str
    start: int
    end: int
    step: int
    values: Values
    path: str
    tags: dict[str, str]
    nodes: str | None = None
    path_nodes: str | None = None
    aggregate: str = AVERAGE
    consolidate_by: str | None = None
    x_files_factor: float = 0.0
    options: dict[str, Any] = field(default_factory=dict)
    color: str | None = None

    @classmethod
    def computed(
        cls,
        name: str,
        start: int,
        end: int,
        step: int,
        values: ValuesLike,
        x_files_factor: float,
        nodes: str | None = None,
    ) -> Self:
        """Create a series that is not derived from another; its tags are those of its name."""
        request_budget.current().take_derived(name, len(values))
        tags = tags_of(name)
        return cls(name, start, end, step, array_of(values), name, tags, nodes, nodes, x_files_factor=x_files_factor)

    def derived(
        self,
        name: str | None = None,
        values: ValuesLike | None = None,
        tags: Mapping[str, object] | None = None,
        **rest: Any,
    ) -> Self:
        """Copy with these changes; tags are added, and a new name is also the new path.

        A name is that of a call on the series, unless ``nodes`` is passed. Changed values are consolidated by the mean,
        unless ``aggregate`` or consolidateBy names another function.
        Raises when the request exceeds a limit: functions derive every series that they return.
        """
        request_budget.current().take_derived(name or "", 0 if values is None else len(values))
        if name is not None:
            path = {} if "path" in rest else {"path": name, "path_nodes": rest.get("nodes", self.nodes)}
            rest = {"name": name, **path, **rest}
        if values is not None:
            rest = {"values": array_of(values), "aggregate": AVERAGE, **rest}
        if tags:
            rest["tags"] = {**self.tags, **{tag: str(value) for tag, value in tags.items()}}
        return replace(self, **rest)

    def renamed(self, name: str, tags: Mapping[str, object] | None = None, **rest: Any) -> Self:
        """Copy with another name; functions around it still use its path."""
        return self.derived(tags=tags, **{"name": name, "path": self.path, **rest})

    @property
    def is_call(self) -> bool:
        """Whether the name is, or may be, a call of a function."""
        return self.nodes != self.name

    def retagged(self, tags: Mapping[str, str]) -> Self:
        """Copy with exactly these tags."""
        return replace(self, tags=dict(tags))

    @property
    def value_list(self) -> ValueList:
        """Values as a list; None where unknown. Iterating a long one raises when the request has no time left."""
        values: ValueList = self.values.tolist()
        for n in np.flatnonzero(np.isnan(self.values)).tolist():
            values[n] = None
        return TimelyList(values) if len(values) > request_budget.CHECK_EVERY else values

    @property
    def known(self) -> Values:
        """Known values, in order."""
        return self.values[~np.isnan(self.values)]

    @property
    def consolidation(self) -> str:
        """Name of the function that consolidates the values."""
        return self.consolidate_by or self.aggregate

    def consolidated(self, per_point: int) -> Self:
        """Consolidate each ``per_point`` values into one by the series' function; the last point may have fewer."""
        if per_point <= 1:
            return self
        columns = in_chunks(self.values, per_point)
        slots = np.full(columns.shape[1], len(columns))
        slots[-1:] -= columns.size - len(self.values)
        values = reduce_columns(consolidation(self.consolidation), columns, self.x_files_factor, slots, per_point)
        return replace(self, values=values, step=self.step * per_point)

    @property
    def times(self) -> range:
        """Times of the values, epoch seconds, up to the end."""
        return range(self.start, self.end + 1, max(1, self.step))


def array_of(values: ValuesLike) -> Values:
    """Array of a list of values."""
    return values if isinstance(values, np.ndarray) else np.array(values, dtype=np.float64)


def consolidation(name: str) -> str:
    """Reduction with that name; raises :class:`BadRequestError` if there is none."""
    if name not in CONSOLIDATIONS:
        raise BadRequestError(f"consolidateBy has no function {name!r}, only {', '.join(CONSOLIDATIONS)}")
    return CONSOLIDATIONS[name]


def tags_of(name: str) -> dict[str, str]:
    """Tags that Graphite shows for a name; a function call has only ``name``."""
    return {"name": name} if CALL.fullmatch(name) else idents.tags_of(name)
