"""Context for functions that need more than their arguments."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from ..fetch.choose import AS_STORED, Wanted
from ..targets import Tree
from ..timeseries import TimeSeries, ValuesLike
from .aggregates import aggregate


class SeriesReader(Protocol):
    """Reads stored series; times in epoch seconds, data in (start, end]."""

    def read(self, pattern: str, start: int, end: int, wanted: Wanted) -> list[TimeSeries]:
        """Series that match the pattern, sorted by name."""

    def read_tagged(
        self, expressions: Sequence[str], path: str, start: int, end: int, wanted: Wanted
    ) -> list[TimeSeries]:
        """Series that match all tag expressions, sorted by name; ``path`` is the source text of the expressions."""

    def events(self, tags: Sequence[str], start: int, end: int) -> Mapping[int, int]:
        """Count the events that have all the tags, by second, from start to before end; seconds without are absent."""


@dataclass
class Context:
    """Context in which a target is evaluated: the range (start, end] and now, epoch seconds, and the request's options.

    ``wanted`` selects the archives for the enclosing calls. ``x_files_factor`` is the minimum known share, which
    setXFilesFactor changes for later evaluations. All targets of a request share ``stacks``.
    """

    start: int
    end: int
    now: int
    zone: ZoneInfo
    reader: SeriesReader
    wanted: Wanted = AS_STORED
    x_files_factor: float = 0.0
    template: Mapping[str, str] = field(default_factory=dict)
    in_template: bool = False
    stacks: dict[str, list[float]] = field(default_factory=dict)

    def read(self, pattern: str) -> list[TimeSeries]:
        """Series that match the pattern, sorted by name."""
        return self._with_x_files_factor(self.reader.read(pattern, self.start, self.end, self.wanted))

    def read_tagged(self, expressions: Sequence[str], path: str) -> list[TimeSeries]:
        """Series that match all tag expressions, sorted by name; ``path`` is the source text of the expressions."""
        return self._with_x_files_factor(self.reader.read_tagged(expressions, path, self.start, self.end, self.wanted))

    def _with_x_files_factor(self, series_list: list[TimeSeries]) -> list[TimeSeries]:
        share = self.x_files_factor
        return [
            series if series.x_files_factor == share else series.derived(x_files_factor=share) for series in series_list
        ]


@dataclass(frozen=True)
class Call:
    """The function call that is being evaluated; ``wanted`` selects the archives of its arguments."""

    context: Context
    wanted: Wanted
    args: Sequence[Tree]
    text: str
    evaluate: Callable[[Context, Tree], Any]
    evaluate_text: Callable[[Context, str], list[TimeSeries]]
    call_function: Callable[[Context, str, Sequence[list[TimeSeries]]], list[TimeSeries]]

    def again(self, start: int | None = None, end: int | None = None) -> list[TimeSeries]:
        """Evaluate the first argument again over another range, epoch seconds; None keeps an end."""
        over = replace(
            self.context,
            start=self.context.start if start is None else start,
            end=self.context.end if end is None else end,
            wanted=self.wanted,
        )
        series_list: list[TimeSeries] = self.evaluate(over, self.args[0])
        return series_list

    def target(self, text: str) -> list[TimeSeries]:
        """Evaluate another target in the same context."""
        return self.evaluate_text(replace(self.context), text)

    def value(self, text: str) -> float | None:
        """Last known value of the first series of another target, from the finest archive; None if there is none."""
        wanted = replace(self.context.wanted, thinned_by=None)
        found = self.evaluate_text(replace(self.context, wanted=wanted), text)
        return aggregate("last", found[0].values) if found else None

    def apply(self, function: str, *series_lists: list[TimeSeries]) -> list[TimeSeries]:
        """Call another function by name."""
        return self.call_function(self.context, function, series_lists)

    def computed(
        self, name: str, start: int, end: int, step: int, values: ValuesLike, nodes: str | None = None
    ) -> TimeSeries:
        """Create a series that is not derived from another one; ``nodes`` is the first path in its name."""
        return TimeSeries.computed(name, start, end, step, values, self.context.x_files_factor, nodes)
