"""Many values as one: the functions that ``aggregate``, ``summarize``, ``sortBy`` and others take by name."""

import math
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import BadRequestError
from ..timeseries import Values

Row = Sequence[float | None]
Matrix = NDArray[np.float64]
Aggregate = Callable[[Row], float | None]


def _known(row: Row) -> list[float]:
    return [value for value in row if value is not None]


def _of_known(function: Callable[[list[float]], float]) -> Aggregate:
    """Aggregate of the known values; None when there are none."""

    def aggregate(row: Row) -> float | None:
        known = _known(row)
        return function(known) if known else None

    return aggregate


def _mean(known: list[float]) -> float:
    return sum(known) / len(known)


def _mean_with_zeros(row: Row) -> float | None:
    return sum(value or 0 for value in row) / len(row) if row else None


def _median(known: list[float]) -> float:
    ordered, half = sorted(known), len(known) // 2
    return ordered[half] if len(known) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _deviation(known: list[float]) -> float:
    mean = _mean(known)
    return math.sqrt(sum((value - mean) * (value - mean) for value in known) / len(known))


def _product(row: Row) -> float | None:
    return None if None in row else math.prod(map(float, _known(row)))


AGGREGATES: dict[str, Aggregate] = {
    "average": _of_known(_mean),
    "avg_zero": _mean_with_zeros,
    "median": _of_known(_median),
    "sum": _of_known(sum),
    "min": _of_known(min),
    "max": _of_known(max),
    "diff": _of_known(lambda known: sum([known[0], *(-value for value in known[1:])])),
    "stddev": _of_known(_deviation),
    "count": lambda row: len(_known(row)),
    "range": _of_known(lambda known: max(known) - min(known)),
    "multiply": _product,
    "last": _of_known(lambda known: known[-1]),
}
ALIASES = {"rangeOf": "range", "avg": "average", "total": "sum", "current": "last"}


def aggregate_by(name: str) -> Aggregate:
    """Aggregate of that name; raises :class:`BadRequestError` for another one."""
    return AGGREGATES[canonical(name)]


def canonical(name: str) -> str:
    """Name that an alias stands for; raises :class:`BadRequestError` for no aggregate's."""
    if ALIASES.get(name, name) not in AGGREGATES:
        raise BadRequestError(f"{name!r} is not an aggregate: {', '.join([*AGGREGATES, *ALIASES])}")
    return ALIASES.get(name, name)


# The common ones for many rows at once; each gets the values with 0, and where they are known.
COLUMNS: dict[str, Callable[[Matrix, NDArray[np.bool_]], Any]] = {
    "average": lambda values, known: values.sum(0) / known.sum(0),
    "sum": lambda values, known: values.sum(0),
    "min": lambda values, known: np.where(known, values, np.inf).min(0),
    "max": lambda values, known: np.where(known, values, -np.inf).max(0),
    "median": lambda values, known: _median_of_columns(np.where(known, values, np.inf), known.sum(0)),
}


def _median_of_columns(values: Matrix, count: NDArray[np.intp]) -> Matrix:
    """Mean of the two in the middle, or of the one twice; what is unknown is infinite."""
    ordered = np.sort(values, axis=0)
    low, high = (np.take_along_axis(ordered, half[np.newaxis], axis=0)[0] for half in ((count - 1) // 2, count // 2))
    middle: Matrix = np.where(low == high, low, (low + high) / 2)
    return middle


def aggregate_columns(name: str, rows: Sequence[Sequence[float | None]], least_share: float) -> Values:
    """Aggregate of the n-th values of all rows, for each n; None where fewer than the share of them is known."""
    name = canonical(name)
    if name not in COLUMNS:
        return [
            AGGREGATES[name](column) if is_enough(len(_known(column)), len(column), least_share) else None
            for column in zip_longest(*rows)
        ]
    length = max(map(len, rows))
    matrix = np.array([[*row, *[None] * (length - len(row))] for row in rows], dtype=np.float64)
    return matrix_columns(name, matrix, least_share)


def matrix_columns(name: str, matrix: Matrix, least_share: float) -> Values:
    """The same for a matrix, NaN where unknown, and one of :data:`COLUMNS`."""
    known = ~np.isnan(matrix)
    count = known.sum(0)
    with np.errstate(all="ignore"):
        values = COLUMNS[name](np.where(known, matrix, 0.0), known)
    enough = (count > 0) & (count / max(1, len(matrix)) >= least_share)
    columns = values.astype(object)
    columns[~enough] = None
    found: Values = columns.tolist()
    return found


def is_enough(known: int, total: float, least_share: float | None) -> bool:
    """Whether that many known values of so many make one."""
    return known > 0 and total > 0 and known / total >= (least_share or 0)
