"""``./rondo bench query --moved`` gets the same responses in all cases, and prints its measurements."""

import json
import os
import subprocess
import sys

import pytest

from .api_server import QUERY_API


@pytest.mark.long
def test_few_requests(server_url: str) -> None:
    command = [sys.executable, "-m", "benchmarks.query", "--moved", "--runs=1", "--names=40", "--only=one", "--json"]
    done = subprocess.run(
        command,
        cwd=QUERY_API,
        env=os.environ | {"RONDO_TEST_DATABASE_URL": server_url},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    [costs] = json.loads(done.stdout)["questions"].values()
    assert list(costs) == ["never", "never, again", "others moved", "moved once"]
    assert all(each["p50"] > 0 and each["processor"] > 0 for each in costs.values())
    assert all(each["processor_ratio"]["p50"] > 0 for each in costs.values())
