"""Shifted series of different steps."""

import pytest

from .api_server import ApiClient
from .conftest import MakePolicy

T = 1_700_006_400  # a multiple of an hour
HOUR = 3600


@pytest.mark.parametrize("call", ["timeShift({},'1h')", "timeShift({},'1h',false)", "timeStack({},'1h',0,2)"])
def test_each_series_keeps_the_times_of_its_slots(
    api: ApiClient, make_policy: MakePolicy, root: str, call: str
) -> None:
    for name, step in (("a", 10), ("b", 600)):
        series = make_policy().archive(step, 3 * HOUR // step).series(f"{root}.{name}")
        series.slots(step, {time: float(time - T) for time in range(T - 2 * HOUR, T + 1, step)})
    range_ = {"start": T - HOUR, "end": T, "now": T}

    shown = {each["target"]: each["datapoints"] for each in api.render(call.format(f"{root}.*"), **range_)}
    alone = {
        each["target"]: each["datapoints"]
        for name in "ab"
        for each in api.render(call.format(f"{root}.{name}"), **range_)
    }
    assert shown == alone
    [coarse] = [points for target, points in alone.items() if f"{root}.b" in target][-1:]
    assert [time for _, time in coarse] == [*range(T - HOUR + 600, T + 1, 600)]
