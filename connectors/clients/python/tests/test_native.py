import csv
from itertools import takewhile
from pathlib import Path

from rondo_client.native import MAX_POINTS, Point, number, records

GOLDEN = Path(__file__).parents[4] / "schemas" / "golden"


def test_writes_the_golden_record() -> None:
    lines = (GOLDEN / "point-batch.csv").read_text(encoding="utf-8").splitlines()
    comments = len(list(takewhile(lambda line: line.startswith("#"), lines)))
    points: list[Point] = [
        (row["ident"].encode(), int(row["t_ms"]), float(row["value"])) for row in csv.DictReader(lines[comments:])
    ]
    assert records(points) == [((GOLDEN / "point-batch.bin").read_bytes(), len(points))]


def test_skips_unknown_values() -> None:
    assert records([(b"a", 1, float("nan")), (b"b", 1, float("-inf"))]) == []


def test_bounds_a_record() -> None:
    points = [(b"a", n, 1.0) for n in range(2 * MAX_POINTS + 1)]
    assert [count for _, count in records(points)] == [MAX_POINTS, MAX_POINTS, 1]


def test_writes_numbers_as_avro_does() -> None:
    assert [number(n).hex() for n in (0, -1, 1, 63, 64, -65)] == ["00", "01", "02", "7e", "8001", "8101"]
