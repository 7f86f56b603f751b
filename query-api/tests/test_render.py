import time
from http.client import HTTPConnection, IncompleteRead
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from .api_server import ApiClient, serve
from .archive_rows import NAN
from .conftest import MakePolicy
from .waiting import wait_until

T = 1_700_006_400  # a multiple of an hour
HOUR = 3600


def values(series: dict[str, Any]) -> list[float | None]:
    return [value for value, _ in series["datapoints"]]


def times(series: dict[str, Any]) -> list[int]:
    return [time for _, time in series["datapoints"]]


@pytest.fixture
def ramp(make_policy: MakePolicy, root: str) -> str:
    """Series with the slots T+10 … T+120: 1.0 … 12.0."""
    policy = make_policy().archive(10, 2160)
    policy.series(f"{root}.ramp").slots(10, {T + 10 * n: float(n) for n in range(1, 13)})
    return f"{root}.ramp"


def test_a_point_renders_at_its_very_time(api: ApiClient, ramp: str) -> None:
    [series] = api.render(ramp, T, T + 30)
    assert series == {
        "target": ramp,
        "tags": {"name": ramp},
        "datapoints": [[1.0, T + 10], [2.0, T + 20], [3.0, T + 30]],
    }


def test_ends_snap_as_whispers(api: ApiClient, ramp: str) -> None:
    assert times(api.render(ramp, T + 9, T + 29)[0]) == [T + 10, T + 20]
    assert times(api.render(ramp, T + 10, T + 30)[0]) == [T + 20, T + 30]
    assert times(api.render(ramp, T + 1, T + 2)[0]) == [T + 10]


