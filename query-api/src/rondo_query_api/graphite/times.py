"""Graphite's times: ``-1h``, ``now-2d``, ``noon``, ``20260131``, epoch seconds."""

from datetime import datetime
from typing import cast
from zoneinfo import ZoneInfo

from graphite_render.render.attime import parseATTime

from ..errors import BadRequestError


def parse_time(name: str, text: str, zone: ZoneInfo, now: datetime) -> datetime:
    """Time that the parameter ``name`` says, relative to ``now``; raises :class:`BadRequestError`."""
    stripped = text.strip()
    if stripped == "now":
        return now
    relative = stripped.removeprefix("now") if stripped.startswith(("now-", "now+")) else stripped
    try:
        time = cast("datetime", parseATTime(relative, zone, now))
        time.timestamp()  # some readable times have none
    except Exception as e:  # the base raises what happens to occur
        raise BadRequestError(f"{name} is {text!r}, not a time such as -6h, now-1d, 20260131 or epoch seconds") from e
    return time


def epoch_of(name: str, text: str, zone: ZoneInfo, now: int) -> int:
    """Read the same, as epoch seconds."""
    return int(parse_time(name, text, zone, datetime.fromtimestamp(now, zone)).timestamp())
