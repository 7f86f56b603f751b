"""``./rondo bench find`` sends valid requests, prints its measurements, and leaves nothing behind."""

import json
import subprocess
from pathlib import Path

import pytest
from tests.waiting import wait_until

from commands import command, environment


@pytest.mark.long
def test_few_names(server_url: str) -> None:
    done = subprocess.run(
        command("find", "--machines=3", "--tagged=40", "--runs=2", "--json"),
        env=environment(server_url),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    measured = json.loads(done.stdout)
    assert measured["series"] == 3 * 100 + 7_500 + 40
    assert all(each["bytes"] >= 2 and each["p50_ms"] > 0 for each in measured["figures"])
    assert len(measured["visible_ms"]) == 20


def test_nothing_is_left_by_sigterm(server_url: str, tmp_path: Path) -> None:
    with subprocess.Popen(command("find"), env=environment(server_url) | {"TMPDIR": str(tmp_path)}) as running:

        def folders() -> list[Path]:
            assert running.poll() is None, "it ended before it had a folder"
            return list(tmp_path.glob("rondo-bench-find-*"))

        wait_until(folders, "it has a folder")
        running.terminate()
        assert running.wait() == 143
    assert list(tmp_path.iterdir()) == []
