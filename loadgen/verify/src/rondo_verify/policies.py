"""The policies file: which series are stored, and how. An independent reader, without the topology's code."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import documents
from .errors import InputError

DEFAULT_YAML = """
policies:
  - name: increments
    match: '.*'
    tags: {temporality: delta}
    step: 10s
    finest: sum
    archives: ["10s:6h", "1m:7d", "1h:1y"]
  - name: default
    match: '.*'
    step: 10s
    heartbeat: 2m
    archives: ["10s:6h", "1m:7d", "1h:1y"]
"""
WMEAN = "wmean"
FUNCTIONS = (WMEAN, "min", "max", "last", "sum")
HEARTBEAT_STEPS = 10
LAST, SUM = "last", "sum"
DEFAULT_XFF = 0.5
MAX_SERIES = 1_000_000
SPAN = re.compile(r"(\d{1,12})(ms|s|m|h|d|w|y)")
UNIT_MS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000, "y": 31_536_000_000}


@dataclass(frozen=True)
class Archive:
    """``size`` slots of ``step_ms`` by the function ``cf``; a slot is known from a known share of ``xff`` on."""

    cf: str
    step_ms: int
    size: int
    xff: float
    text: str

    @property
    def least_known_ms(self) -> int:
        """Minimum known time of a known slot, with a tolerance for rounding of the product."""
        return max(1, math.ceil(self.xff * self.step_ms - 1e-6))


@dataclass(frozen=True)
class Policy:
    """Times in ms; heartbeat 0 is Whisper mode. ``aggregate`` is the function by which Graphite shows the series.

    ``finest`` is the function of the points in a finest slot: last or sum in Whisper mode, else wmean.
    """

    name: str
    match: re.Pattern[str]
    tags: tuple[tuple[str, str], ...]
    step_ms: int
    heartbeat_ms: int
    finest: str
    reorder_ms: int
    expire_after_ms: int
    max_series: int
    aggregate: str
    archives: tuple[Archive, ...]

    @property
    def whisper(self) -> bool:
        """Whether a point sets only the slot that contains it, and not the time before it."""
        return self.heartbeat_ms == 0

    def covers(self, ident: str) -> bool:
        """Whether the policy matches the series ``name;k=v;k2=v2``, if no earlier policy does."""
        name, *tags = ident.split(";")
        has = dict(tag.partition("=")[::2] for tag in tags)
        return self.match.search(name) is not None and all(has.get(key) == value for key, value in self.tags)


def first_match(policies: Sequence[Policy], ident: str) -> Policy | None:
    """Policy of a series; None if no policy matches."""
    return next((policy for policy in policies if policy.covers(ident)), None)


def read(file: Path) -> list[Policy]:
    """Policies of a file in their order."""
    text = documents.text(file, "policies", "--policies")
    try:
        return parse(text)
    except InputError as e:
        raise InputError(f"{file}: {e}") from e


def parse(text: str) -> list[Policy]:
    """Policies of a YAML text in their order."""
    return [_policy(item, f"policies[{n}]") for n, item in enumerate(documents.items(text, "policies", "policy"))]


def _policy(item: Any, key: str) -> Policy:
    if not isinstance(item, dict):
        raise InputError(f"it is not a policy ({key})")
    missing = {"name", "match", "step", "archives"} - item.keys()
    if missing:
        raise InputError(f"{sorted(missing)[0]} is missing ({key})")
    step_ms = span_ms(item["step"], f"{key}.step")
    steps = 0 if "finest" in item else HEARTBEAT_STEPS
    heartbeat_ms = span_ms(item.get("heartbeat", f"{steps * step_ms}ms"), f"{key}.heartbeat")
    finest = _finest(item.get("finest"), heartbeat_ms, f"{key}.finest")
    xff = 0.0 if finest == SUM else DEFAULT_XFF
    aggregate = _function(str(item.get("aggregate", SUM if finest == SUM else WMEAN)), f"{key}.aggregate")
    archives = tuple(
        _archive(str(each), step_ms, aggregate, xff, f"{key}.archives[{n}]") for n, each in enumerate(item["archives"])
    )
    longest = max((each.step_ms * each.size for each in archives), default=0)
    expire_after = item.get("expire.after", f"{max(heartbeat_ms, longest)}ms")
    try:
        match = re.compile(str(item["match"]))
    except re.error as e:
        raise InputError(f"'{item['match']}' is not a Python regular expression: {e} ({key}.match)") from e
    return Policy(
        name=str(item["name"]),
        match=match,
        tags=tuple((str(name), str(value)) for name, value in (item.get("tags") or {}).items()),
        step_ms=step_ms,
        heartbeat_ms=heartbeat_ms,
        finest=finest,
        reorder_ms=span_ms(item.get("reorder", 0), f"{key}.reorder"),
        expire_after_ms=span_ms(expire_after, f"{key}.expire.after"),
        max_series=_max_series(item.get("max.series", MAX_SERIES), f"{key}.max.series"),
        aggregate=aggregate,
        archives=archives,
    )


def _finest(given: Any, heartbeat_ms: int, key: str) -> str:
    if given is None:
        return WMEAN if heartbeat_ms else LAST
    if str(given) not in (LAST, SUM):
        raise InputError(f"'{given}' is not one of {LAST}, {SUM} ({key})")
    if heartbeat_ms:
        raise InputError(f"it needs heartbeat 0 ({key})")
    return str(given)


def _max_series(value: Any, key: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise InputError(f"{value!r} is not a whole number of at least 1 ({key})")
    return value


def _function(text: str, key: str) -> str:
    name = {"avg": WMEAN}.get(text, text)
    if name not in FUNCTIONS:
        raise InputError(f"'{text}' is not one of {', '.join(FUNCTIONS)} ({key})")
    return name


def _archive(text: str, policy_step_ms: int, aggregate: str, default_xff: float, key: str) -> Archive:
    """``[function:]step:span[:xff]``; without a function ``aggregate``, but the mean in the policy's step."""
    parts = text.strip().split(":")
    named = _function(parts.pop(0), key) if parts[0][:1].isalpha() else None
    if len(parts) not in (2, 3):
        raise InputError(f"'{text}' is not [function:]step:span[:xff] ({key})")
    step_ms, span = span_ms(parts[0], key), span_ms(parts[1], key)
    if step_ms <= 0 or step_ms % policy_step_ms or span <= 0 or span % step_ms:
        raise InputError(f"'{text}': step or span is not a multiple, of {policy_step_ms} ms or of the step ({key})")
    try:
        xff = float(parts[2]) if parts[2:] else default_xff
    except ValueError as e:
        raise InputError(f"xff '{parts[2]}' is not a number ({key})") from e
    cf = named or (WMEAN if step_ms == policy_step_ms else aggregate)
    return Archive(cf, step_ms, span // step_ms, xff, f"{cf}:{parts[0]}:{parts[1]}")


def span_ms(text: Any, key: str) -> int:
    """Length of time such as 500ms, 10s or 1y; 0 needs no unit."""
    if str(text).strip() == "0":
        return 0
    match = SPAN.fullmatch(str(text).strip())
    if not match:
        raise InputError(f"'{text}' is not a length of time such as 500ms, 10s, 1m, 6h, 7d or 1y ({key})")
    return int(match[1]) * UNIT_MS[match[2]]
