"""Writes the Whisper files of this folder by whisper 1.1.10, and what it reads from them: ``python make.py``.

The environment of the differential tests has it (query-api/tests/differential).
"""

import csv
from pathlib import Path
from random import Random

import whisper

NOW = 1_700_000_005
ARCHIVES = [(10, 12), (60, 10), (300, 12)]
HERE = Path(__file__).parent


def write(name: str, method: str, times: range, known: float) -> None:
    """A point each ten seconds, but for some, as carbon writes them: while they are new."""
    path = HERE / f"{name}.wsp"
    path.unlink(missing_ok=True)
    whisper.create(str(path), ARCHIVES, xFilesFactor=0.3, aggregationMethod=method)
    random = Random(name)  # noqa: S311
    for time in times:
        if random.random() < known:
            whisper.update(str(path), round(random.uniform(-9, 9), 3), time, now=time)


for method in whisper.aggregationMethods:
    write(method, method, range(NOW - 5000, NOW, 10), 0.7)
write("silence", "average", range(NOW - 5000, NOW - 80, 10), 0.2)
write("never", "average", range(0), 1)

with (HERE / "expected.csv").open("w", newline="") as out:
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["file", "step_s", "start_s", "value"])
    for path in sorted(HERE.glob("*.wsp")):
        for step, points in ARCHIVES:
            info, values = whisper.fetch(str(path), NOW - step * points, NOW, now=NOW, archiveToSelect=step)
            for time, value in zip(range(*info), values, strict=True):
                if value is not None and time + step <= NOW:
                    rows.writerow([path.stem, step, time, value])
