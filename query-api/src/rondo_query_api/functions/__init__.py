"""Graphite's functions, one module for each family; :data:`FUNCTIONS` has their names and parameters."""

from . import (  # noqa: F401 - each registers its functions
    arithmetic,
    buckets,
    combine,
    drawing,
    filters,
    forecast,
    gaps,
    groups,
    lines,
    moving,
    names,
    pairs,
    percent,
    percentiles,
    quotients,
    rates,
    shifts,
    sorting,
    special,
)
from .call import Call, Context, SeriesReader
from .catalogue import FUNCTIONS, Function, Param, nearest

__all__ = ["FUNCTIONS", "Call", "Context", "Function", "Param", "SeriesReader", "nearest"]
