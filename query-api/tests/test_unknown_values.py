"""Functions and values that are unknown."""

import pytest

from .api_server import ApiClient
from .conftest import MakePolicy

T = 1_700_006_400  # a multiple of an hour


@pytest.mark.parametrize("factor", [0, 1, 2])
def test_no_power_of_an_unknown_value_is_known(api: ApiClient, make_policy: MakePolicy, root: str, factor: int) -> None:
    make_policy().archive(10, 360).series(root).slots(10, {T: 3.0})

    [power] = api.render(f"pow({root},{factor})", T - 20, T, now=T)
    assert [value for value, _ in power["datapoints"]] == [None, 3.0**factor]


def test_a_reference_of_another_step_counts_at_the_same_time(
    api: ApiClient, make_policy: MakePolicy, root: str
) -> None:
    """The reference is known in the second of three minutes, and in half of the third."""
    make_policy().archive(60, 60).series(f"{root}.minutes").slots(60, {T - 240: 1.0})
    known = dict.fromkeys([*range(T - 110, T - 59, 10), T - 50, T - 40], 1.0)
    make_policy().archive(10, 360).series(f"{root}.reference").slots(10, known)
    range_ = {"start": T - 180, "end": T, "now": T}

    [minutes] = api.render(f"transformNull({root}.minutes,0,{root}.reference)", **range_)
    assert minutes["datapoints"] == [[None, T - 120], [0.0, T - 60], [0.0, T]]
    [seconds] = api.render(f"transformNull({root}.reference,0,{root}.minutes)", **range_)
    assert seconds["datapoints"] == [[1.0 if time in known else None, time] for time in range(T - 170, T + 1, 10)]
