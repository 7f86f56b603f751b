"""``./rondo bench query --moved`` gets the same responses in all cases, and prints its measurements."""

import json
import subprocess

import pytest

from commands import command, environment


@pytest.mark.long
def test_few_requests(server_url: str) -> None:
    done = subprocess.run(
        command("query", "--moved", "--runs=1", "--names=40", "--only=one", "--json"),
        env=environment(server_url),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    [costs] = json.loads(done.stdout)["questions"].values()
    assert list(costs) == ["never", "never, again", "others moved", "moved once"]
    assert all(each["p50"] > 0 and each["processor"] > 0 for each in costs.values())
    assert all(each["processor_ratio"]["p50"] > 0 for each in costs.values())
