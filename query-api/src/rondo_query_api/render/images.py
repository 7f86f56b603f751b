"""Series as PNG and SVG, drawn by the base with libcairo."""

import io
from typing import Any, cast

from ..errors import BadRequestError, NotDrawableError
from ..graphite import CAN_DRAW, DrawnSeries, GraphTypes
from ..params import Params
from ..timeseries import TimeSeries
from .request import RenderRequest

NO_CAIRO = "png and svg need libcairo: install the package libcairo2 (Debian, Ubuntu) or cairo (others), then restart"
MAX_PIXELS = 4096


def check(params: Params) -> None:
    """Raise what forbids drawing before anything is read: no libcairo, or a graph that is not a line graph."""
    if not CAN_DRAW:
        raise NotDrawableError(NO_CAIRO)
    graph_type = params.last("graphType") or "line"
    if graph_type != "line":
        raise BadRequestError(f"graphType is {graph_type!r}, not line")
    for name in ("width", "height"):
        text = params.last(name) or "1"
        if not (text.isascii() and text.isdigit()) or not 1 <= int(text) <= MAX_PIXELS:
            raise BadRequestError(f"{name} is {text!r}, not a number of pixels from 1 to {MAX_PIXELS}")


def draw(series_list: list[TimeSeries], request: RenderRequest, params: Params) -> bytes:
    """Draw the image in the request's format."""
    graph: Any = GraphTypes["line"]
    options: dict[str, Any] = {"width": 600, "height": 300}
    for name in graph.customizable:
        text = params.last(name)
        if text and text.lower() != "default":
            options[name] = _option(text)
    options |= {"data": [_drawn(series) for series in series_list], "outputFormat": request.format}
    image = io.BytesIO()
    try:
        graph(**options).output(image)
    except Exception as e:  # the base checks no options: a wrong one fails wherever it is used
        raise BadRequestError(f"the graph cannot be drawn: {' '.join(str(e).split())}") from e
    return image.getvalue()


def _drawn(series: TimeSeries) -> DrawnSeries:
    """Copy it as the base draws it, which consolidates by four functions and changes options as it draws."""
    function = {"avg": "average", "avg_zero": "average", "first": "max", "last": "max"}
    drawn: Any = DrawnSeries(
        series.name,
        series.start,
        series.end,
        series.step,
        series.listed,
        function.get(series.consolidation, series.consolidation),
    )
    drawn.options = dict(series.options)
    if series.color is not None:
        drawn.color = series.color
    return cast("DrawnSeries", drawn)


def _option(text: str) -> str | float | bool:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text
