"""Several values as one, when there are more than are wanted.

The base adds an unknown value at the end when the values come out even, and knows four functions only.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from statistics import fmean

from graphite_render.render.datalib import TimeSeries

from ..errors import BadRequestError

FUNCTIONS: dict[str, Callable[[Sequence[float]], float]] = {
    "average": fmean,
    "avg": fmean,
    "sum": sum,
    "min": min,
    "max": max,
    "first": lambda known: known[0],
    "last": lambda known: known[-1],
}


def consolidated(series: TimeSeries) -> Iterator[float | None]:
    """Values of the series, each of ``valuesPerPoint`` stored ones; the last may be of fewer."""
    stored = list.__iter__(series)
    if series.valuesPerPoint <= 1:
        return stored
    return _consolidate(stored, series.valuesPerPoint, _function(series.consolidationFunc))


def mend() -> None:
    """Make the base's series use this."""
    TimeSeries.__iter__ = consolidated  # type: ignore[method-assign]


def _consolidate(
    stored: Iterator[float | None], values_per_point: int, function: Callable[[Sequence[float]], float]
) -> Iterator[float | None]:
    while values := list(islice(stored, values_per_point)):
        known = [value for value in values if value is not None]
        yield function(known) if known else None


def _function(name: str) -> Callable[[Sequence[float]], float]:
    if name not in FUNCTIONS:
        raise BadRequestError(f"consolidateBy has no function {name!r}, only {', '.join(FUNCTIONS)}")
    return FUNCTIONS[name]
