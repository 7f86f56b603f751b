"""Stored names with parentheses and commas: names, not calls."""

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st

from rondo_query_api.targets import escape

from . import in_process
from .api_server import ApiClient
from .conftest import MakePolicy
from .examples import examples
from .test_keeping import Stored

T = 1_700_006_400
ENDINGS = ("time_(ms)", "time_(s)", "sum(x)")
BY_ENDING = {ending: float(n) for n, ending in enumerate(ENDINGS, 1)}


@pytest.fixture(scope="module")
def api(database_url: str) -> ApiClient:
    return in_process.api(database_url)


@pytest.fixture
def times(make_policy: MakePolicy, root: str) -> str:
    """First node of three series whose last node looks like a call, with the values 1, 2, 3."""
    policy = make_policy().archive(10, 360)
    for ending, value in BY_ENDING.items():
        policy.series(f"{root}.b.{ending}").slots(10, dict.fromkeys(range(T - 50, T + 1, 10), value))
    return root


def shown(api: ApiClient, target: str) -> dict[str, Any]:
    return {each["target"]: each["datapoints"][-1][0] for each in api.render(target, T - 30, T, now=T)}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("groupByNode({}.b.*,2,'sum')", BY_ENDING),
        ("groupByNodes({}.b.*,'sum',-1)", BY_ENDING),
        ("groupByNode(scale({}.b.*,1),2,'sum')", BY_ENDING),
        ("groupByNode(offset(keepLastValue({}.b.*),0),2,'sum')", BY_ENDING),
        ("groupByNode(groupByNode({}.b.*,2,'sum'),0,'sum')", BY_ENDING),
        ("groupByNode(aliasByNode({}.b.*,2),0,'sum')", BY_ENDING),
        ("groupByNode(aliasSub({}.b.*,'^.*[.]',''),0,'sum')", BY_ENDING),
        ("groupByNode(upper({}.b.*),2,'sum')", {name.upper(): value for name, value in BY_ENDING.items()}),
        ("groupByNode(sumSeriesWithWildcards({}.b.*,1),1,'sum')", BY_ENDING),
        ("aliasByNode({}.b.*,2)", BY_ENDING),
        ("aliasByTags({}.b.*,2)", BY_ENDING),
        ("aliasByMetric({}.b.*)", BY_ENDING),
        ("aliasByMetric(scale({}.b.*,1))", BY_ENDING),
        ("aliasByNode(legendValue({}.b.*,'last'),2)", BY_ENDING),
        ("aliasByNode(timeShift({}.b.*,'0s'),2)", BY_ENDING),
        ("substr({}.b.*,2)", BY_ENDING),
        ("substr(absolute({}.b.*),2,3)", BY_ENDING),
        ("aliasByNode(sumSeries({}.b.time_\\(ms\\)),2)", {"time_(ms)": 1.0}),
        ("aliasByNode(divideSeries({}.b.time_\\(s\\),{}.b.sum\\(x\\)),2)", {"time_(s)": 2 / 3}),
        ("aliasByNode(asPercent({}.b.time_\\(s\\),4),2)", {"time_(s)": 50.0}),
        ("aliasByNode(reduceSeries(mapSeries({}.b.*,0),'sumSeries',2,'time_(ms)'),1)", {"b": 1.0}),
        ("aliasByMetric(applyByNode({}.b.*,2,'%'))", BY_ENDING),
        ("aliasByMetric(grep({}.b.*,'e_.ms.$'))", {"time_(ms)": 1.0}),
        ("aliasByMetric(exclude({}.b.*,'e_.ms.$'))", {"time_(s)": 2.0, "sum(x)": 3.0}),
        ("aliasByNode(alias({}.b.time_\\(s\\),'time (s)'),0)", {"time (s)": 2.0}),
    ],
)
def test_a_stored_name_is_no_call(api: ApiClient, times: str, target: str, expected: dict[str, float]) -> None:
    assert shown(api, target.replace("{}", times)) == pytest.approx(expected)


