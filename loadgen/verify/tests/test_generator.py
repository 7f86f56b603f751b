"""The model sends the points of the load generator's golden files."""

import csv
import dataclasses
from pathlib import Path

import numpy as np
import pytest

from rondo_verify import plan as plans
from rondo_verify.arrivals import Subjects, arrivals, planned
from rondo_verify.draws import Purpose, uniform
from rondo_verify.idents import Idents

GOLDEN = Path(__file__).parents[2] / "golden"
FILES = sorted(file.stem for file in GOLDEN.glob("*.json"))


def rows(name: str) -> list[dict[str, str]]:
    with (GOLDEN / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_shape_has_a_golden_file() -> None:
    assert set(FILES) == {*plans.PARAMETERS, "skewed"}


@pytest.mark.parametrize("row", rows("hash"), ids=str)
def test_draws(row: dict[str, str]) -> None:
    s, k = (np.array([int(row[name])]) for name in ("s", "k"))
    drawn = uniform(int(row["seed"]), Purpose(int(row["purpose"])))(s, k)
    assert drawn == float(row["uniform"])
    assert drawn * 100.0 == float(row["value"])


@pytest.mark.parametrize("name", FILES)
def test_points_in_sending_order(name: str) -> None:
    plan = plans.read(GOLDEN / f"{name}.json")
    points = [row for row in rows(name) if row["kind"] == "point"]
    left: dict[str, list[tuple[int, float]]] = {}
    for row in points:
        left.setdefault(row["ident"], []).append((int(row["t_ms"]), float(row["value"])))
    assert of_the_model(plan, planned([plan])) == left


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("sent", [0, 1, 7, 20])
def test_points_sent_before_the_kill_are_sure(name: str, sent: int) -> None:
    plan = dataclasses.replace(plans.read(GOLDEN / f"{name}.json"), sure=sent)
    left = sum(row["kind"] == "point" and int(row["turn"]) < sent for row in rows(name))
    subjects = planned([plan])
    assert arrivals([plan], subjects).sure.sum() == left


def test_series_computed_one_by_one_are_the_same() -> None:
    for name in FILES:
        plan = plans.read(GOLDEN / f"{name}.json")
        together = of_the_model(plan, planned([plan]))
        alone: dict[str, list[tuple[int, float]]] = {}
        for n in range(planned([plan]).size):
            alone |= of_the_model(plan, planned([plan]).take(slice(n, n + 1)))
        assert alone == together


def of_the_model(plan: plans.Plan, subjects: Subjects) -> dict[str, list[tuple[int, float]]]:
    found = arrivals([plan], subjects)
    idents = Idents(plan)
    left: dict[str, list[tuple[int, float]]] = {}
    for subject, t_ms, value in zip(found.subject, found.t_ms, found.value, strict=True):
        ident = idents.text(int(subjects.series[subject]), int(subjects.generation[subject]))
        assert idents.parse(ident) == (subjects.series[subject], subjects.generation[subject])
        left.setdefault(ident, []).append((int(t_ms), float(value)))
    return left
