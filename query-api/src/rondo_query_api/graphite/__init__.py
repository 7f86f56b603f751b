"""Graphite-API (its distribution graphite-render) as a library for images.

Only this package imports it. Targets, functions and times are Rondo's own code.
"""

from .base import CAN_DRAW  # first: it configures graphite-render before any other import of it

# isort: split
from graphite_render.middleware import TrailingSlash
from graphite_render.render.datalib import TimeSeries as DrawnSeries
from graphite_render.render.glyph import GraphTypes, format_units

__all__ = [
    "CAN_DRAW",
    "DrawnSeries",
    "GraphTypes",
    "TrailingSlash",
    "format_units",
]
