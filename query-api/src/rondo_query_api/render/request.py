"""Parameters of a render request."""

import math
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ..errors import BadRequestError
from ..limits import request_budget
from ..params import Params
from ..settings import Settings
from ..times import parse_time

IMAGES = ("png", "svg", "pdf")
FORMATS = ("json", "csv", "raw", "pickle", "msgpack", "dygraph", "rickshaw", *IMAGES)
STREAMED = ("json", "csv", "raw")
GRAPHS = ("line", "pie")
SECONDS_A_DAY = 86_400
MAX_CACHE_SECONDS = 86_400


@dataclass(frozen=True)
class RenderRequest:
    """Targets over the time range (start, end], and the format of the response.

    ``cache_seconds`` is the maximum age of the response: 0 disables caching, None is the server's default.
    """

    targets: list[str]
    start: datetime
    end: datetime
    now: datetime
    zone: ZoneInfo
    template: dict[str, str]
    format: str
    graph: str
    pretty: bool
    max_points: int | None
    x_files_factor: float
    only_known: bool
    jsonp: str | None
    cache_seconds: int | None

    @classmethod
    def read(cls, params: Params, default_zone: str, clock: datetime) -> "RenderRequest":
        """Parse and check the parameters; ``clock`` is the current time, which the parameter ``now`` overrides."""
        zone = _zone(params.last("tz") or default_zone)
        clock = clock.astimezone(zone)
        now = parse_time("now", params.last("now") or "now", zone, clock)
        until = parse_time("until", params.last("until") or "now", zone, now)
        since = parse_time("from", params.last("from") or "-1d", zone, now)
        if int(since.timestamp()) == int(until.timestamp()):
            raise BadRequestError(f"from and until are the same time: {since.astimezone(UTC).isoformat()}")
        format_, graph = _format(params), params.last("graphType") or "line"
        if graph not in GRAPHS:
            raise BadRequestError(f"graphType is {graph!r}, not one of {', '.join(GRAPHS)}")
        if graph == "pie" and format_ not in IMAGES:
            raise BadRequestError(f"format is {format_!r}; a pie is one of {', '.join(IMAGES)}")
        return cls(
            targets=[each for each in params.required("target") if each.strip()],
            start=min(since, until),
            end=max(since, until),
            now=now,
            zone=zone,
            template={
                name[len("template[") : -1]: params.last(name) or ""
                for name in params.names()
                if name.startswith("template[") and name.endswith("]")
            },
            format=format_,
            graph=graph,
            pretty=bool(params.last("pretty")),
            max_points=_max_points(params.last("maxDataPoints")),
            x_files_factor=_x_files_factor(params.last("xFilesFactor") or "0"),
            only_known=params.last("noNullPoints") is not None,
            jsonp=params.jsonp(),
            cache_seconds=_cache_seconds(params),
        )

    def check(self, settings: Settings) -> None:
        """Raise :class:`LimitError` if the request exceeds a limit of the settings."""
        request_budget.check_limit("targets", len(self.targets), settings.max_targets, "max_targets")
        longest = max(map(len, self.targets), default=0)
        request_budget.check_limit("characters in a target", longest, settings.max_target_length, "max_target_length")
        days = math.ceil((self.end - self.start).total_seconds() / SECONDS_A_DAY)
        request_budget.check_limit("days between from and until", days, settings.max_range_days, "max_range_days")

    @property
    def is_buffered(self) -> bool:
        """Whether the whole response is built before its first byte is sent."""
        return self.format not in STREAMED or (self.format == "json" and bool(self.jsonp or self.pretty))

    @property
    def is_image(self) -> bool:
        """Whether the response is an image."""
        return self.format in IMAGES


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as e:
        raise BadRequestError(f"tz is {name!r}, not an IANA time zone") from e


def _format(params: Params) -> str:
    shorthand = "pickle" if params.last("pickle") is not None else "png"
    name = params.last("format") or ("raw" if params.last("rawData") is not None else shorthand)
    if name not in FORMATS:
        raise BadRequestError(f"format is {name!r}, not one of {', '.join(FORMATS)}")
    return name


def _max_points(text: str | None) -> int | None:
    if text is None:
        return None
    try:
        points = int(float(text))
    except (ValueError, OverflowError):
        points = 0
    if points < 1:
        raise BadRequestError(f"maxDataPoints is {text!r}, not a number of at least 1")
    return points


def _x_files_factor(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1
    if not 0 <= share <= 1:
        raise BadRequestError(f"xFilesFactor is {text!r}, not a number from 0 to 1")
    return share


def _cache_seconds(params: Params) -> int | None:
    if params.last("noCache") is not None:
        return 0
    return params.whole("cacheTimeout", 0, 0, MAX_CACHE_SECONDS) if params.last("cacheTimeout") else None
