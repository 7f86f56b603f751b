"""Archives that are read inside calls: those of consolidateBy, coarser ones for maxDataPoints, or the finest."""

import pytest

from . import in_process
from .api_server import ApiClient
from .conftest import MakePolicy

T = 1_700_006_400  # a multiple of an hour
MINUTE, HOUR = 60, 3600
FINEST = list(range(T - 590, T + 1, 10))  # ends of all slots of the archive of 10 minutes


@pytest.fixture(scope="module")
def api(database_url: str) -> ApiClient:
    return in_process.api(database_url)


def values(api: ApiClient, target: str, seconds: int, **query: int) -> list[float | None]:
    [series] = api.render(target, T - seconds, T, now=T, **query)
    return [value for value, _ in series["datapoints"]]


@pytest.fixture(params=["sum", "min", "max", "last"])
def cf(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def counter(make_policy: MakePolicy, root: str, cf: str) -> str:
    """Name of a counter that grows by 60 every 10 s, with an archive of that function beside the means."""
    policy = make_policy().archive(10, 60).archive(60, 10_080).archive(60, 10_080, cf)
    series = policy.series(root).slots(10, {end: 6.0 * (end - T + HOUR) for end in FINEST})
    means = {end: 6.0 * (end - T + HOUR) - 150 for end in range(T - 2 * HOUR + 60, T + 1, 60)}
    factor, offset = {"sum": (6, 0), "min": (1, -150)}.get(cf, (1, 150))
    series.slots(60, means).slots(60, {end: factor * mean + offset for end, mean in means.items()}, cf)
    return root


@pytest.mark.parametrize(
    ("target", "fine", "coarse"),
    [
        ("consolidateBy(scaleToSeconds(nonNegativeDerivative({}),60),'{cf}')", 360.0, 360.0),
        ("consolidateBy(perSecond({}),'{cf}')", 6.0, 6.0),
        ("{}|perSecond()|consolidateBy('{cf}')", 6.0, 6.0),
        ("template(consolidateBy(perSecond({}),$f),f='{cf}')", 6.0, 6.0),
        ("consolidateBy(group(perSecond({}),perSecond({}))|limit(1),'{cf}')", 6.0, 6.0),
        ("consolidateBy(derivative({}),'{cf}')", 60.0, 360.0),
        ("consolidateBy(movingWindow(derivative({}),1,'avg'),'{cf}')", 60.0, 360.0),
    ],
)
def test_consolidate_by_ends_at_a_call_that_changes_what_slots_mean(
    api: ApiClient, counter: str, cf: str, target: str, fine: float, coarse: float
) -> None:
    asked = target.replace("{}", counter).replace("{cf}", cf)
    shown = values(api, asked, 540)
    assert len(shown) == 54
    assert set(shown[1:]) == {fine}
    assert set(values(api, asked, HOUR)[1:]) == {coarse}


def test_finest_slots_are_read_for_any_function(api: ApiClient, counter: str, cf: str) -> None:
    plain = values(api, counter, 540)
    assert len(plain) == 54
    assert values(api, f"consolidateBy({counter},'{cf}')", 540) == plain


def test_the_archive_of_the_function_is_read_where_the_finest_does_not_reach(
    api: ApiClient, counter: str, cf: str
) -> None:
    expected = {"sum": 6 * (6.0 * HOUR - 150), "min": 6.0 * HOUR - 300, "max": 6.0 * HOUR, "last": 6.0 * HOUR}[cf]
    assert values(api, f"consolidateBy({counter},'{cf}')", HOUR)[-1] == expected
    assert values(api, f"consolidateBy(alias({counter},'x'),'{cf}')", HOUR)[-1] == expected
    assert values(api, f"consolidateBy(scale({counter},2),'{cf}')", HOUR)[-1] == 2 * expected
    assert values(api, f"scale(consolidateBy({counter},'{cf}'),2)", HOUR)[-1] == 2 * expected
    assert values(api, f"derivative(consolidateBy({counter},'{cf}'))", HOUR)[-1] == (2160 if cf == "sum" else 360)


def test_a_negative_factor_does_not_read_the_opposite_extreme(api: ApiClient, counter: str, cf: str) -> None:
    mean = 6.0 * HOUR - 150
    expected = {"sum": -6 * mean, "min": -mean, "max": -mean, "last": -6.0 * HOUR}[cf]
    assert values(api, f"consolidateBy(scale({counter},-1),'{cf}')", HOUR)[-1] == expected


@pytest.fixture
def counts(make_policy: MakePolicy, root: str) -> str:
    """Name of a series of counts, 1 every 10 s and 31 in the last slot of each minute, for an hour."""
    policy = make_policy().archive(10, 360).archive(60, 1440)
    series = policy.series(root).slots(10, {t: 1.0 if t % MINUTE else 31.0 for t in range(T - HOUR + 10, T + 1, 10)})
    series.slots(60, dict.fromkeys(range(T - HOUR + 60, T + 1, 60), 6.0))
    return root


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("summarize({},'10min')", 360.0),
        ("summarize({},'10min','max')", 31.0),
        ("maximumAbove({},30)", 6.0),
        ("legendValue({},'total')|aliasSub('.*total: ([0-9.]+).*','constantLine(\\1)')", 6.0),
        ("movingMax({},6)", 31.0),
        ("hitcount({},'10min')", 3600.0),
        ("scale({},10)", 60.0),
        ("sumSeries({},{})", 12.0),
        ("sumSeries(absolute({}),removeAboveValue({},30))", 41 / 6),
    ],
)
def test_the_width_of_a_panel_does_not_change_what_functions_see(
    api: ApiClient, counts: str, target: str, expected: float
) -> None:
    shown = values(api, target.replace("{}", counts), HOUR - MINUTE, maxDataPoints=59)
    assert shown[len(shown) // 2] == pytest.approx(expected)


def test_coarser_slots_are_read_for_few_points_where_calls_keep_what_they_mean(
    api: ApiClient, make_policy: MakePolicy, root: str
) -> None:
    policy = make_policy().archive(10, 360).archive(60, 1440)
    series = policy.series(root).slots(10, dict.fromkeys(range(T - HOUR + 10, T + 1, 10), 1.0))
    series.slots(60, dict.fromkeys(range(T - HOUR + 60, T + 1, 60), 2.0))  # shows which archive was read
    for target, read in [
        ("{}", 2.0),
        ("alias({},'x')", 2.0),
        ("scale({},1)", 2.0),
        ("averageSeries({},{})", 2.0),
        ("offset(sumSeries({},{}),0)", 4.0),
        ("perSecond(integral({}))", 0.1),
        ("absolute({})", 1.0),
        ("keepLastValue({})", 1.0),
        ("consolidateBy({},'max')", 1.0),
        ("consolidateBy({},'average')", 2.0),
    ]:
        shown = values(api, target.replace("{}", root), HOUR, maxDataPoints=60)
        assert shown[30] == pytest.approx(read), target


@pytest.mark.parametrize(
    "target",
    [
        "movingAverage(consolidateBy({},'{cf}'),'20min')",
        "movingWindow(consolidateBy({},'{cf}'),120,'avg')",
        "smartSummarize(consolidateBy({},'{cf}'),'1h','avg','hours')",
    ],
)
def test_a_second_read_reaches_back_as_far_as_without_consolidate_by(
    api: ApiClient, make_policy: MakePolicy, root: str, cf: str, target: str
) -> None:
    """No archive of the function does; the means before the finest slots differ."""
    policy = make_policy().archive(10, 60).archive(60, 10_080)
    minutes = range(T - 2 * HOUR + MINUTE, T + 1, MINUTE)
    finest = dict.fromkeys(FINEST, 4.0)
    policy.series(root).slots(10, finest).slots(60, {end: 4.0 if end in finest else 2.0 for end in minutes})
    asked = target.replace("{}", root).replace("{cf}", cf)
    without = target.replace("consolidateBy({},'{cf}')", root)
    shown = values(api, asked, 300)
    assert None not in shown
    assert shown == values(api, without, 300)
