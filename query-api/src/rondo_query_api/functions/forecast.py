"""Holt-Winters forecasts and linear regression.

Exponential smoothing of level, slope and season, with Brutlag's parameters and confidence bands.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import BadRequestError
from ..intervals import seconds
from ..limits import request_budget
from ..times import epoch_of
from ..timeseries import TimeSeries, ValueList
from .call import Call
from .catalogue import SERIES, Param, function
from .drawing import area
from .keeping import CHANGED
from .types import DATE, INTEGER_OR_FLOAT, INTERVAL

SeriesList = list[TimeSeries]
ALPHA, BETA, GAMMA = 0.1, 0.0035, 0.1
POINTS_AT_ONCE = 10_000  # between two checks of the request's time
DELTA = Param("delta", INTEGER_OR_FLOAT, default=3)
BOOTSTRAP = Param("bootstrapInterval", INTERVAL, default="7d", suggestions=("7d", "30d"))
SEASONALITY = Param("seasonality", INTERVAL, default="1d", suggestions=("1d", "7d"))
TAGS = {"holtWintersForecast": 1, "holtWintersDeviation": 1}
BAND_TAGS = {**TAGS, "holtWintersConfidenceUpper": 1, "holtWintersConfidenceLower": 1}


@dataclass(frozen=True)
class Analysis:
    """Predictions and deviations of a series including its bootstrap interval."""

    series: TimeSeries
    predictions: ValueList
    deviations: ValueList
    preview: int

    def shown(self, name: str, values: Sequence[float | None], tags: dict[str, int]) -> TimeSeries:
        """Series of these values from the request's start on; ``{}`` in ``name`` is the series' own name."""
        series = self.series
        return TimeSeries.computed(
            name.replace("{}", series.name),
            series.start + self.preview,
            series.end,
            series.step,
            list(values[self.preview // series.step :]),
            series.x_files_factor,
            series.nodes,
        ).retagged({**series.tags, **{tag: str(value) for tag, value in tags.items()}})


def _analyses(call: Call, bootstrap: str, seasonality: str) -> list[Analysis]:
    preview = seconds(bootstrap)
    series_list = call.again(start=call.context.start - preview)
    return [Analysis(series, *_analyse(series, seconds(seasonality)), preview) for series in series_list]


def _analyse(series: TimeSeries, season: int) -> tuple[ValueList, ValueList]:
    """Predictions and deviations. An unknown value resets level and slope."""
    length = season // series.step
    if length < 1:
        raise BadRequestError(f"seasonality is {season} s, shorter than the step, {series.step} s")
    seasonals: list[float] = []
    deviations: list[float] = []
    predictions: ValueList = []
    level: float | None = None
    slope, following = 0.0, None
    for n, value in enumerate(series.value_list):
        if n % POINTS_AT_ONCE == 0:
            request_budget.current().seconds_left()
        predictions.append(value if n == 0 else following)
        if value is None:
            level, slope, following = None, 0.0, None
            seasonals.append(0.0)
            deviations.append(0.0)
            continue
        last_seasonal = seasonals[n - length] if n >= length else 0.0
        last_deviation = deviations[n - length] if n >= length else 0.0
        before = value if level is None else level
        level = ALPHA * (value - last_seasonal) + (1 - ALPHA) * (before + slope)
        slope = BETA * (level - before) + (1 - BETA) * slope
        seasonals.append(GAMMA * (value - level) + (1 - GAMMA) * last_seasonal)
        deviations.append(GAMMA * abs(value - (predictions[-1] or 0)) + (1 - GAMMA) * last_deviation)
        following = level + slope + (seasonals[n + 1 - length] if n + 1 >= length else 0.0)
    return predictions, [*deviations]


@function("holtWintersForecast", "Calculate", SERIES, BOOTSTRAP, SEASONALITY, keeps=CHANGED)
def holt_winters_forecast(call: Call, series_list: SeriesList, bootstrap: str, seasonality: str) -> SeriesList:
    """Forecast of each value, learned from the bootstrap interval before the range and from earlier values."""
    return [
        analysis.shown("holtWintersForecast({})", analysis.predictions, TAGS)
        for analysis in _analyses(call, bootstrap, seasonality)
    ]


@function("holtWintersConfidenceBands", "Calculate", SERIES, DELTA, BOOTSTRAP, SEASONALITY, keeps=CHANGED)
def holt_winters_confidence_bands(
    call: Call, series_list: SeriesList, delta: float, bootstrap: str, seasonality: str
) -> SeriesList:
    """Lower and upper bound of the forecast, ``delta`` deviations away."""
    bands: SeriesList = []
    for analysis in _analyses(call, bootstrap, seasonality):
        for name, sign in (("Lower", -1), ("Upper", 1)):
            values = [
                None if prediction is None or deviation is None else prediction + sign * delta * deviation
                for prediction, deviation in zip(analysis.predictions, analysis.deviations, strict=True)
            ]
            band = analysis.shown(f"holtWintersConfidence{name}({{}})", values, BAND_TAGS)
            bands.append(band.derived(path=analysis.series.path, path_nodes=analysis.series.path_nodes))
    return bands


@function("holtWintersAberration", "Calculate", SERIES, DELTA, BOOTSTRAP, SEASONALITY, keeps=CHANGED)
def holt_winters_aberration(
    call: Call, series_list: SeriesList, delta: float, bootstrap: str, seasonality: str
) -> SeriesList:
    """Difference of each value from the confidence bands of the forecast; 0 inside them."""
    bands = holt_winters_confidence_bands(call, series_list, delta, bootstrap, seasonality)
    by_name = {band.name: band.values for band in bands}

    def aberration(value: float | None, lower: float | None, upper: float | None) -> float:
        if value is not None and upper is not None and value > upper:
            return value - upper
        if value is not None and lower is not None and value < lower:
            return value - lower
        return 0

    return [
        TimeSeries.computed(
            f"holtWintersAberration({series.name})",
            series.start,
            series.end,
            series.step,
            [
                aberration(*row)
                for row in zip(
                    series.value_list,
                    by_name[f"holtWintersConfidenceLower({series.name})"],
                    by_name[f"holtWintersConfidenceUpper({series.name})"],
                    strict=False,
                )
            ],
            series.x_files_factor,
            series.nodes,
        ).retagged({**series.tags, "holtWintersAberration": "1"})
        for series in series_list
    ]


@function("holtWintersConfidenceArea", "Calculate", SERIES, DELTA, BOOTSTRAP, SEASONALITY, keeps=CHANGED)
def holt_winters_confidence_area(
    call: Call, series_list: SeriesList, delta: float, bootstrap: str, seasonality: str
) -> SeriesList:
    """Area between the confidence bands of one series."""
    bands = holt_winters_confidence_bands(call, series_list, delta, bootstrap, seasonality)
    return [series.derived(series.name) for series in area(bands, "holtWintersConfidenceArea")]


@function(
    "linearRegression", "Calculate", SERIES, Param("startSourceAt", DATE), Param("endSourceAt", DATE), keeps=CHANGED
)
def linear_regression(call: Call, series_list: SeriesList, start_at: str | None, end_at: str | None) -> SeriesList:
    """Regression line (least squares) of the values of the range, or of another range."""
    context = call.context
    start = context.start if start_at is None else epoch_of("startSourceAt", start_at, context.zone, context.now)
    end = context.end if end_at is None else epoch_of("endSourceAt", end_at, context.zone, context.now)
    lines: SeriesList = []
    for source, series in zip(call.again(start, end), series_list, strict=False):
        line = _line(source)
        if line is not None:
            factor, offset = line
            values: ValueList = [offset + (series.start + n * series.step) * factor for n in range(len(series.values))]
            name = f"linearRegression({series.name}, {start}, {end})"
            lines.append(
                series.derived(name, values, {"linearRegressions": f"{start}, {end}"}, consolidate_by="average")
            )
    return lines


def _line(series: TimeSeries) -> tuple[float, float] | None:
    """Slope per second and value at time 0; None with fewer than two known values."""
    known = [(n, value) for n, value in enumerate(series.value_list) if value is not None]
    count, sum_n, sum_v = len(known), sum(n for n, _ in known), sum(value for _, value in known)
    sum_nn, sum_nv = sum(n * n for n, _ in known), sum(n * value for n, value in known)
    denominator = count * sum_nn - sum_n * sum_n
    if not denominator:
        return None
    factor = (count * sum_nv - sum_n * sum_v) / denominator / series.step
    return factor, (sum_nn * sum_v - sum_nv * sum_n) / denominator - factor * series.start
