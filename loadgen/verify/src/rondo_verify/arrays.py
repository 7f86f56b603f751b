"""Array types, and arithmetic on runs: in a flat array, the items of one series are consecutive."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]


def begins_run(run: Ints) -> Bools:
    """Whether each item is the first of its run; ``run`` does not decrease."""
    first = np.ones(run.size, dtype=np.bool_)
    np.not_equal(run[1:], run[:-1], out=first[1:])
    return first


def running_max(run: Ints, values: Ints) -> Ints:
    """Return, for each item, the greatest value of its run so far, including its own."""
    if not run.size:
        return values
    low = values.min()
    height = values.max() - low + 1
    return np.asarray(np.maximum.accumulate(values - low + run * height) - run * height + low)


def index_in_run(run: Ints) -> Ints:
    """Index of each item in its run."""
    index = np.arange(run.size)
    return index - np.maximum.accumulate(np.where(begins_run(run), index, 0))
