"""Series as Graphite's servers hand them to each other, pickled or as MessagePack. Nothing here reads either."""

import pickle
from typing import Any

import msgpack

from ..timeseries import TimeSeries
from .request import RenderRequest

# Any Python reads it; what it says is the same as in later ones.
PICKLE_PROTOCOL = 2


def as_pickle(series_list: list[TimeSeries], request: RenderRequest) -> bytes:
    """List of records, pickled."""
    return pickle.dumps([_record(series) for series in series_list], PICKLE_PROTOCOL)


def as_msgpack(series_list: list[TimeSeries], request: RenderRequest) -> bytes:
    """List of records as MessagePack."""
    packed: bytes = msgpack.packb([_record(series) for series in series_list], default=float)
    return packed


def _record(series: TimeSeries) -> dict[str, Any]:
    """Name, times in epoch seconds and values, None where unknown."""
    return {
        "name": series.name,
        "start": series.start,
        "end": series.end,
        "step": series.step,
        "values": series.listed,
        "pathExpression": series.path,
        "valuesPerPoint": 1,
        "consolidationFunc": series.consolidation,
        "xFilesFactor": series.x_files_factor,
    }
