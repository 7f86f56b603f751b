"""Graphite-API (its distribution graphite-render) as a library for images.

Only this package imports it. Targets, functions and times are Rondo's own code.
"""

from .base import CAN_DRAW  # first: it configures graphite-render before any other import of it

# isort: split
from graphite_render.middleware import TrailingSlash
from graphite_render.render.datalib import TimeSeries as DrawnSeries
from graphite_render.render.glyph import LineGraph, PieGraph, UnitSystems, format_units

from . import axes

UnitSystems["si"] = tuple((prefix.replace("K", "k"), size) for prefix, size in UnitSystems["si"])  # as in graphite-web

__all__ = [
    "CAN_DRAW",
    "DrawnSeries",
    "LineGraph",
    "PieGraph",
    "TrailingSlash",
    "axes",
    "format_units",
]
