"""Series as percentages of a total."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from ..errors import BadRequestError
from ..reductions import Values, reduce_columns, stack_rows
from ..timeseries import TimeSeries
from .alignment import Aligned, align
from .call import Call
from .catalogue import SERIES, Param, function
from .combine import paths_of
from .keeping import EACH_TIME
from .keys import grouped, key_of
from .quotients import divided
from .types import ANY, NODE_OR_TAG

SeriesList = list[TimeSeries]


@function(
    "asPercent",
    "Combine",
    SERIES,
    Param("total", ANY),
    Param("nodes", NODE_OR_TAG, multiple=True),
    aliases=["pct"],
    aggregator=True,
    keeps=EACH_TIME,
)
def as_percent(call: Call, series_list: SeriesList, total: Any, *nodes: int | str) -> SeriesList:
    """Each series as percentage of a total.

    The total is the sum of all series, a number, one series, or one series for each. With nodes or tags, it is that of
    each group of series with the same ones.
    """
    if not series_list:
        return []
    aligned = align(series_list)
    if nodes:
        return _by_group(call, aligned.series, total, lambda series: key_of(series, nodes))
    if total is None:
        total_name = f"sumSeries({paths_of(series_list)})"
        return _of_values(call, aligned, _sums(aligned.series), total_name)
    if not isinstance(total, list):
        if isinstance(total, bool) or not isinstance(total, int | float):
            raise BadRequestError(f"asPercent: total is {total!r}, neither a number nor series")
        longest = max(len(series.values) for series in aligned.series)
        return _of_values(call, aligned, np.full(longest, float(total)), str(total))
    if len(total) == len(series_list):
        by_name = attrgetter("name")
        pairs = zip(sorted(aligned.series, key=by_name), sorted(total, key=by_name), strict=True)
        return [_percentage(call, series, whole) for series, whole in pairs]
    if len(total) != 1:
        raise BadRequestError(f"asPercent: total is {len(total)} series, neither 1 nor {len(series_list)}")
    return [_percentage(call, series, total[0]) for series in aligned.series]


def _by_group(call: Call, series_list: SeriesList, total: Any, key: Callable[[TimeSeries], str]) -> SeriesList:
    if total is not None and not isinstance(total, list):
        raise BadRequestError(f"asPercent: total is {total!r}, neither none nor series, which nodes require")
    parts = grouped(series_list, key)
    wholes = {name: _sum(call, group) for name, group in grouped(series_list if total is None else total, key).items()}
    percentages = []
    for name in dict.fromkeys([*parts, *wholes]):
        for part in parts.get(name, [None]):
            percentages.append(_percentage(call, part, wholes.get(name)))
    return percentages


def _sum(call: Call, series_list: SeriesList) -> TimeSeries:
    if len(series_list) == 1:
        return series_list[0]
    aligned = align(series_list)
    name = f"sumSeries({paths_of(series_list)})"
    return call.computed(name, aligned.start, aligned.end, aligned.step, _sums(aligned.series))


def _sums(series_list: Sequence[TimeSeries]) -> Values:
    return reduce_columns("sum", stack_rows([series.values for series in series_list]))


def _of_values(call: Call, aligned: Aligned, totals: Values, total_name: str) -> SeriesList:
    return [
        call.computed(
            f"asPercent({series.name},{total_name})",
            aligned.start,
            series.end,
            aligned.step,
            divided(series.values, totals) * 100.0,
            series.nodes,
        )
        for series in aligned.series
    ]


def _percentage(call: Call, part: TimeSeries | None, whole: TimeSeries | None) -> TimeSeries:
    """Percentage of one series in another; unknown if one of them is missing."""
    aligned = align([series for series in (part, whole) if series])
    names = [series.name if series else "MISSING" for series in (part, whole)]
    unknown = np.full(len(aligned.series[0].values), np.nan)
    values = [series.values for series in aligned.series] if part and whole else [unknown, unknown]
    percentages = divided(*values) * 100.0
    name, nodes = f"asPercent({','.join(names)})", part.nodes if part else names[0]
    return call.computed(name, aligned.start, aligned.end, aligned.step, percentages, nodes)
