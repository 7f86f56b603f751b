from typing import Any, cast

import pytest

from . import golden
from .api_server import ApiClient
from .conftest import MakePolicy
from .consolidation_oracle import Finest, Function, Points, consolidate

T = 1_700_006_400  # aligned on every step of the golden files
CONSOLIDATION = golden.rows("consolidation")
WHISPER = golden.rows("whisper")
INCREMENTS = golden.rows("increments")
Row = dict[str, str]


def pairs(text: str) -> Points:
    return [(int(time), float(value)) for time, value in (pair.split(":") for pair in text.split())]


def slots_of(row: Row) -> dict[int, float]:
    return dict(pairs(row["slots"]))


@pytest.mark.parametrize(
    "row", CONSOLIDATION + WHISPER + INCREMENTS, ids=lambda row: f"{row['case']}, {row['cf']} {row['archive_step_ms']}"
)
def test_oracle_agrees(row: Row) -> None:
    numbers = [int(row[name]) for name in ("step_ms", "heartbeat_ms", "archive_step_ms")]
    step, heartbeat, archive_step = numbers
    function = cast("Function", row["cf"])
    of_points: Finest = "sum" if row in INCREMENTS else "last"
    slots = consolidate(pairs(row["points"]), step, heartbeat, function, archive_step, float(row["xff"]), of_points)
    assert slots == pytest.approx(slots_of(row), rel=1e-12)


@pytest.mark.parametrize("row", CONSOLIDATION, ids=lambda row: f"{row['case']}, {row['cf']} {row['archive_step_ms']}")
def test_golden_slots_render(api: ApiClient, make_policy: MakePolicy, root: str, row: Row) -> None:
    """The last point's slot ends the range; a closed slot that is not listed is null."""
    step, size = int(row["archive_step_ms"]) // 1000, int(row["size"])
    expected = {T + end // 1000: value for end, value in slots_of(row).items()}
    policy = make_policy().archive(step, size).archive(step, size, row["cf"]) if row["cf"] != "wmean" else None
    policy = policy or make_policy().archive(step, size)
    policy.series(root).slots(step, expected, row["cf"])
    until = T + max(time for time, _ in pairs(row["points"])) // 1000 // step * step
    target = root if row["cf"] == "wmean" else f"consolidateBy({root},'{row['cf']}')"
    [series] = api.render(target, T, max(until, T + step))
    shown: list[list[Any]] = [[expected.get(end), end] for end in range(T + step, max(until, T + step) + 1, step)]
    assert series["datapoints"] == shown


@pytest.mark.parametrize("row", golden.rows("positions"), ids=str)
def test_golden_slots_are_read(api: ApiClient, make_policy: MakePolicy, root: str, row: Row) -> None:
    partition, width, nth, seg, pos = (int(row[name]) for name in ("partition", "width", "nth", "seg", "pos"))
    assert (partition << 16 | nth // width, nth % width + 1) == (seg, pos)
    policy = make_policy(width=width).archive(10, 360)
    policy.series(f"{root}.neighbour", at=(seg, pos + 1)).slots(10, {T + 10: -1.0})
    policy.series(f"{root}.this", at=(seg, pos)).slots(10, {T + 10: float(nth)})
    [series] = api.render(f"{root}.this", T, T + 10)
    assert series["datapoints"] == [[float(nth), T + 10]]
