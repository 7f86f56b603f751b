"""``./rondo bench whisper``: the time that a whole Rondo takes to import the Whisper files of a Graphite."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.differential import graphite_web, whole_rondo
from tests.postgres import REPOSITORY

from .termination import clean_up_when_terminated, temporary_folder

ARCHIVES = ((10, 2160), (60, 10080), (3600, 8760))
POLICIES = {
    "policies": [
        {
            "name": "app",
            "match": ".",
            "step": "10s",
            "heartbeat": 0,
            "aggregate": "avg",
            "archives": ["10s:6h", "1m:7d", "1h:1y"],
        }
    ]
}

# Runs in graphite-web's Python: a file whose archives are full, and whose values are not round.
FULL_FILE = """
import json, random, sys, time
import whisper

path, archives = sys.argv[1], json.loads(sys.argv[2])
whisper.create(path, archives)
random, now = random.Random(path), int(time.time())
with open(path, "r+b") as file:
    header = whisper.__readHeader(file)
    for archive in header["archives"]:
        step = archive["secondsPerPoint"]
        times = range(now // step * step - (archive["points"] - 1) * step, now, step)
        points = [(each, random.gauss(100, 20)) for each in times]
        whisper.__archive_update_many(file, header, archive, points)
"""


def main() -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(prog="./rondo bench whisper")
    parser.add_argument("--files", type=int, default=3000)
    parser.add_argument("--rate", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    clean_up_when_terminated()
    with temporary_folder("rondo-bench-whisper-") as folder:
        tree = Path(folder) / "whisper"
        make_files(tree, arguments.files)
        with whole_rondo.serve(json.dumps(POLICIES)) as api:
            home = whole_rondo.home(api)
            with live_points(home, arguments.rate):
                begun = time.monotonic()
                printed = import_files(tree, home)
                elapsed = time.monotonic() - begun
    load = os.getloadavg()[0]
    if arguments.json:
        print(json.dumps({"files": arguments.files, "elapsed_s": elapsed, "load": load, "printed": printed}, indent=2))
    else:
        print(f"{printed}in all {elapsed:.1f} s; load of the machine {load:.1f}")


def make_files(tree: Path, files: int) -> None:
    """Fill folders of a hundred files with copies of four full files."""
    tree.mkdir()
    originals = [tree.parent / f"{n}.wsp" for n in range(4)]
    for original in originals:
        command = [str(graphite_web.python()), "-c", FULL_FILE, str(original), json.dumps(ARCHIVES)]
        subprocess.run(command, check=True)  # noqa: S603
    for n in range(files):
        folder = tree / "app" / f"host{n // 100:04}"
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(originals[n % 4], folder / f"m{n % 100}.wsp")


@contextmanager
def live_points(home: Path, rate: int) -> Iterator[None]:
    """Send points of other series meanwhile, ``rate`` a second."""
    if not rate:
        yield
        return
    command = [str(REPOSITORY / "rondo"), "loadgen", f"--dir={home}", f"--rate={rate}", f"--series={10 * rate}"]
    command += ["--seconds=86400", "--partitions=4"]
    load = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=sys.stderr)  # noqa: S603
    try:
        yield
        if load.poll() is not None:
            raise RuntimeError(f"the load ended with exit code {load.returncode}")
    finally:
        load.kill()
        load.wait()


def import_files(tree: Path, home: Path) -> str:
    """Run ``./rondo backfill whisper`` and return what it prints."""
    command = [str(REPOSITORY / "rondo"), "backfill", "whisper", str(tree), f"--dir={home}"]
    done = subprocess.run(  # noqa: S603
        command, stdout=subprocess.PIPE, stderr=sys.stderr, text=True, check=True
    )
    return done.stdout


if __name__ == "__main__":
    main()
