"""Runs in graphite-web's own Python: series from standard input into whisper files and the tag database.

Input is JSON: ``[{"path", "archives": [[step, slots], …], "points": [[time, value], …], "aggregate"}, …]``, with the
points in order.
"""

import json
import os
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import django
import whisper
from django.core.management import call_command

django.setup()
call_command("migrate", run_syncdb=True, verbosity=0)

from django.conf import settings  # noqa: E402 - after the setup
from graphite.storage import STORE  # noqa: E402
from graphite.tags.utils import TaggedSeries  # noqa: E402


def batches(points: list[list[float]], seconds: int) -> Iterator[list[tuple[float, ...]]]:
    """Parts of so many seconds: as carbon, which writes points while they are new. Whisper aggregates no older ones."""
    for _, some in groupby(points, lambda point: point[0] // seconds):
        yield [tuple(point) for point in some]


for series in json.load(sys.stdin):
    path = series["path"]
    file = Path(settings.WHISPER_DIR) / (TaggedSeries.encode(path, sep=os.sep) + ".wsp")
    file.parent.mkdir(parents=True, exist_ok=True)
    archives = [tuple(archive) for archive in series["archives"]]
    whisper.create(str(file), archives, xFilesFactor=0.0, aggregationMethod=series["aggregate"])
    step, slots = archives[0]
    for points in batches(series["points"], step * slots):
        whisper.update_many(str(file), points, now=points[-1][0])
    if ";" in path:
        STORE.tagdb.tag_series(path)
