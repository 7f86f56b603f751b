"""Whisper files that Rondo imports: its answers are those of graphite-web, which reads the same files."""

import hashlib
import json
import math
import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
import pytest
from confluent_kafka import Producer

from ..api_server import ApiClient
from ..postgres import REPOSITORY, folder
from ..waiting import wait_until
from . import graphite_web, whole_rondo
from .comparison import difference

pytestmark = [pytest.mark.long, pytest.mark.server]
ARCHIVES = ((10, 720), (60, 480), (600, 144))
SPAN = 24 * 3600
METHODS = {
    "average": "avg",
    "sum": "sum",
    "last": "last",
    "max": "max",
    "min": "min",
    "avg_zero": "avg",
    "absmax": "max",
    "absmin": "min",
}
HASHED = "disk.used;dc=ams;host=b1"
LIVE = "live.x"
LIVE_VALUE, LIVE_S = 1000.0, 1200
PATHS = [
    *(f"app.{method}.{kind}" for method in METHODS for kind in ("whole", "gaps", "silent")),
    *(f"beat.{kind}" for kind in ("whole", "gaps")),
    "disk.used;dc=ams;host=a1",
    HASHED,
    "disk.used;path=/mnt/big.1",
]
CHANGED = "changed.gaps"
ALL = [*PATHS, LIVE, CHANGED]
SINCE = {10: "-90min", 60: "-7h", 600: "-22h"}
PATIENCE_S = 300


@cache
def end_of_points() -> int:
    """Last multiple of the coarsest step when the first test of this file runs: each slot is over."""
    return int(time.time()) // 600 * 600


@dataclass
class Both:
    """Rondo after the import, and graphite-web."""

    rondo: ApiClient
    web: ApiClient
    files: Path
    state: Path
    printed: str

    @property
    def home(self) -> Path:
        return whole_rondo.home(self.rondo)


def method_of(path: str) -> str:
    return path.split(".")[1] if path.startswith("app.") else "average"


def points(path: str) -> list[tuple[int, float]]:
    """One every ten seconds, except for unknown ones."""
    chance = random.Random(path)  # noqa: S311
    known = 0.6 if path.endswith("gaps") else 1.0
    end = end_of_points() - 2400 if path.endswith("silent") else end_of_points()
    return [
        (t, round(50 * math.sin(t / 900) + chance.random(), 6))
        for t in range(end_of_points() - SPAN, end, 10)
        if chance.random() < known
    ]


def policies() -> str:
    """One for each method, in Whisper mode, and one with a heartbeat."""
    archives = [f"{step}s:{step * size}s:0" for step, size in ARCHIVES]
    whisper: list[dict[str, Any]] = [
        {"name": method, "match": rf"^app\.{method}\.", "heartbeat": 0, "aggregate": aggregate}
        for method, aggregate in METHODS.items()
    ]
    others: list[dict[str, Any]] = [
        {"name": "beat", "match": r"^beat\.", "heartbeat": "2m"},
        {"name": "rest", "match": ".", "heartbeat": 0, "aggregate": "avg"},
    ]
    return json.dumps({"policies": [each | {"step": "10s", "archives": archives} for each in (*whisper, *others)]})


def rondo_command(home: Path, *command: str) -> list[str]:
    return [str(REPOSITORY / "rondo"), *command, f"--dir={home}"]


