"""The golden files of schemas/golden, which Java, SQL and Python tests read."""

import csv

from .postgres import REPOSITORY


def rows(name: str) -> list[dict[str, str]]:
    """Rows of ``schemas/golden/<name>.csv`` without its comments."""
    lines = (REPOSITORY / "schemas" / "golden" / f"{name}.csv").read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))
