"""Padding takes no more memory than the points that a request may have."""

import tracemalloc

import numpy as np
import pytest

from rondo_query_api.errors import LimitError
from rondo_query_api.limits import request_budget
from rondo_query_api.limits.request_budget import RequestBudget
from rondo_query_api.reductions import stack_rows
from rondo_query_api.timeseries import CONSOLIDATIONS, TimeSeries


@pytest.mark.parametrize("name", list(CONSOLIDATIONS))
def test_of_a_point_that_is_longer_than_the_series(name: str) -> None:
    values = np.array([3.0, np.nan, 1.0, 2.0])
    series = TimeSeries.computed("a", 0, 4, 1, values, 0.0).derived(consolidate_by=name)
    tracemalloc.start()
    try:
        long = series.consolidated(10_000_000)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
    assert (long.step, long.values.tolist()) == (10_000_000, series.consolidated(4).values.tolist())
    few = series.derived(values=values, x_files_factor=0.5, consolidate_by=name)
    assert np.isnan(few.consolidated(7).values).all()  # three of seven are known
    assert not np.isnan(few.consolidated(6).values).any()
    assert few.derived(values=np.array([])).consolidated(7).values.tolist() == []


def test_of_rows_is_counted_before_they_are_stacked() -> None:
    rows = [np.zeros(1000), *[np.zeros(1)] * 10]
    request_budget.begin(RequestBudget(points=9989))
    with pytest.raises(LimitError, match="9990 points, at most 9989"):
        stack_rows(rows)
    request_budget.begin(RequestBudget(points=9990))
    assert stack_rows(rows).shape == (11, 1000)
