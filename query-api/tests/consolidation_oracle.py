"""Consolidation of one series, an independent implementation of docs/data-model.md for the tests."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

Points = list[tuple[int, float]]
Function = Literal["wmean", "min", "max", "last", "sum"]
Finest = Literal["last", "sum"]


@dataclass
class Slot:
    """Known time (ms) and the integral of the value over it."""

    known: int = 0
    integral: float = 0.0

    @property
    def value(self) -> float:
        return self.integral / self.known


def consolidate(
    points: Points,
    finest: int,
    heartbeat: int,
    function: Function,
    step: int,
    xff: float,
    of_points: Finest = "last",
) -> dict[int, float]:
    """Known closed slots by their end, ms; v of (t, v) holds over (last, t] unless that exceeds the heartbeat.

    Heartbeat 0 is Whisper mode: v counts in the finest slot that begins at or before t, the last to arrive wins, or all
    add up.
    """
    fine, open_from = _set(points, finest, of_points) if heartbeat == 0 else _store(points, finest, heartbeat)
    closed = open_from // step * step
    coarse: dict[int, list[Slot]] = {}
    for end, slot in sorted(fine.items()):
        coarse.setdefault(-(-end // step) * step, []).append(slot)
    return {
        end: _value(slots, function)
        for end, slots in coarse.items()
        if end <= closed and sum(slot.known for slot in slots) / step >= xff
    }


def _set(points: Points, finest: int, of_points: Finest) -> tuple[dict[int, Slot], int]:
    """Finest slots by their end, and the beginning of the newest."""
    fine: dict[int, Slot] = {}
    newest = points[0][0] // finest * finest
    for time, value in points:
        start = time // finest * finest
        if start >= newest:
            newest = start
            slot = fine.setdefault(start + finest, Slot(finest))
            slot.integral = value * finest + (slot.integral if of_points == "sum" else 0.0)
    return fine, newest


def _store(points: Points, finest: int, heartbeat: int) -> tuple[dict[int, Slot], int]:
    """Finest slots by their end, and the time of the newest point."""
    stored: Points = []
    for time, value in points:
        if not stored or time > stored[-1][0]:
            stored.append((time, value))
    fine: dict[int, Slot] = {}
    for (last, _), (time, value) in pairwise(stored):
        if time - last > heartbeat:
            continue
        begin = last
        while begin < time:
            end = begin // finest * finest + finest
            known = min(end, time) - begin
            slot = fine.setdefault(end, Slot())
            slot.known += known
            slot.integral += value * known
            begin += known
    return fine, stored[-1][0]


def _value(slots: list[Slot], function: Function) -> float:
    values = [slot.value for slot in slots]
    match function:
        case "wmean":
            return sum(slot.integral for slot in slots) / sum(slot.known for slot in slots)
        case "last":
            return values[-1]
        case "min":
            return min(values)
        case "max":
            return max(values)
        case "sum":
            return sum(values)
