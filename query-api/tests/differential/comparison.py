"""Comparison of two responses to one request."""

import json
import math
from typing import Any

from ..api_server import Response

TOLERANCE = 1e-9
Series = dict[str, Any]


def difference(ours: Response, theirs: Response) -> str | None:
    """First difference: status, names, tags, times or values; None if there is none.

    Any error equals any other: graphite-web returns 500 for many mistakes of the client. Infinity equals null: JSON has
    no number for it, and graphite-web writes 1e9999.
    """
    if ours.status != 200 or theirs.status != 200:
        both = ours.status == 400 and theirs.status in (400, 500)
        return None if both else f"status: {ours.status} ({ours.text.strip()[:80]}), theirs {theirs.status}"
    own, other = json.loads(ours.body), json.loads(theirs.body)
    names, their_names = [series["target"] for series in own], [series["target"] for series in other]
    if names != their_names:
        return f"names: {_first(names, their_names)}"
    found = (each for pair in zip(own, other, strict=True) for each in [_of_series(*pair)] if each)
    return next(found, None)


def _of_series(own: Series, other: Series) -> str | None:
    name = own["target"]
    values, their_values = ([value for value, _ in each["datapoints"]] for each in (own, other))
    times, their_times = ([time for _, time in each["datapoints"]] for each in (own, other))
    if len(values) != len(their_values):
        return f"values: {name}: {len(values)} points, theirs {len(their_values)}"
    if not all(map(same, values, their_values)):
        n = [same(*pair) for pair in zip(values, their_values, strict=True)].index(False)
        return f"values: {name}: {values[n]} is number {n} of {len(values)}, theirs {their_values[n]}"
    if times != their_times:
        return f"times: {name}: {_first(times, their_times)}"
    if own["tags"] != other["tags"]:
        return f"tags: {name}: {own['tags']}, theirs {other['tags']}"
    return None


def same(value: float | None, other: float | None) -> bool:
    """Whether two values are equal except for rounding."""
    if other in (math.inf, -math.inf):
        other = None
    if value is None or other is None:
        return value is other
    return math.isclose(value, other, rel_tol=TOLERANCE, abs_tol=1e-15)


def _first(own: list[Any], other: list[Any]) -> str:
    n = next(
        (n for n, pair in enumerate(zip(own, other, strict=False)) if pair[0] != pair[1]), min(map(len, (own, other)))
    )
    return f"{own[n : n + 1]} is number {n} of {len(own)}, theirs {other[n : n + 1]} of {len(other)}"
