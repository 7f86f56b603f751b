"""Images of any values and options are drawn or refused, in a bounded number of steps."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from types import FrameType
from typing import Any

import pytest
from flask import Flask, request
from hypothesis import given, settings
from hypothesis import strategies as st

from rondo_query_api.errors import BadRequestError
from rondo_query_api.graphite import CAN_DRAW, axes
from rondo_query_api.params import Params
from rondo_query_api.render import images
from rondo_query_api.render.request import RenderRequest
from rondo_query_api.timeseries import TimeSeries

from .examples import examples

pytestmark = pytest.mark.skipif(not CAN_DRAW, reason="libcairo is not installed")

T = 1_700_006_400
# Lines of graphite-render: an image with 1,000 labels and 20 lines between any two executes fewer.
MOST_LINES = 2_000_000
EXTREME = (5e-324, 1e-310, 2.3e-308, 1e-9, 0.0, 0.1, 1.0, 3.0, 1000.0, 1e15, 1e16, 1e299, 1.7e308)
NUMBERS = st.sampled_from([*EXTREME, *(-number for number in EXTREME)])
AXES = st.dictionaries(
    st.sampled_from([f"y{name}{side}" for name in ("Min", "Max", "Limit", "Step") for side in ("", "Left", "Right")]),
    NUMBERS.map(str),
    max_size=2,
)
OPTIONS = st.dictionaries(
    st.sampled_from(["logBase", "minorY", "minXStep", "thickness", "leftDashed", "rightWidth", "yDivisors"]),
    st.sampled_from(["1", "1.1", "20", "1e300"]),
    max_size=2,
)
FORMS = st.fixed_dictionaries(
    {}, optional={"areaMode": st.sampled_from(["first", "all", "stacked"]), "hideAxes": st.just("true")}
)


def draw(values: list[list[float]], options: dict[str, str], *drawn: dict[str, Any]) -> None:
    series = [
        TimeSeries.computed(str(n), T, T + 60 * len(known), 60, known, 0.0).derived(options=given)
        for n, (known, given) in enumerate(zip(values, drawn, strict=True))
    ]
    query = {"target": "a", "from": T, "until": T + 600, "now": T + 600, "format": "png", **options}
    with Flask("drawn").test_request_context("/render", query_string=query):
        params = Params(request)
        with at_most(MOST_LINES):
            images.draw_lines(series, RenderRequest.read(params, "UTC", datetime.now(UTC)), params)


@contextmanager
def at_most(lines: int) -> Iterator[None]:
    """Fail once modules that draw have executed so many lines."""
    left = lines
    drawing = {axes.glyph.__file__, axes.__file__}

    def line(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal left
        left -= event == "line"
        if left < 0:
            pytest.fail(f"drawing executed more than {lines} lines")
        return line

    before = sys.gettrace()
    sys.settrace(lambda frame, *_: line if frame.f_code.co_filename in drawing else None)
    try:
        yield
    finally:
        sys.settrace(before)


@settings(max_examples=examples(200))
@given(st.lists(st.lists(NUMBERS, min_size=1, max_size=3), min_size=1, max_size=2), AXES, OPTIONS, FORMS, st.booleans())
def test_any_axis_is_drawn_or_refused(
    values: list[list[float]], ends: dict[str, str], options: dict[str, str], forms: dict[str, str], two_axes: bool
) -> None:
    drawn = [{"secondYAxis": True} if two_axes and n else {} for n in range(len(values))]
    with suppress(BadRequestError):
        draw(values, ends | options | forms, *drawn)


@pytest.mark.parametrize(
    ("values", "options", "names"),
    [
        ([1.0, 2.0], {"logBase": "1.1", "yMin": "5e-324"}, "logBase"),
        ([1.0, 1.7e308], {}, "yMin"),
        ([1.0, 2.0], {"yMin": "1e16", "yMax": "10000000000000002", "yStep": "0.1"}, "yStep"),
        ([1.0, 2.0], {"logBase": "1.1", "yMin": "1e-300", "yMax": "1e300"}, "logBase"),
        ([1.0, 2.0], {"yDivisors": f"1,{10**300}"}, "yDivisors"),
        ([1.0, 2.0], {"leftDashed": "1e-9"}, "leftDashed"),
    ],
)
def test_an_axis_that_cannot_be_labelled_is_refused(values: list[float], options: dict[str, str], names: str) -> None:
    with pytest.raises(BadRequestError, match=names):
        draw([values], options, {})


def test_a_dash_that_cannot_be_seen_is_refused() -> None:
    with pytest.raises(BadRequestError, match="dashed"):
        draw([[1.0, 2.0]], {}, {"dashed": 1e-9})


@pytest.mark.parametrize("slices", [("a:1e300", "b:-1e300", "c:1"), ("a:1e308", "b:1e308")])
def test_a_slice_larger_than_its_pie_is_refused(slices: tuple[str, ...]) -> None:
    """libcairo would draw each of its turns around the pie."""
    query = {"target": slices, "format": "png", "graphType": "pie"}
    with Flask("drawn").test_request_context("/render", query_string=query):
        params = Params(request)
        wanted = RenderRequest.read(params, "UTC", datetime.now(UTC))
        with pytest.raises(BadRequestError, match="slices of a pie"):
            images.draw_pie(lambda _: [], wanted, params)


@pytest.mark.parametrize(
    ("axis", "labels"),
    [
        (axes.LinearAxis(0.3, 9.7), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]),
        (axes.LinearAxis(-7.0, 0.0), [-8.0, -6.0, -4.0, -2.0, 0.0]),
        (axes.LogarithmicAxis(3.0, 2000.0, base=10.0), [1.0, 10.0, 100.0, 1000.0, 10000.0]),
    ],
)
def test_labels_are_graphite_webs(axis: Any, labels: list[float]) -> None:
    axis.applySettings()
    axis.chooseStep()
    axis.chooseLimits()
    assert axis.getLabelValues() == labels == super(type(axis), axis).getLabelValues()
