"""Archives of other functions than the weighted mean, for targets without consolidateBy."""

from .api_server import ApiClient
from .conftest import MakePolicy

T = 1_700_006_400  # a multiple of an hour
HOUR = 3600


def test_sums_are_shown_where_no_mean_reaches_back_and_thinned_to_sums(
    api: ApiClient, make_policy: MakePolicy, root: str
) -> None:
    policy = make_policy().archive(10, 360).archive(60, 1440, "sum")
    series = policy.series(root).slots(10, {T: 1.0})
    series.slots(60, {T - 60: 5.0, T: 6.0}, "sum")

    assert api.render(root, T - 10, T, now=T)[0]["datapoints"] == [[1.0, T]]
    assert api.render(root, T - 2 * HOUR, T, now=T)[0]["datapoints"][-2:] == [[5.0, T - 60], [6.0, T]]
    thinned = api.render(root, T - 2 * HOUR, T, now=T, maxDataPoints=60)[0]["datapoints"]
    assert len(thinned) <= 60
    assert thinned[-1][0] == 11.0
    shown = api.render(f"consolidateBy({root},'average')", T - 2 * HOUR, T, now=T, maxDataPoints=60)[0]["datapoints"]
    assert shown[-1][0] == 5.5


def test_a_policy_of_sums_only_is_shown(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    policy = make_policy().archive(60, 1440, "sum")
    policy.series(root).slots(60, {T: 6.0}, "sum")

    assert api.render(root, T - 60, T, now=T)[0]["datapoints"] == [[6.0, T]]
