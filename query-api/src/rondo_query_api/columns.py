"""Many values as one, for many columns at once: NaN is unknown, and comes out where nothing is known."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Matrix = NDArray[np.float64]
NEARLY = 1e-3
EXACT = 2.0**40  # beyond, NumPy's product may be a whole number off


@dataclass(frozen=True)
class Columns:
    """A matrix whose columns become one value each; ``slots`` of a column are values, the rest fills it up."""

    matrix: Matrix
    slots: int | NDArray[np.intp]

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """Where a value is known."""
        return ~np.isnan(self.matrix)

    @cached_property
    def is_whole(self) -> bool:
        """Whether all values are known, as they mostly are: then none need be counted or filled in."""
        return bool(self.known.all())

    @cached_property
    def count(self) -> NDArray[np.intp]:
        """How many values of each column are known."""
        rows, columns = self.matrix.shape
        return np.full(columns, rows) if self.is_whole else np.asarray(self.known.sum(0))

    @cached_property
    def total(self) -> Values:
        """Sum of the known values of each column."""
        return _sums(self.filled(0.0))

    def filled(self, number: float) -> Matrix:
        """Fill a number in for what is unknown; where nothing is, it is the matrix itself."""
        return self.matrix if self.is_whole else np.where(self.known, self.matrix, number)

    def at(self, rows: NDArray[np.intp]) -> Values:
        """Value of each column in the row that is given for it."""
        found: Values = np.take_along_axis(self.matrix, rows[np.newaxis], axis=0)[0]
        return found

    @property
    def first(self) -> Values:
        """First known value of each column."""
        return self.at(self.known.argmax(0))

    @property
    def last(self) -> Values:
        """Last known value of each column."""
        return self.at(len(self.matrix) - 1 - self.known[::-1].argmax(0))

    @property
    def least(self) -> Values:
        """Least known value of each column."""
        least: Values = self.filled(np.inf).min(0)
        return least

    @property
    def greatest(self) -> Values:
        """Greatest known value of each column."""
        greatest: Values = self.filled(-np.inf).max(0)
        return greatest

    @property
    def median(self) -> Values:
        """Mean of the two known values in the middle of each column, or the one."""
        ordered = np.sort(self.matrix, axis=0)  # NaN is last
        low, high = (
            np.take_along_axis(ordered, half[np.newaxis], axis=0)[0]
            for half in ((self.count - 1) // 2, self.count // 2)
        )
        middle: Values = np.where(low == high, low, (low + high) / 2)
        return middle

    @property
    def difference(self) -> Values:
        """First known value of each column minus all others."""
        signed = -self.filled(0.0)
        first = self.known.argmax(0)[np.newaxis]
        np.put_along_axis(signed, first, -np.take_along_axis(signed, first, axis=0), axis=0)
        return _sums(signed)

    @property
    def product(self) -> Values:
        """Product of all values of each column, unknown where one of them is."""
        fills_up = np.arange(len(self.matrix))[:, np.newaxis] >= self.slots
        product: Values = np.where(fills_up, 1.0, self.matrix).prod(0)
        return product

    @property
    def deviation(self) -> Values:
        """Standard deviation of the known values of each column."""
        off = np.where(self.known, self.matrix - self.total / self.count, 0.0)
        deviation: Values = np.sqrt(_sums(off * off) / self.count)
        return deviation


def _sums(matrix: Matrix) -> Values:
    """Sum of each column; of a single one as Python adds, to the last digit, for it may be shown in a name."""
    if matrix.shape[1] == 1:
        return np.array([sum(matrix[:, 0].tolist())])
    sums: Values = matrix.sum(0)
    return sums


Reduction = Callable[[Columns], Any]

REDUCTIONS: dict[str, Reduction] = {
    "average": lambda columns: columns.total / columns.count,
    "avg_zero": lambda columns: columns.total / columns.slots,
    "median": lambda columns: columns.median,
    "sum": lambda columns: columns.total,
    "min": lambda columns: columns.least,
    "max": lambda columns: columns.greatest,
    "diff": lambda columns: columns.difference,
    "stddev": lambda columns: columns.deviation,
    "count": lambda columns: columns.count,
    "range": lambda columns: columns.greatest - columns.least,
    "multiply": lambda columns: columns.product,
    "product": lambda columns: columns.filled(1.0).prod(0),
    "first": lambda columns: columns.first,
    "last": lambda columns: columns.last,
}


def reduced(
    name: str,
    matrix: Matrix,
    least_share: float | None = 0.0,
    slots: int | NDArray[np.intp] | None = None,
    whole: float | None = None,
) -> Values:
    """Each column as one value by a reduction; unknown where fewer than the share of ``whole`` is known.

    Without ``slots``, each column has as many as the matrix has rows; without ``whole``, that is the slots.
    """
    if matrix.shape[0] == 0:
        return np.full(matrix.shape[1], np.nan)
    columns = Columns(matrix, matrix.shape[0] if slots is None else slots)
    share_of = columns.slots if whole is None else whole
    with np.errstate(all="ignore"):
        values = REDUCTIONS[name](columns)
        enough = (columns.count > 0) & (columns.count / share_of >= (least_share or 0.0))
    return np.where(enough, values, np.nan)


def rounded(values: Values, digits: int) -> Values:
    """Values rounded as Python does; NumPy multiplies first and is one off at times where a value is about half way."""
    with np.errstate(all="ignore"):
        found: Values = np.round(values, digits)
        shifted = np.abs(values) * 10.0**digits
        unsure = np.flatnonzero((np.abs(shifted % 1 - 0.5) < NEARLY) | (np.isfinite(values) & (shifted > EXACT)))
    found[unsure] = [round(value, digits) for value in values[unsure].tolist()]
    return found


def side_by_side(rows: list[Values]) -> Matrix:
    """Rows of a matrix as long as the longest; what is missing of others is unknown."""
    longest = max(map(len, rows))
    if all(len(row) == longest for row in rows):
        return np.stack(rows)
    matrix = np.full((len(rows), longest), np.nan)
    for place, row in zip(matrix, rows, strict=True):
        place[: len(row)] = row
    return matrix


def in_turn(values: Values, length: int) -> Matrix:
    """Each ``length`` values in a row as one column; the last is filled up."""
    count = -(-len(values) // length)
    padded = np.full(count * length, np.nan)
    padded[: len(values)] = values
    return padded.reshape(count, length).T
