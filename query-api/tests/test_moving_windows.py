"""Moving windows of series with different steps."""

import pytest

from .api_server import ApiClient
from .conftest import MakePolicy

T = 1_700_006_400  # a multiple of an hour
HOUR = 3600


@pytest.fixture
def both(make_policy: MakePolicy, root: str) -> str:
    """Pattern of two series whose values are the minutes since an hour ago, with a step of 10 s and of a minute."""
    for name, step in (("seconds", 10), ("minutes", 60)):
        series = make_policy().archive(step, 2 * HOUR // step).series(f"{root}.{name}")
        series.slots(step, {time: (time - T + HOUR) / 60 for time in range(T - HOUR, T + 1, step)})
    return f"{root}.*"


@pytest.mark.parametrize("function", ["movingAverage", "movingMax", "exponentialMovingAverage"])
@pytest.mark.parametrize("window", ["5", "30", "'5min'"])
def test_a_window_ends_where_it_is_shown_whatever_the_steps_of_the_others(
    api: ApiClient, both: str, function: str, window: str
) -> None:
    range_ = {"start": T - 600, "end": T, "now": T}
    together = api.render(f"{function}({both},{window})", **range_)
    alone = [
        api.render(f"{function}({both.replace('*', name)},{window})", **range_)[0] for name in ("minutes", "seconds")
    ]
    assert together == alone


def test_no_value_is_after_the_range(api: ApiClient, both: str) -> None:
    query = {"target": f"movingAverage({both},5)", "from": T - 600, "until": T, "now": T, "format": "raw"}
    lengths = [len(line.partition("|")[2].split(",")) for line in api.post("/render", query).text.splitlines()]
    assert lengths == [10, 60]
