"""Graphite's times: ``-1h``, ``now-2d``, ``noon_yesterday``, ``6pm``, ``20260131``, ``jan31``, epoch seconds.

A time is an hour of the day, a day, or both, followed by an optional interval; days and hours are local to the zone.
"""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from .errors import BadRequestError
from .intervals import seconds

MAX_LENGTH = 100  # characters
NAMED_HOURS = {"midnight": 0, "noon": 12, "teatime": 16}
HOUR = re.compile(
    r"(?:(?P<hour>\d{1,2}):(?P<minute>\d{2})(?P<half>am|pm)?|(?P<bare>\d{1,2})(?P<bare_half>am|pm)"
    rf"|(?P<named>{'|'.join(NAMED_HOURS)}))(?P<day>.*)",
    re.ASCII,
)
NAMED_DAYS = {"": 0, "today": 0, "yesterday": -1, "tomorrow": 1}
DATE = re.compile(r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})", re.ASCII)
AMERICAN_DATE = re.compile(r"(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{1,4})", re.ASCII)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH_DAY = re.compile(rf"(?P<month>{'|'.join(MONTHS)})[a-z]*(?P<day>\d{{1,2}})", re.ASCII)
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
WEEKDAY = re.compile(rf"(?P<weekday>{'|'.join(WEEKDAYS)})[a-z]*")


def parse_time(name: str, text: str, zone: ZoneInfo, now: datetime) -> datetime:
    """Time in the parameter ``name``, relative to ``now``; raises :class:`BadRequestError`."""
    if len(text) > MAX_LENGTH:
        raise BadRequestError(f"{name} is {text[:40]!r}…, a time of {len(text)} characters, at most {MAX_LENGTH}")
    try:
        time = _time(re.sub("[_, ]", "", text.strip().lower()), now.astimezone(zone))
        time.timestamp()  # out of range for some times that parse
    except (ValueError, OverflowError, OSError) as e:
        raise BadRequestError(f"{name} is {text!r}, not a time such as -6h, now-1d, 20260131 or epoch seconds") from e
    return time


def epoch_of(name: str, text: str, zone: ZoneInfo, now: int) -> int:
    """Like :func:`parse_time`, in epoch seconds."""
    return int(parse_time(name, text, zone, datetime.fromtimestamp(now, zone)).timestamp())


def _time(text: str, now: datetime) -> datetime:
    if text.isascii() and text.isdigit() and not _is_date(text):
        return datetime.fromtimestamp(int(text), now.tzinfo)
    sign = re.search("[+-]", text)
    reference, offset = (text[: sign.start()], text[sign.start() :]) if sign else (text, "")
    time = now if reference in ("", "now") else _reference(reference, now)
    # Intervals are elapsed time, not wall-clock time: they ignore daylight saving.
    return datetime.fromtimestamp(time.timestamp() + (seconds(offset) if offset else 0), now.tzinfo)


def _is_date(digits: str) -> bool:
    return len(digits) == 8 and digits[:4] > "1900" and digits[4:6] < "13" and digits[6:] < "32"  # noqa: PLR2004


def _reference(text: str, now: datetime) -> datetime:
    """Hour (default midnight) of a day (default today)."""
    hour = minute = 0
    day = text
    if match := HOUR.fullmatch(text):
        day = match["day"]
        if match["named"]:
            hour = NAMED_HOURS[match["named"]]
        else:
            hour, minute = int(match["hour"] or match["bare"]), int(match["minute"] or 0)
            if "pm" in (match["half"], match["bare_half"]):
                hour = (hour + 12) % 24
    return _day(day, now).replace(hour=hour, minute=minute, second=0, microsecond=0, fold=0)


def _day(text: str, now: datetime) -> datetime:
    if text in NAMED_DAYS:
        return now + timedelta(days=NAMED_DAYS[text])
    if match := DATE.fullmatch(text):
        return now.replace(year=int(match["year"]), month=int(match["month"]), day=int(match["day"]))
    if match := AMERICAN_DATE.fullmatch(text):
        return now.replace(year=_full_year(int(match["year"])), month=int(match["month"]), day=int(match["day"]))
    if match := MONTH_DAY.fullmatch(text):
        return now.replace(month=MONTHS.index(match["month"]) + 1, day=int(match["day"]))
    if match := WEEKDAY.fullmatch(text):
        return now - timedelta(days=(now.weekday() - WEEKDAYS.index(match["weekday"])) % 7)
    raise ValueError(text)


def _full_year(year: int) -> int:
    """Year of a two-digit year: 1970 to 2069."""
    if year >= 1900:  # noqa: PLR2004
        return year
    return year + (1900 if year >= 70 else 2000)  # noqa: PLR2004
