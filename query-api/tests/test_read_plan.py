"""One series of one step from several archives, where the finer ones have expired."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rondo_query_api.fetch.archives import WMEAN, Archive
from rondo_query_api.fetch.read_plan import ReadPlan

NOW = 1_700_000_000


@st.composite
def policies(draw: st.DrawFn) -> list[Archive]:
    """Archives of one function, each coarser than the one before and of any span, and one of another function."""
    whisper = draw(st.booleans())
    steps = [10, 60, 300]
    sizes = [draw(st.integers(1, 40)) for _ in steps]
    own = [Archive(n, "p", WMEAN, step, size, whisper) for n, (step, size) in enumerate(zip(steps, sizes, strict=True))]
    return [Archive(9, "p", "max", 10, 10_000, whisper), *own[: draw(st.integers(1, 3))]]


def reaching_back(archives: list[Archive], name: int, now: int) -> list[Archive]:
    return [each for each in archives if each.cf == WMEAN and name > now - each.span]


@given(policies(), st.integers(0, 599), st.integers(1, 20_000), st.integers(0, 2000))
def test_each_slot_is_of_the_finest_archive_that_still_has_it(
    archives: list[Archive], offset: int, length: int, ago: int
) -> None:
    now, fine = NOW + offset, archives[1]
    reading = ReadPlan.of(fine, archives, now - ago - length, now - ago, now)
    if reading is None:
        assert ago >= max(each.span for each in archives[1:])
        return
    slots = reading.slots
    ends = range(slots.start + 10, slots.final + 1, 10)
    # Each archive holds the ends of its slots.
    held = [
        np.arange(stored.start + stored.step, stored.final + 1, stored.step, dtype=np.float64)
        for stored in (part.stored for part in reading.parts)
    ]
    values = [part.spread(own) for part, own in zip(reading.parts, held, strict=True)]
    answered = np.concatenate(values[::-1]).tolist()
    assert len(answered) == slots.slots
    for end, value in zip(ends, answered, strict=True):
        finest = next(iter(reaching_back(archives[1:], end - slots.lead, now)), None)
        if finest is not None:
            assert value == -(-end // finest.step) * finest.step
    assert [part.archive.step for part in reading.parts] == sorted({part.archive.step for part in reading.parts})


@given(st.lists(st.floats(-1e6, 1e6), min_size=12, max_size=12))
def test_a_sum_is_shared_by_finer_slots(values: list[float]) -> None:
    fine, coarse = Archive(1, "p", "sum", 10, 1), Archive(2, "p", "sum", 60, 100)
    reading = ReadPlan.of(fine, [fine, coarse], NOW - NOW % 60 - 720, NOW - NOW % 60, NOW - NOW % 60)
    assert reading
    [_, part] = reading.parts
    spread = part.spread(np.array(values))
    assert np.allclose(np.append(spread, spread[-1]).reshape(12, 6).sum(1), values)
