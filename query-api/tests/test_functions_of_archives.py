"""Archives of other functions than the weighted mean, for targets without consolidateBy."""

import pytest

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


@pytest.fixture
def counts(make_policy: MakePolicy, root: str) -> str:
    """Name of a series of counts: 1 every 10 s for an hour, and their sums for two."""
    policy = make_policy(aggregate="sum").archive(10, 360).archive(60, 1440, "sum").archive(60, 1440)
    series = policy.series(root).slots(10, dict.fromkeys(range(T - HOUR + 10, T + 1, 10), 1.0))
    minutes = range(T - 2 * HOUR + 60, T + 1, 60)
    series.slots(60, dict.fromkeys(minutes, 6.0), "sum").slots(60, dict.fromkeys(minutes, 1.0))
    return root


def values(api: ApiClient, target: str, hours: int, **query: int) -> list[float | None]:
    return [value for value, _ in api.render(target, T - hours * HOUR, T, now=T, **query)[0]["datapoints"]]


def test_a_policy_is_shown_by_its_aggregate(api: ApiClient, counts: str) -> None:
    assert values(api, counts, 1) == [1.0] * 360
    assert values(api, counts, 2) == [6.0] * 120
    assert values(api, f"consolidateBy({counts},'average')", 2) == [1.0] * 120
    assert values(api, f"consolidateBy({counts},'max')", 2) == [6.0] * 120
    assert values(api, f'summarize({counts},"30min")', 2)[1:-1] == [180.0] * 3
    assert values(api, f'summarize({counts},"10min","max")', 2)[1:-1] == [6.0] * 11


def test_functions_of_both_archives_in_one_request(api: ApiClient, counts: str) -> None:
    both = f"group({counts},consolidateBy({counts},'sum'),consolidateBy({counts},'average'))"
    shown = api.render(both, T - HOUR - 600, T, now=T, maxDataPoints=70)
    assert [{value for value, _ in each["datapoints"]} for each in shown] == [{6.0}, {6.0}, {1.0}]


def test_reads_of_different_parts_of_an_archive(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    policy = make_policy(aggregate="sum").archive(10, 360, written=(T - HOUR // 2 + 10, T))
    series = policy.archive(60, 1440, "sum", written=(T - 2 * HOUR, T)).series(root)
    series.slots(10, dict.fromkeys(range(T - HOUR // 2 + 10, T + 1, 10), 1.0))
    series.slots(60, dict.fromkeys(range(T - HOUR + 60, T + 1, 60), 6.0), "sum")

    query = {"from": T - HOUR, "until": T, "now": T, "maxDataPoints": 60, "format": "raw"}
    response = api.post("/render", {"target": f"group({root},consolidateBy({root},'sum'))"} | query)
    shown = [line.rpartition("|")[2] for line in response.text.splitlines()]
    assert shown == [",".join(["1.0"] * 360), ",".join(["6.0"] * 60)]


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("{}", 60.0),
        ("alias({},'counts')", 60.0),
        ("sumSeries({},{})", 120.0),
        ("transformNull(timeShift({},'0s'),1)", 60.0),
        ("groupByNode({},0,'avg')", 60.0),
        ("scale({},0.1)", 0.1),  # per second: computed values are consolidated by their mean
        ("scale(sumSeries({}),0.1)", 0.1),
        ("stddevSeries({})", 0.0),
        ("consolidateBy({},'average')", 1.0),
        ("consolidateBy(scale({},2),'sum')", 120.0),
        ("divideSeries({},{})", 1.0),
    ],
)
def test_counts_are_thinned_to_counts(api: ApiClient, counts: str, target: str, expected: float) -> None:
    *thinned, _ = values(api, target.replace("{}", counts), 1, maxDataPoints=6)  # the last one may have fewer slots
    assert thinned == pytest.approx([expected] * 5)
