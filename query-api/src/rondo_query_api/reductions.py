"""Reductions of the columns of a matrix to one value each.

NaN is an unknown value; a column without known values gives NaN.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .limits import request_budget

Values = NDArray[np.float64]
Matrix = NDArray[np.float64]
NEARLY = 1e-3
EXACT = 2.0**40  # beyond, NumPy's product may be off by one


@dataclass(frozen=True)
class Columns:
    """A matrix to reduce by columns; the first ``slots`` rows of a column are its values, the rest is padding."""

    matrix: Matrix
    slots: int | NDArray[np.intp]

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """Where a value is known."""
        return ~np.isnan(self.matrix)

    @cached_property
    def all_known(self) -> bool:
        """Whether all values are known: the usual case, which needs no counting and no filling."""
        return not self.matrix.size or not np.isnan(self.matrix.min())  # the minimum with a NaN is NaN

    @cached_property
    def count(self) -> NDArray[np.intp]:
        """Number of known values of each column."""
        rows, columns = self.matrix.shape
        return np.full(columns, rows) if self.all_known else np.asarray(self.known.sum(0))

    @cached_property
    def total(self) -> Values:
        """Sum of the known values of each column."""
        return _sums(self.filled(0.0))

    def filled(self, number: float) -> Matrix:
        """Matrix with unknown values replaced by ``number``; the matrix itself if there are none."""
        return self.matrix if self.all_known else np.where(self.known, self.matrix, number)

    def at(self, rows: NDArray[np.intp]) -> Values:
        """Value of each column in its given row."""
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
    def minimum(self) -> Values:
        """Minimum of the known values of each column."""
        minimum: Values = self.filled(np.inf).min(0)
        return minimum

    @property
    def maximum(self) -> Values:
        """Maximum of the known values of each column."""
        maximum: Values = self.filled(-np.inf).max(0)
        return maximum

    @property
    def median(self) -> Values:
        """Median of the known values of each column: the middle one, or the mean of the two in the middle."""
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
        """Product of all values of each column; unknown if one of them is."""
        padding = np.arange(len(self.matrix))[:, np.newaxis] >= self.slots
        product: Values = np.where(padding, 1.0, self.matrix).prod(0)
        return product

    @property
    def standard_deviation(self) -> Values:
        """Standard deviation of the known values of each column."""
        off = np.where(self.known, self.matrix - self.total / self.count, 0.0)
        deviation: Values = np.sqrt(_sums(off * off) / self.count)
        return deviation


def _sums(matrix: Matrix) -> Values:
    """Sum of each column. Python sums a single one, because a name may show all its digits."""
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
    "min": lambda columns: columns.minimum,
    "max": lambda columns: columns.maximum,
    "diff": lambda columns: columns.difference,
    "stddev": lambda columns: columns.standard_deviation,
    "count": lambda columns: columns.count,
    "range": lambda columns: columns.maximum - columns.minimum,
    "multiply": lambda columns: columns.product,
    "product": lambda columns: columns.filled(1.0).prod(0),
    "first": lambda columns: columns.first,
    "last": lambda columns: columns.last,
}


def reduce_columns(
    name: str,
    matrix: Matrix,
    min_known_share: float | None = 0.0,
    slots: int | NDArray[np.intp] | None = None,
    whole: float | None = None,
) -> Values:
    """Reduce each column to one value; NaN if the known share of ``whole`` is below ``min_known_share``.

    ``slots`` defaults to the number of rows of the matrix, ``whole`` to ``slots``.
    """
    if matrix.shape[0] == 0:
        return np.full(matrix.shape[1], np.nan)
    columns = Columns(matrix, matrix.shape[0] if slots is None else slots)
    share_of = columns.slots if whole is None else whole
    with np.errstate(all="ignore"):
        values = REDUCTIONS[name](columns)
        if columns.all_known and slots is None and whole is None and (min_known_share or 0.0) <= 1:
            return np.asarray(values, np.float64)
        enough = (columns.count > 0) & (columns.count / share_of >= (min_known_share or 0.0))
    return np.where(enough, values, np.nan)


def round_values(values: Values, digits: int) -> Values:
    """Round values as Python does. NumPy multiplies first, and is sometimes off by one near a half."""
    with np.errstate(all="ignore"):
        found: Values = np.round(values, digits)
        shifted = np.abs(values) * 10.0**digits
        unsure = np.flatnonzero((np.abs(shifted % 1 - 0.5) < NEARLY) | (np.isfinite(values) & (shifted > EXACT)))
    found[unsure] = [round(value, digits) for value in values[unsure].tolist()]
    return found


def stack_rows(rows: list[Values]) -> Matrix:
    """Matrix of rows of different lengths; shorter rows are padded with NaN.

    Raises :class:`LimitError` if the padding exceeds the points of the request.
    """
    longest = max(map(len, rows))
    if all(len(row) == longest for row in rows):
        return np.stack(rows)
    request_budget.current().take_points(len(rows) * longest - sum(map(len, rows)))
    matrix = np.full((len(rows), longest), np.nan)
    for target, row in zip(matrix, rows, strict=True):
        target[: len(row)] = row
    return matrix


def in_chunks(values: Values, length: int) -> Matrix:
    """Matrix with ``length`` consecutive values in each column, or all of fewer; the last is padded with NaN."""
    length = min(length, max(1, len(values)))
    count = -(-len(values) // length)
    padded = np.full(count * length, np.nan)
    padded[: len(values)] = values
    return padded.reshape(count, length).T
