"""Graphite-API (its distribution graphite-render) as a library, what it gets wrong mended, one file each.

Only this package imports it; the others take from here what they use.
"""

from .base import CAN_DRAW, app  # first: it configures graphite-render for all other imports

# isort: split
from graphite_render.app import prune_datapoints, tree_json
from graphite_render.evaluator import evaluateTokens, pathsFromTokens
from graphite_render.intervals import Interval, IntervalSet
from graphite_render.middleware import TrailingSlash
from graphite_render.node import BranchNode, LeafNode, Node
from graphite_render.render.datalib import TimeSeries, fetchData
from graphite_render.render.glyph import GraphTypes
from graphite_render.storage import FindQuery

from . import alignment, consolidation, grammar, store

for mended in (alignment, consolidation, grammar, store):
    mended.mend()

__all__ = [
    "CAN_DRAW",
    "BranchNode",
    "FindQuery",
    "GraphTypes",
    "Interval",
    "IntervalSet",
    "LeafNode",
    "Node",
    "TimeSeries",
    "TrailingSlash",
    "app",
    "evaluateTokens",
    "fetchData",
    "pathsFromTokens",
    "prune_datapoints",
    "tree_json",
]
