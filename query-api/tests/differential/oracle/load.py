"""Runs in graphite-web's own Python: series from standard input into whisper files and the tag database.

Input is JSON, ``{"now": …, "series": [{"path", "archives": [[step, slots], …], "points": [[time, value], …]}, …]}``.
"""

import json
import os
import sys
from pathlib import Path

import django
import whisper
from django.core.management import call_command

django.setup()
call_command("migrate", run_syncdb=True, verbosity=0)

from django.conf import settings  # noqa: E402 - after the setup
from graphite.storage import STORE  # noqa: E402
from graphite.tags.utils import TaggedSeries  # noqa: E402

loaded = json.load(sys.stdin)
for series in loaded["series"]:
    path = series["path"]
    file = Path(settings.WHISPER_DIR) / (TaggedSeries.encode(path, sep=os.sep) + ".wsp")
    file.parent.mkdir(parents=True, exist_ok=True)
    whisper.create(str(file), [tuple(archive) for archive in series["archives"]], xFilesFactor=0.0)
    whisper.update_many(str(file), [tuple(point) for point in series["points"]], now=loaded["now"])
    if ";" in path:
        STORE.tagdb.tag_series(path)
