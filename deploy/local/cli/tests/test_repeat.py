import os
import signal
import subprocess
import sys
import time
from pathlib import Path

CLI = Path(__file__).parents[1]
# Fails in its second run.
SCRIPT = """#!/bin/sh
echo "$@" >>arguments
mkdir -p target
if [ "$(wc -l <arguments)" = 2 ]; then
  echo '{"totals": {"passed": 1, "failed": 1, "skipped": 0},' >target/test-report.json
  echo '"failures": [{"test": "schemas ThingIT.a"}]}' >>target/test-report.json
  exit 1
fi
echo '{"totals": {"passed": 2, "failed": 0, "skipped": 0}}' >target/test-report.json
"""


def repeat(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    script = folder / "rondo"
    script.write_text(SCRIPT)
    script.chmod(0o755)
    command = [sys.executable, "-m", "repeat", "--no-load", str(folder), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(CLI)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_runs_are_repeated_and_counted(tmp_path: Path) -> None:
    done = repeat(tmp_path, "3", "--", "--all", "ThingIT")
    assert (tmp_path / "arguments").read_text().splitlines() == ["test --all ThingIT"] * 3
    lines = done.stdout.splitlines()
    assert lines[2].split() == ["2", "0", "1", "1", "0", "schemas", "ThingIT.a"]
    assert "FAILED schemas ThingIT.a: in 1 of 3 runs (2)" in lines
    assert lines[-1] == "runs: 2 passed, 1 failed"
    assert done.returncode == 1


def test_green_runs_succeed(tmp_path: Path) -> None:
    done = repeat(tmp_path, "1", "--")
    assert done.stdout.splitlines()[-1] == "runs: 1 passed, 0 failed"
    assert done.returncode == 0


def test_number_of_runs_is_checked(tmp_path: Path) -> None:
    done = repeat(tmp_path, "0", "--")
    assert done.returncode == 2
    assert "a number of runs is 1 or more, not '0'" in done.stderr


def test_run_ends_with_the_repetition(tmp_path: Path) -> None:
    script = tmp_path / "rondo"
    script.write_text("#!/bin/sh\nsleep 3600 &\necho $! >started.new\nmv started.new started\nwait\n")
    script.chmod(0o755)
    command = [sys.executable, "-m", "repeat", "--no-load", str(tmp_path), "1", "--"]
    with subprocess.Popen(command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(CLI)}) as process:
        started = tmp_path / "started"
        deadline = time.monotonic() + 60
        while not started.exists():
            assert time.monotonic() < deadline, "the run has not begun"
            time.sleep(0.05)
        process.terminate()
    await_end([int(started.read_text())])


LOADED = """
import pathlib, sys, time
from repeat.load import load
if __name__ == "__main__":
    with load(pathlib.Path(sys.argv[1])) as processes:
        print(*(process.pid for process in processes), flush=True)
        if sys.argv[2] == "stay":
            time.sleep(3600)
"""


def begin_load(folder: Path, what: str) -> tuple[subprocess.Popen[str], list[int]]:
    script = folder / "loaded.py"
    script.write_text(LOADED)
    command = [sys.executable, str(script), str(folder), what]
    process = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(CLI)}, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, [int(pid) for pid in process.stdout.readline().split()]


def await_end(pids: list[int]) -> None:
    deadline = time.monotonic() + 60
    while running := [pid for pid in pids if runs(pid)]:
        assert time.monotonic() < deadline, f"the load's processes {running} still run"
        time.sleep(0.05)


def runs(pid: int) -> bool:
    """Whether a process runs; an ended process remains a zombie until its parent reads the exit code."""
    done = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)  # noqa: S607
    return done.stdout.strip() != "" and not done.stdout.startswith("Z")


def test_load_ends_with_its_block(tmp_path: Path) -> None:
    process, pids = begin_load(tmp_path, "go")
    with process:
        assert len(pids) == 3
        process.wait()
    await_end(pids)


def test_load_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    process, pids = begin_load(tmp_path, "stay")
    with process:
        assert all(runs(pid) for pid in pids)
        process.send_signal(signal.SIGKILL)
    await_end(pids)
