"""Runs ``rondo test ARGUMENT...`` repeatedly: ``python -m repeat ROOT RUNS -- ARGUMENT...``.

Keeps the output and report of each run in ``target/repeat``. Prints a table of the runs; the exit code is 1 if any
failed.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .load import load


@dataclass(frozen=True)
class Result:
    """A finished run. ``report`` is its test-report.json, empty without one."""

    number: int
    seconds: float
    code: int
    report: dict[str, Any]

    @property
    def failures(self) -> list[str]:
        """Names of the failed tests, or of the failed stages if no test failed."""
        tests = [failure["test"] for failure in self.report.get("failures", [])]
        stages = [f"stage '{name}'" for name, stage in self.report.get("stages", {}).items() if not stage["ok"]]
        return tests or stages or ([f"exit code {self.code}"] if self.code else [])

    def line(self) -> str:
        """Return the run's line of the table."""
        totals = self.report.get("totals", {})
        failed = "  " + ", ".join(self.failures) if self.failures else ""
        counts = " ".join(f"{totals.get(key, 0):7d}" for key in ("passed", "failed", "skipped"))
        return f"{self.number:4d} {self.seconds:8.0f} {counts}{failed}"


HEADING = f"{'run':>4} {'seconds':>8} {'passed':>7} {'failed':>7} {'skipped':>7}  failures"


def run_once(root: Path, folder: Path, number: int, arguments: list[str]) -> Result:
    """Run the tests in a separate process."""
    start = time.monotonic()
    code = call([str(root / "rondo"), "test", *arguments], folder / f"{number}.log")
    left = root / "target" / "test-report.json"
    report: dict[str, Any] = {}
    if left.exists():
        report = json.loads(left.read_text(encoding="utf-8"))
        shutil.copy(left, folder / f"{number}.json")
    if code and (root / "target" / "test-failures").exists():
        shutil.copytree(root / "target" / "test-failures", folder / f"{number}.failures")
    return Result(number, time.monotonic() - start, code, report)


def call(command: list[str], log: Path) -> int:
    """Return the exit code of a command. Its processes end with this one."""
    process = None
    with log.open("wb") as output:
        try:
            with signals_held():
                process = subprocess.Popen(  # noqa: S603 our own script
                    command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
                )
            return process.wait()
        finally:
            if process is not None and process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
                process.wait()


@contextmanager
def signals_held() -> Iterator[None]:
    """Defer signals that end this process until the end of the block, so that no process started there is missed."""
    held: list[int] = []
    before = {
        each: signal.signal(each, lambda number, _: held.append(number)) for each in (signal.SIGTERM, signal.SIGINT)
    }
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
        for number in held:
            signal.raise_signal(number)


def closing_lines(results: list[Result], folder: Path) -> list[str]:
    """Return the last lines: failures by test, and the number of green runs."""
    failed = [result for result in results if result.code]
    times: dict[str, list[str]] = {}
    for result in failed:
        for name in result.failures:
            times.setdefault(name, []).append(str(result.number))
    return [
        *(f"FAILED {name}: in {len(runs)} of {len(results)} runs ({', '.join(runs)})" for name, runs in times.items()),
        *([f"output of each run: {folder}"] if failed else []),
        f"runs: {len(results) - len(failed)} passed, {len(failed)} failed",
    ]


def runs(text: str) -> int:
    """Parse a number of runs."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a number of runs is 1 or more, not '{text}'")
    return int(text)


def main() -> int:
    """Run, and print the table line by line."""
    parser = argparse.ArgumentParser(prog="rondo test --repeat", usage="rondo test --repeat=N [--no-load] [TEST...]")
    parser.add_argument("root", type=Path)
    parser.add_argument("runs", type=runs)
    parser.add_argument("--no-load", action="store_true")
    parser.add_argument("arguments", nargs="*")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    folder = options.root / "target" / "repeat"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    print(HEADING, flush=True)
    results = []
    with nullcontext() if options.no_load else load(folder):
        for number in range(1, options.runs + 1):
            results.append(run_once(options.root, folder, number, options.arguments))
            print(results[-1].line(), flush=True)
    print("", *closing_lines(results, folder), sep="\n")
    return 1 if any(result.code for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