def run(home: Path, *command: str) -> str:
    done = subprocess.run(
        rondo_command(home, *command),
        env=os.environ | {"RONDO_NO_BUILD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout


def send(home: Path, path: str, *points: tuple[int, float]) -> None:
    """Send points to Kafka, and wait until the last one is shown."""
    status = json.loads(whole_rondo.run_rondo(home, "status", "--json"))
    producer = Producer({"bootstrap.servers": status["kafka"]})
    producer.produce("carbon", key=path, value="\n".join(f"{path} {value} {t}" for t, value in points).encode())
    assert producer.flush(PATIENCE_S) == 0
    time_, value = points[-1]
    api = ApiClient(status["api"], home)
    wait_until(
        lambda: rendered(api, path, time_ - 60, time_ + 10),
        f"{path} has {value} at {time_}",
        lambda shown: [value, time_ // 10 * 10] in shown,
    )


def rendered(api: ApiClient, path: str, start: int, end: int) -> list[list[float | None]]:
    found = api.render(path, start, end)
    points: list[list[float | None]] = found[0]["datapoints"] if found else []
    return points


def kill_after_the_first_segment(home: Path, files: Path, state: Path) -> None:
    command = rondo_command(home, "backfill", "whisper", str(files), f"--state={state}", "--workers=1", "--rate=200")
    with subprocess.Popen(command, env=os.environ | {"RONDO_NO_BUILD": "1"}) as process:

        def lines() -> int:
            assert process.poll() is None, "the import ended before it could be killed"
            return state.read_text().count("\n") if state.exists() else 0

        wait_until(lines, f"{state} has a line")
        process.send_signal(signal.SIGKILL)


def spoil(files: Path) -> None:
    """Add files that cannot be read, and give one the name that carbon gives by default."""
    broken = files / "broken"
    broken.mkdir()
    (broken / "empty.wsp").touch()
    (broken / "noise.wsp").write_bytes(random.Random(1).randbytes(4000))  # noqa: S311
    whole = (files / "beat" / "whole.wsp").read_bytes()
    (broken / "cut.wsp").write_bytes(whole[: len(whole) // 2])
    digest = hashlib.sha256(HASHED.encode()).hexdigest()
    [named] = (files / "_tagged" / digest[:3] / digest[3:6]).iterdir()
    named.rename(named.with_name(f"{digest}.wsp"))


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    stored: list[dict[str, Any]] = [
        {"path": path, "archives": ARCHIVES, "points": points(path), "aggregate": method_of(path)} for path in ALL
    ]
    with folder() as directory, graphite_web.serve(tmp_path_factory.mktemp("graphite-web"), stored) as web:
        files = web.log.parent / "whisper"
        spoil(files)
        names = directory / "names.json"
        names.write_text(json.dumps([HASHED]))
        with whole_rondo.serve(policies()) as rondo:
            home, state = whole_rondo.home(rondo), directory / "import.state"
            send(home, LIVE, *((t, LIVE_VALUE) for t in range(end_of_points() - LIVE_S, end_of_points(), 10)))
            kill_after_the_first_segment(home, files, state)
            done = state.read_text()
            printed = run(home, "backfill", "whisper", str(files), f"--state={state}", f"--names={names}")
            assert state.read_text().startswith(done)
            yield Both(rondo, web, files, state, printed)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("step", SINCE)
def test_answers_are_those_of_graphite(both: Both, path: str, step: int) -> None:
    query = {"target": path, "format": "json", "now": str(end_of_points()), "from": SINCE[step], "until": "now"}
    if ";" in path:
        name, *tags = path.split(";")
        query["target"] = f"seriesByTag({','.join(repr(tag) for tag in [f'name={name}', *tags])})"
    ours, theirs = both.rondo.post("/render", query), both.web.post("/render", query)
    [own] = ours.json
    assert [t for _, t in own["datapoints"][:2]][1] - own["datapoints"][0][1] == step
    assert any(value is not None for value, _ in own["datapoints"])
    assert difference(ours, theirs) is None


def test_unreadable_files_are_listed_with_their_reason(both: Both) -> None:
    assert "left out: 3 files" in both.printed
    assert "broken/empty.wsp: it is empty" in both.printed
    assert "broken/cut.wsp: it is cut off" in both.printed
    assert "broken/noise.wsp: aggregation method" in both.printed


def test_methods_without_a_function_are_reported(both: Both) -> None:
    for method in ("avg_zero", "absmax", "absmin"):
        assert f"warning: 3 files of the method {method}, policy {method} shows" in both.printed
    assert "of the method sum" not in both.printed


def test_the_import_is_verified_and_repeats_nothing(both: Both) -> None:
    names = both.files.parent / "names.txt"
    names.write_text(HASHED + "\n")
    command = ["verify", f"--whisper={both.files}", f"--names={names}", "--sample=0"]
    verified = run(both.home, *command, f"--until={end_of_points() - LIVE_S}")
    assert f"{len(ALL)} files, 0 series are missing" in verified
    assert ", 0 missing, 0 wrong" in verified

    differs = subprocess.run(
        rondo_command(both.home, *command), env=os.environ | {"RONDO_NO_BUILD": "1"}, capture_output=True, check=False
    )
    assert differs.returncode == 1
    assert f"  {LIVE}: wmean of rest, slot until ".encode() in differs.stdout


def test_values_from_points_stay(both: Both) -> None:
    ours = rendered(both.rondo, LIVE, end_of_points() - 3600, end_of_points() - 10)
    theirs = both.web.render(LIVE, end_of_points() - 3600, end_of_points() - 10)[0]["datapoints"]
    before = [point for point in theirs if point[1] < end_of_points() - LIVE_S]
    assert len(before) > 100
    assert ours == [*before, *([LIVE_VALUE, t] for t in range(end_of_points() - LIVE_S, end_of_points(), 10))]


def test_a_file_that_has_changed_is_read_again(both: Both) -> None:
    file = str(both.files / "changed" / "gaps.wsp")
    unknown = next(
        t for value, t in rendered(both.rondo, CHANGED, end_of_points() - LIVE_S, end_of_points() - 10) if value is None
    )
    update = f"import whisper; whisper.update({file!r}, 77.5, {unknown}, now={end_of_points()})"
    subprocess.run([graphite_web.python(), "-c", update], check=True)
    printed = run(both.home, "backfill", "whisper", str(both.files), f"--state={both.state}")
    assert [77.5, unknown] in rendered(both.rondo, CHANGED, end_of_points() - LIVE_S, end_of_points())
    assert f"of {len(ALL)} files written" not in printed


def test_live_points_continue_the_same_series(both: Both) -> None:
    status = json.loads(whole_rondo.run_rondo(both.home, "status", "--json"))
    send(both.home, "app.last.whole", (int(time.time()), 7.5))
    with psycopg.connect(status["postgres"]) as connection:
        assert connection.execute("select count(*) from ds").fetchone() == (len(ALL),)
