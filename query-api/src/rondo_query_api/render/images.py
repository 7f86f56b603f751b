"""PNG, SVG and PDF images: lines or slices of a pie, drawn by graphite-render with libcairo."""

import io
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from ..errors import ApiError, BadRequestError, NotDrawableError
from ..graphite import CAN_DRAW, DrawnSeries, LineGraph, PieGraph
from ..limits import request_budget
from ..params import Params
from ..timeseries import TimeSeries, array_of
from .request import RenderRequest

NO_CAIRO = (
    "png, svg and pdf need libcairo: install the package libcairo2 (Debian, Ubuntu) or cairo (others), then restart"
)
MAX_PIXELS = 4096
WIDTH = (0, 200)
# Pixels: libcairo draws each dash.
DASH = (1, MAX_PIXELS)
# Options that graphite-render does not bound itself: how often or how large it draws.
BOUNDS = {
    "minorY": (0, 20),
    "fontSize": (1, 200),
    "margin": (0, 1000),
    "logBase": (1.1, 1e9),
    **dict.fromkeys(("lineWidth", "thickness", "leftWidth", "rightWidth"), WIDTH),
    **dict.fromkeys(("dashed", "leftDashed", "rightDashed"), DASH),
}
PIE_MODES: dict[str, Callable[[list[float]], float]] = {
    "average": lambda known: sum(known) / len(known),
    "maximum": max,
    "minimum": min,
}


def check(params: Params) -> None:
    """Refuse an image that is too large before anything is read."""
    for name in ("width", "height"):
        params.whole(name, 1, 1, MAX_PIXELS)


def draw_lines(series_list: list[TimeSeries], request: RenderRequest, params: Params) -> bytes:
    """Draw a line for each series."""
    return _draw([_Drawn(series) for series in series_list], request, params)


def draw_pie(evaluate: Callable[[list[str]], list[TimeSeries]], request: RenderRequest, params: Params) -> bytes:
    """Draw a slice for each series, of its average, maximum or minimum, and for each target ``name:number``."""
    mode = params.last("pieMode") or "average"
    if mode not in PIE_MODES:
        raise BadRequestError(f"pieMode is {mode!r}, not one of {', '.join(PIE_MODES)}")
    slices: list[tuple[str, float]] = []
    for target in request.targets:
        name, colon, number = target.partition(":")
        if colon:
            slices.append((name, _number(target, number)))
        else:
            slices += [(series.name, PIE_MODES[mode](series.known.tolist() or [0.0])) for series in evaluate([target])]
    total = sum(number for _, number in slices)
    if not math.isfinite(total) or any(abs(number) > abs(total) for _, number in slices):
        raise BadRequestError("the slices of a pie have no finite sum, or one is larger than their sum")
    return _draw(slices, request, params)


def _number(target: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise BadRequestError(f"target {target!r} of a pie is not a name, a colon and a number")
    return number


def _draw(data: list[Any], request: RenderRequest, params: Params) -> bytes:
    graph: Any = {"line": _Lines, "pie": _Pie}[request.graph]
    options: dict[str, Any] = {"width": 330, "height": 250}
    for name in graph.customizable:
        text = params.last(name)
        if text and text.lower() != "default":
            options[name] = _bounded(name, _option(name, text), text)
    if not CAN_DRAW:
        raise NotDrawableError(NO_CAIRO)
    image = io.BytesIO()
    try:
        graph(**options | {"data": data, "outputFormat": request.format}).output(image)
    except (ApiError, MemoryError):
        raise
    except Exception as e:  # graphite-render validates no options: an invalid one fails wherever it is used
        reason = " ".join(str(e).split()) or type(e).__name__
        raise BadRequestError(f"the graph cannot be drawn: {reason}") from e
    return _without_script(image.getvalue()) if request.format == "svg" else image.getvalue()


def _bounded(name: str, value: Any, text: object) -> Any:
    least, most = BOUNDS.get(name, (-math.inf, math.inf))
    if isinstance(value, int | float) and not least <= value <= most:
        raise BadRequestError(f"{name} is {str(text)!r}, not a number from {least} to {most}")
    return value


def _without_script(svg: bytes) -> bytes:
    """SVG without the script at its end, which contains the names of the series; texts are drawn as paths."""
    drawn, script, _ = svg.partition(b"<script>")
    return drawn + b"</svg>\n" if script else drawn


class _Timed:
    """A graph that checks the request's time while it draws."""

    def setColor(self, *args: Any, **options: Any) -> None:  # noqa: N802
        request_budget.current().seconds_left()
        super().setColor(*args, **options)  # type: ignore[misc]

    def drawText(self, *args: Any, **options: Any) -> None:  # noqa: N802
        request_budget.current().seconds_left()
        super().drawText(*args, **options)  # type: ignore[misc]


class _Lines(_Timed, LineGraph):
    def drawLegend(self, elements: list[tuple[str, Any, Any]], unique: bool = False) -> None:  # noqa: N802
        """Draw names and colors; to make names unique, graphite-render compares each with all others."""
        if unique:
            first: dict[str, tuple[str, Any, Any]] = {}
            for element in elements:
                first.setdefault(element[0], element)
            elements = list(first.values())
        super().drawLegend(elements)  # type: ignore[no-untyped-call]

    def getYCoord(self, value: float, side: str | None = None) -> float | None:  # noqa: N802
        """Pixel of a value, never far below the image: libcairo steps through all dashes, including those outside."""
        y = super().getYCoord(value, side)  # type: ignore[no-untyped-call]
        return y if y is None else min(y, 2 * MAX_PIXELS)


class _Pie(_Timed, PieGraph):
    pass


class _Drawn(DrawnSeries):
    """Copy of a series for graphite-render, which changes options and values while it draws.

    Each iteration checks the request's time. It consolidates as all other formats do: graphite-render knows only four
    functions.
    """

    def __init__(self, series: TimeSeries) -> None:
        super().__init__(series.name, series.start, series.end, series.step, series.value_list)  # type: ignore[no-untyped-call]
        self.options = dict(series.options)
        dashed = self.options.get("dashed")
        _bounded("dashed", dashed, dashed)
        self._series = series
        if series.color is not None:
            self.color = series.color

    def __iter__(self) -> Iterator[float | None]:
        values: list[float | None] = [self[n] for n in range(len(self))]
        if self.valuesPerPoint > 1:
            values = replace(self._series, values=array_of(values)).consolidated(self.valuesPerPoint).value_list
        return request_budget.timely(values)


def _option(name: str, text: str) -> str | float | bool:
    """Value of an option by its form: number, boolean or text; a color such as 000000 stays text."""
    if "color" in name.lower():
        return text
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text
