"""Starts a benchmark as ``./rondo bench`` does."""

import os
import sys
from pathlib import Path

from tests.api_server import QUERY_API

SOURCE = Path(__file__).parents[1] / "src"


def command(benchmark: str, *options: str) -> list[str]:
    return [sys.executable, "-m", f"rondo_bench.{benchmark}", *options]


def environment(server_url: str) -> dict[str, str]:
    return os.environ | {"RONDO_TEST_DATABASE_URL": server_url, "PYTHONPATH": f"{SOURCE}:{QUERY_API}"}