def test_unknown_is_null_and_zero_is_not(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    policy = make_policy().archive(10, 360)
    policy.series(root).slots(10, {T + 10: 0.0, T + 20: NAN, T + 40: -0.0})
    for target in (root, f"consolidateBy({root},'max')"):
        assert values(api.render(target, T, T + 50)[0]) == [0.0, None, None, 0.0, None]
    assert values(api.render(root, T, T + 50, noNullPoints=1)[0]) == [0.0, 0.0]


def test_values_of_a_previous_series_are_hidden(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    series = make_policy().archive(10, 360).series(root, starts_at=T + 20)
    series.slots(10, {T + 10: 1.0, T + 20: 2.0, T + 30: 3.0})
    assert values(api.render(root, T, T + 30)[0]) == [None, None, 3.0]


def test_rows_of_an_earlier_round_are_hidden(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    policy = make_policy().archive(10, 6)
    policy.series(root).slots(10, {T - 10: 5.0, T + 10: 1.0})
    assert values(api.render(root, T, T + 60)[0]) == [1.0, None, None, None, None, None]


def test_not_a_number_and_infinity_are_null(api: ApiClient, ramp: str) -> None:
    assert values(api.render(f"scale({ramp},1e400)", T, T + 20)[0]) == [None, None]
    assert values(api.render(f"offset(scale({ramp},1e400),-1e400)", T, T + 20)[0]) == [None, None]


def test_many_formats(api: ApiClient, ramp: str) -> None:
    query = {"target": ramp, "from": T, "until": T + 30, "now": T + 30}
    csv = api.get("/render", **query, format="csv")
    assert csv.headers.get_content_type() == "text/csv"
    assert csv.text.splitlines()[0] == f"{ramp},2023-11-15 00:00:10,1.0"
    assert api.get("/render", **query, format="csv", tz="Asia/Tokyo").text.split(",")[1] == "2023-11-15 09:00:10"
    raw = api.get("/render", **query, format="raw")
    assert raw.text == f"{ramp},{T + 10},{T + 40},10|1.0,2.0,3.0\n"
    assert api.get("/render", **query, rawData="true").text == raw.text
    jsonp = api.get("/render", **query, format="json", jsonp="show")
    assert (jsonp.headers.get_content_type(), jsonp.text[:6]) == ("text/javascript", "show([")


def test_get_post_form_and_json_are_equal(api: ApiClient, ramp: str) -> None:
    query = {"target": ramp, "from": T, "until": T + 30, "now": T + 30, "format": "json"}
    expected = api.get("/render", **query).json
    assert len(expected) == 1
    assert api.get("/render/", **query).json == expected
    assert api.post("/render", query).json == expected
    assert api.post("/render/", query).json == expected
    assert api.post_json("/render", query).json == expected
    assert api.post("/render", {"target[]" if k == "target" else k: v for k, v in query.items()}).json == expected


def test_grafanas_check_needs_no_series(api: ApiClient) -> None:
    query = {"target": "constantLine(100)", "from": "now-1h", "until": "now", "maxDataPoints": 100, "format": "json"}
    response = api.post("/render", query)
    assert (response.status, {value for value, _ in response.json[0]["datapoints"]}) == (200, {100})


def test_missing_series_are_an_empty_list(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    make_policy().series(f"{root}.without-archive")
    for target in ("nope", f"{root}.*", f"sumSeries({root}.*)", "nope;a=b", "nope;a"):
        assert api.render(target, T, T + 60) == []


def test_responses_are_never_stale(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    series = make_policy().archive(10, 360).series(root)
    for n in range(1, 6):
        series.slots(10, {T + 10: float(n)})
        assert values(api.render(root, T, T + 10)[0]) == [float(n)]


def test_tagged_series_are_rendered_by_their_text(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    policy = make_policy().archive(10, 360)
    idents = [{"dc": "ams"}, {"dc": "ams", "host": "a.b-1"}, {"dc": "a (b), 'c'=\"d\" é"}]
    for n, tags in enumerate(idents):
        policy.series({"name": f"{root}.used", **tags}).slots(10, {T + 10: float(n)})
    for n, text in enumerate(["dc=ams", "host=a.b-1;dc=ams", "dc=a\\ \\(b\\)\\,\\ \\'c\\'=\\\"d\\\"\\ é"]):
        for target in (f"{root}.used;{text}", f"sumSeries({root}.used;{text})"):
            [series] = api.render(target, T, T + 10)
            assert values(series) == [float(n)]
        tags = api.render(f"alias({root}.used;{text},'x')", T, T + 10)[0]["tags"]
        assert tags == {"name": f"{root}.used", **idents[n]}


def test_names_may_be_odd(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    policy = make_policy().archive(10, 360)
    for n, name in enumerate(
        ["100%", "a+b", "x^2$", "(c)", "it's", 'say"hi"', "naïve", "日本", "a\\b", "a b", "[0]", "a|b"]
    ):
        full = f"{root}.{name}"
        policy.series(full).slots(10, {T + 10: float(n)})
        target = "".join(f"\\{c}" if c in "(){},'\"\\ =|" else c for c in full)
        [series] = api.render(target, T, T + 10)
        assert (series["target"], values(series)) == (full, [float(n)])
        [shifted] = api.render(f"timeShift({target},'10s')", T + 10, T + 20)
        assert values(shifted) == [float(n)]
    assert len(api.render(f"{root}.*", T, T + 10)) == 12


def test_functions_that_read_again(api: ApiClient, ramp: str) -> None:
    [moving] = api.render(f"movingAverage({ramp},3)", T + 60, T + 120)
    assert moving["datapoints"][:2] == [[6.0, T + 70], [7.0, T + 80]]  # the three up to then: 5, 6, 7 and 6, 7, 8
    [shifted] = api.render(f"timeShift({ramp},'1min')", T + 60, T + 120)
    assert values(shifted) == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]


def test_a_moving_window_keeps_the_step_at_the_edge_of_an_archive(
    api: ApiClient, make_policy: MakePolicy, root: str
) -> None:
    policy = make_policy().archive(10, 360).archive(60, 1440)
    policy.series(root).slots(10, {T + 10 * n: 1.0 for n in range(1, 361)}).slots(60, {T + 60: 99.0})
    [moving] = api.render(f"movingAverage({root},6)", T, T + HOUR)
    assert times(moving)[1] - times(moving)[0] == 10
    assert set(values(moving)) == {1.0}


def test_a_moving_window_continues_in_the_coarser_archive(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    policy = make_policy().archive(10, 360).archive(60, 1440)
    policy.series(root).slots(10, {T + 10 * n: 1.0 for n in range(1, 361)}).slots(60, {T: 7.0})
    [moving] = api.render(f"movingAverage({root},6)", T, T + HOUR)
    assert moving["datapoints"][:3] == [[6.0, T + 10], [5.0, T + 20], [4.0, T + 30]]
    assert values(moving)[5:] == [1.0] * 355


def test_series_of_different_steps_are_summed_by_time(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    fine = make_policy().archive(10, 2160)
    fine.series(f"{root}.fine").slots(10, {T + 10 * n: float(n) for n in range(1, 13)})
    coarse = make_policy().archive(60, 1440)
    coarse.series(f"{root}.coarse").slots(60, {T + 60: 100.0, T + 120: 200.0})
    expected = [[100 + 3.5, T + 60], [200 + 9.5, T + 120]]
    assert api.render(f"sumSeries({root}.*)", T, T + 120)[0]["datapoints"] == expected
    assert api.render(f"sumSeries({root}.*)", T - 30, T + 120)[0]["datapoints"] == [[None, T], *expected]
    assert api.render(f"sumSeries({root}.*)", T + 30, T + 120)[0]["datapoints"] == [[100 + 5, T + 60], expected[1]]
    [quotient] = api.render(f"asPercent({root}.coarse,{root}.fine)", T, T + 120)
    assert quotient["datapoints"] == [[pytest.approx(10000 / 3.5), T + 60], [pytest.approx(20000 / 9.5), T + 120]]


def test_the_range_and_max_data_points_choose_the_archive(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    policy = make_policy().archive(10, 360).archive(60, 1440).archive(60, 1440, "max")
    series = policy.series(root)
    series.slots(10, {T: 10.0}).slots(60, {T: 60.0}).slots(60, {T: 600.0}, "max")
    assert values(api.render(root, T - HOUR, T)[0])[-1] == 10.0
    assert values(api.render(root, T - HOUR - 1, T)[0])[-1] == 60.0
    assert values(api.render(root, T - HOUR, T, maxDataPoints=60)[0])[-1] == 60.0
    assert values(api.render(root, T - HOUR, T, maxDataPoints=61)[0])[-1] == 10.0
    assert values(api.render(root, T - 60, T, now=T + HOUR)[0])[-1] == 60.0
    targets = [root, f"aliasSub(consolidateBy({root},'max'),'^.*$','x')"]
    assert [values(each)[-1] for each in api.render(targets, T - HOUR - 1, T)] == [60.0, 600.0]


def test_points_are_consolidated_to_max_data_points(api: ApiClient, ramp: str) -> None:
    [series] = api.render(ramp, T, T + 120, maxDataPoints=4)
    assert series["datapoints"] == [[3.0, T + 30], [6.0, T + 60], [9.0, T + 90], [11.5, T + 120]]  # as Graphite aligns
    [series] = api.render(f"consolidateBy({ramp},'last')", T, T + 120, maxDataPoints=4)
    assert values(series) == [4.0, 7.0, 10.0, 12.0]


def test_whole_numbers_beyond_64_bits_are_floats(api: ApiClient) -> None:
    [series] = api.render("constantLine(100000000000000000000)", T, T + 60)
    assert set(values(series)) == {1e20}


def test_template(api: ApiClient, ramp: str) -> None:
    target = f"template({ramp.replace('ramp', '$what')})"
    query: dict[str, Any] = {"template[what]": "ramp"}
    assert len(api.render(target, T, T + 10, **query)) == 1


def test_a_streamed_response_is_cut_when_its_time_is_over(database_url: str, api_directory: Path) -> None:
    """CSV of a million lines cannot end before it is read, and is read too late; no line of the log has a traceback."""
    limit_s = 4
    with serve(api_directory, database_url, RONDO_API_REQUEST_TIMEOUT_MS=str(limit_s * 1000)) as api:
        address = urlsplit(api.url)
        connection = HTTPConnection(address.hostname or "", address.port, timeout=60)
        target = ",".join([f"time('t{n}',60)" for n in range(20)])
        query = {"target": f"group({target})", "from": "-30d", "until": "now", "format": "csv"}
        began = time.monotonic()
        connection.request("GET", f"/render?{urlencode(query)}")
        response = connection.getresponse()
        assert response.status == 200
        wait_until(lambda: time.monotonic() - began, "the time of the request is over", lambda s: s > limit_s)
        with pytest.raises(IncompleteRead):
            response.read()
        connection.close()
        text = wait_until(api.log.read_text, "the log says so", lambda text: "response cut" in text)
        assert "Traceback" not in text
