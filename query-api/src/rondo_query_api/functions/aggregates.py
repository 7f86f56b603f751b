"""Aggregates of values: the functions that ``aggregate``, ``summarize``, ``sortBy`` and others accept by name."""

import numpy as np

from ..errors import BadRequestError
from ..reductions import REDUCTIONS, Values, reduce_columns

AGGREGATES = tuple(name for name in REDUCTIONS if name not in ("first", "product"))
ALIASES = {"rangeOf": "range", "avg": "average", "total": "sum", "current": "last"}


def canonical(name: str) -> str:
    """Canonical name of an aggregate or alias; raises :class:`BadRequestError` for an unknown name."""
    if ALIASES.get(name, name) not in AGGREGATES:
        raise BadRequestError(f"{name!r} is not an aggregate: {', '.join([*AGGREGATES, *ALIASES])}")
    return ALIASES.get(name, name)


def aggregate(name: str, values: Values) -> float | None:
    """Aggregate of the known values; None if there are none, except for ``count``, which is 0."""
    if canonical(name) == "count":
        return int(np.count_nonzero(~np.isnan(values)))
    [value] = reduce_columns(canonical(name), values[:, np.newaxis]).tolist()
    return None if np.isnan(value) else value


def is_enough(known: int, total: float, min_known_share: float | None) -> bool:
    """Whether the known share of ``total`` values reaches the minimum, and at least one value is known."""
    return known > 0 and total > 0 and known / total >= (min_known_share or 0)
