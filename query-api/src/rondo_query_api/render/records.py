"""Series as Graphite servers exchange them, pickled or as MessagePack. Rondo only writes these formats."""

import pickle
from typing import Any

import msgpack

from ..timeseries import TimeSeries
from .request import RenderRequest

# Readable by every Python version; later protocols add nothing here.
PICKLE_PROTOCOL = 2


def as_pickle(series_list: list[TimeSeries], request: RenderRequest) -> bytes:
    """Pickled list of records."""
    return pickle.dumps([_record(series) for series in series_list], PICKLE_PROTOCOL)


def as_msgpack(series_list: list[TimeSeries], request: RenderRequest) -> bytes:
    """MessagePack list of records."""
    packed: bytes = msgpack.packb([_record(series) for series in series_list], default=float)
    return packed


def _record(series: TimeSeries) -> dict[str, Any]:
    """Name, times in epoch seconds, and values; None is unknown."""
    return {
        "name": series.name,
        "start": series.start,
        "end": series.end,
        "step": series.step,
        "values": [*series.value_list],
        "pathExpression": series.path,
        "valuesPerPoint": 1,
        "consolidationFunc": series.consolidation,
        "xFilesFactor": series.x_files_factor,
    }
