import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from flask import Flask, request

from rondo_query_api.errors import RequestTimeoutError
from rondo_query_api.graphite import CAN_DRAW
from rondo_query_api.limits import request_budget
from rondo_query_api.params import Params
from rondo_query_api.render import images
from rondo_query_api.render.request import RenderRequest
from rondo_query_api.timeseries import TimeSeries

from . import in_process
from .api_server import ApiClient, serve
from .conftest import MakePolicy

T = 1_700_006_400
QUERY = {"from": T, "until": T + 600, "now": T + 600, "width": 400, "height": 200}


@pytest.fixture
def target(make_policy: MakePolicy, root: str) -> str:
    make_policy().archive(10, 360).series(root).slots(10, {T + 10 * n: float(n) for n in range(1, 60)})
    return root


@pytest.mark.skipif(not CAN_DRAW, reason="libcairo is not installed")
def test_draws(api: ApiClient, target: str) -> None:
    for query in ({}, {"format": "png", "title": "Title", "hideLegend": "true", "yMin": "0.5"}):
        png = api.get("/render", target=target, **QUERY, **query)
        assert (png.status, png.headers.get_content_type(), png.body[:8]) == (200, "image/png", b"\x89PNG\r\n\x1a\n")
    svg = api.get("/render", target=target, **QUERY, format="svg")
    assert (svg.headers.get_content_type(), b"<svg" in svg.body) == ("image/svg+xml", True)


def test_without_libcairo_only_images_are_refused(
    monkeypatch: pytest.MonkeyPatch, database_url: str, target: str
) -> None:
    monkeypatch.setattr(images, "CAN_DRAW", False)
    api = in_process.api(database_url)
    refused = api.get("/render", target=target, **QUERY)
    assert (refused.status, refused.text) == (501, f"{images.NO_CAIRO}\n")
    assert api.get("/render", target=target, **QUERY, minorY="99999999").status == 400
    assert api.get("/render", target=target, **QUERY, format="json").status == 200


@pytest.mark.skipif(not CAN_DRAW, reason="libcairo is not installed")
def test_lines_are_consolidated_by_each_function(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    policy = make_policy(aggregate="last").archive(10, 360)
    policy.series(root).slots(10, {T + 10 * n: float(n * 7 % 11) for n in range(1, 360)})
    query = QUERY | {"until": T + 3600, "now": T + 3600, "width": 100, "graphOnly": "true"}
    functions = ("average", "sum", "min", "max", "first", "last")
    drawn = [api.get("/render", target=f"consolidateBy({root},'{name}')", **query).body for name in functions]
    assert len(set(drawn)) == len(functions)
    assert api.get("/render", target=root, **query).body == drawn[-1]


@pytest.mark.skipif(not CAN_DRAW, reason="libcairo is not installed")
def test_an_invalid_option_is_an_error(api: ApiClient, target: str) -> None:
    response = api.get("/render", target=target, **QUERY, areaMode="odd")
    assert (response.status, response.text.count("\n")) == (400, 1)
    assert response.text.startswith("the graph cannot be drawn: ")


@pytest.mark.skipif(not CAN_DRAW, reason="libcairo is not installed")
def test_a_request_without_time_left_is_not_drawn() -> None:
    series = [TimeSeries.computed(name, T, T + 600, 10, [1.0] * 60, 0.0) for name in "ab"]
    with Flask("drawn").test_request_context("/render", query_string={"target": "a", **QUERY}):
        params = Params(request)
        wanted = RenderRequest.read(params, "UTC", datetime.now(UTC))
        request_budget.begin(request_budget.RequestBudget(seconds=3600))
        assert images.draw_lines(series, wanted, params).startswith(b"\x89PNG")
        request_budget.begin(request_budget.RequestBudget(seconds=0))
        with pytest.raises(RequestTimeoutError):
            images.draw_lines(series, wanted, params)


def test_without_libcairo_all_but_images_works(database_url: str, api_directory: Path, target: str) -> None:
    """A binding that cannot load its library fails as this one does: with OSError, when it is imported."""
    binding = api_directory / "cairocffi"
    binding.mkdir()
    (binding / "__init__.py").write_text("raise OSError('no library called cairo')\n")
    path = os.pathsep.join([str(api_directory), os.environ.get("PYTHONPATH", "")])
    with serve(api_directory, database_url, PYTHONPATH=path) as api:
        for query in ({}, {"format": "png"}, {"format": "svg"}):
            response = api.get("/render", target=target, **QUERY, **query)
            assert (response.status, response.headers.get_content_type()) == (501, "text/plain")
            assert "install the package libcairo2" in response.text
        assert len(api.get("/render", target=target, **QUERY, format="json").json[0]["datapoints"]) == 60
        assert api.get("/render", target=target, **QUERY, format="csv").status == 200
