"""What functions keep of slots: the table of functions against their arithmetic."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from rondo_query_api.fetch.archives import CONSOLIDATIONS, REDUCTION
from rondo_query_api.fetch.choose import ANY, AS_STORED, Wanted
from rondo_query_api.functions import FUNCTIONS, Context
from rondo_query_api.functions.keeping import CHANGED, INSPECTED, LINEAR, PROPORTIONAL, UNCHANGED, Keeps, Selects
from rondo_query_api.reductions import Values, reduce_columns
from rondo_query_api.render.evaluate import evaluated
from rondo_query_api.targets import Call, Literal, parse
from rondo_query_api.timeseries import TimeSeries

T, FINE, COARSE, MANY = 1_700_006_400, 10, 60, 6

PLACES = tomllib.loads((Path(__file__).parent / "keeping.toml").read_text(encoding="utf-8"))
KEEP_NONE, READ_NONE, ASK = (set(PLACES[name].split()) for name in ("keep_none", "read_none", "ask"))
CALLS, REDUCTIONS = (PLACES[name].split() for name in ("calls", "reductions"))


@dataclass
class Stored:
    """Reads series, a.x and a.y by default; slots are named by their starts, as in Whisper mode."""

    step: int
    values: Sequence[Values]
    names: Sequence[str] = ("a.x", "a.y")

    def read(self, pattern: str, start: int, end: int, wanted: Wanted) -> list[TimeSeries]:
        start_of_first = T - len(self.values[0]) * self.step
        return [
            TimeSeries(name, start_of_first, T, self.step, values, pattern, {"name": name}, name, pattern, "max")
            for name, values in zip(self.names, self.values, strict=True)
            if pattern in ("a.*", name)
        ]

    def read_tagged(
        self, expressions: Sequence[str], path: str, start: int, end: int, wanted: Wanted
    ) -> list[TimeSeries]:
        return []

    def events(self, tags: Sequence[str], start: int, end: int) -> Mapping[int, int]:
        return {}

    def shown(self, target: str) -> list[TimeSeries]:
        context = Context(T - 6 * COARSE, T, T, ZoneInfo("UTC"), self)
        return evaluated(context, target, parse(target))


def consolidated(cf: str, values: Values) -> Values:
    return reduce_columns(REDUCTION[cf], values.reshape(-1, MANY).T)


def kept(target: str) -> Keeps:
    tree = parse(target)
    assert isinstance(tree, Call)
    keeps = FUNCTIONS[tree.name].kept([each.value if isinstance(each, Literal) else None for each in tree.args], {})
    assert isinstance(keeps, Keeps)
    return keeps


def test_each_function_is_classified() -> None:
    names = {call.partition("(")[0] for call in [*CALLS, *REDUCTIONS]} | {"map", "mapSeries", "scaleToSeconds"}
    assert names | KEEP_NONE | READ_NONE | ASK == set(FUNCTIONS)
    assert {name for name, each in FUNCTIONS.items() if each.keeps == CHANGED} == KEEP_NONE
    assert {name for name, each in FUNCTIONS.items() if isinstance(each.kept([], {}), Selects)} == ASK
    assert {FUNCTIONS[name].keeps for name in READ_NONE} == {UNCHANGED}


def slots() -> Iterator[tuple[list[Values], dict[str, list[Values]]]]:
    """Slots of two series, and their values in archives of each function."""
    for seed in range(5):
        both = list(np.random.default_rng(seed).uniform(0.05, 0.95, (2, 6 * MANY)))
        yield both, {cf: [consolidated(cf, values) for values in both] for cf in CONSOLIDATIONS}


@pytest.mark.parametrize("target", CALLS)
def test_slots_are_consolidated_before_a_call_as_after_it(target: str) -> None:
    keeps = kept(target)
    for fine, coarse in slots():
        finest = Stored(FINE, fine).shown(target)
        for cf in keeps.functions:
            shown = Stored(COARSE, coarse[cf]).shown(target)
            by_name = {series.name: series for series in finest}
            others = [by_name.get(series.name) for series in shown] if keeps == INSPECTED else finest
            for series, other in zip(shown, others, strict=True):
                assert (series.aggregate == "max") >= keeps.values
                if other is not None:
                    assert series.values == pytest.approx(consolidated(cf, other.values), abs=1e-9), cf


@pytest.mark.parametrize("target", REDUCTIONS)
def test_slots_that_are_consolidated_before_a_reduction_change_no_result(target: str) -> None:
    keeps = kept(target)
    assert keeps.finest
    for fine, coarse in slots():
        finest = Stored(FINE, fine).shown(target)
        for cf in keeps.functions:
            for series, other in zip(Stored(COARSE, coarse[cf]).shown(target), finest, strict=True):
                assert series.values == pytest.approx(other.values, nan_ok=True), cf


def test_sums_are_scaled_to_seconds_as_the_mean_of_their_parts() -> None:
    target = "scaleToSeconds(a.*,60)"
    assert kept(target) == Keeps(frozenset({"sum"}), finest=True)
    for fine, coarse in slots():
        shown = zip(Stored(COARSE, coarse["sum"]).shown(target), Stored(FINE, fine).shown(target), strict=True)
        for series, other in shown:
            assert series.values == pytest.approx(consolidated("wmean", other.values), abs=2e-6)


@pytest.mark.parametrize(
    ("keeps", "wanted", "expected"),
    [
        (UNCHANGED, AS_STORED, AS_STORED),
        (UNCHANGED, Wanted("max", "max"), Wanted("max", "max")),
        (INSPECTED, Wanted("max", "max"), Wanted("max", None)),
        (LINEAR, AS_STORED, Wanted(None, "wmean")),  # computed values are thinned by the mean
        (LINEAR, Wanted("sum", "sum"), Wanted("sum", "sum")),
        (LINEAR, Wanted("max", "max"), Wanted(None, None)),
        (PROPORTIONAL, Wanted("max", "max"), Wanted("max", "max")),
        (CHANGED, Wanted("sum", "sum"), Wanted(None, None)),
        (Selects("sum", "sum"), AS_STORED, Wanted("sum", "sum")),
        (Selects("sum", "sum"), Wanted("max", "max"), Wanted("sum", None)),
        (Selects("sum", "sum"), Wanted(None, "wmean"), Wanted("sum", None)),
        (Selects("sum", "sum"), Wanted(None, None), Wanted("sum", None)),
    ],
)
def test_archives_inside_a_call(keeps: Keeps | Selects, wanted: Wanted, expected: Wanted) -> None:
    assert keeps.inside(wanted) == expected


def test_every_function_of_archives_is_a_reduction() -> None:
    assert set(CONSOLIDATIONS) == set(REDUCTION)
    assert ANY not in CONSOLIDATIONS