def test_tags_of_names_that_look_like_calls(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    policy = make_policy().archive(10, 360)
    for n, unit in enumerate(("time_(ms)", "time_(s)"), 1):
        policy.series({"name": f"{root}.{unit}", "unit": f"({unit})"}).slots(10, {T: float(n)})
    by_tag = f"seriesByTag('name=~{re.escape(root)}.*')"
    assert shown(api, f"groupByTags({by_tag},'sum','unit')|aliasByTags('unit')") == {"(time_(ms))": 1, "(time_(s))": 2}
    assert shown(api, f"aliasByNode({by_tag},1)") == {"time_(ms)": 1, "time_(s)": 2}
    assert shown(api, f"groupByNode(scale({by_tag},1),1,'sum')") == {"time_(ms)": 1, "time_(s)": 2}


CALLS = ["{}", "scale({},2)", "sumSeries(absolute({}))", "divideSeries({},{})", "asPercent({},{})", "{}|limit(1)|sum()"]


@given(st.text(st.sampled_from("ab(){},'\"|\\ %"), min_size=1, max_size=8), st.sampled_from(CALLS))
@tries(max_examples=examples(200))
def test_nodes_of_any_name_are_counted(node: str, call: str) -> None:
    name = f"x.{node}"
    reader = Stored(10, [np.zeros(6)], [name])
    [series] = reader.shown(f"aliasByNode({call.replace('{}', escape(name))},1)")
    assert series.name == node


ODD_NAMES = (
    *("time_(ms)", "sum(x)", "a,b", "it's", 'say"so"', "pi|pe", "sp ace", "back\\slash", "br{a,b}", "end}"),
    *("st*r", "st_r", "wh?t", "wh_t", "in[1]", "in1", "[open", "$name", "100%"),
)


@pytest.mark.parametrize("name", ODD_NAMES)
@pytest.mark.parametrize(
    "target",
    [
        "useSeriesAbove({}.odd.*,{value},'[.]odd[.]','.other.')",
        "useSeriesAbove({}.odd.*,{value},'^(.*)[.]odd[.](.*)$','scale(\\1.other.\\g<2>,1)')",
        "applyByNode(useSeriesAbove({}.odd.*,{value},'odd','other'),2,'%')",
    ],
)
def test_the_target_of_a_name_is_that_series(
    api: ApiClient, make_policy: MakePolicy, root: str, name: str, target: str
) -> None:
    policy = make_policy().archive(10, 360)
    for n, each in enumerate(ODD_NAMES):
        above = 10.0 if each == name else 1.0
        policy.series(f"{root}.odd.{each}").slots(10, {T: above})
        policy.series(f"{root}.other.{each}").slots(10, {T: 100.0 + n})
    found = shown(api, target.replace("{}", root).replace("{value}", "5"))
    assert list(found.values()) == [100.0 + ODD_NAMES.index(name)]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_name_from_the_value_of_the_series_of_a_name(
    api: ApiClient, make_policy: MakePolicy, root: str, name: str
) -> None:
    policy = make_policy().archive(10, 360)
    for n, each in enumerate(ODD_NAMES):
        policy.series(f"{root}.odd.{each}").slots(10, {T: 1.0 if each == name else -1.0})
        policy.series(f"{root}.other.{each}").slots(10, {T: 100.0 + n})
    target = f"aliasQuery(useSeriesAbove({root}.odd.*,0,'never',''),'[.]odd[.]','.other.','%d')"
    assert list(shown(api, target)) == [f"{100 + ODD_NAMES.index(name)}"]


def test_a_replacement_is_a_pattern(api: ApiClient, times: str) -> None:
    assert shown(api, f"useSeriesAbove({times}.b.sum\\(x\\),0,'sum.*','time*')").keys() == {
        f"{times}.b.time_(ms)",
        f"{times}.b.time_(s)",
    }
