"""Plugin of pytest: marks the tests that need a server, and explains a failure by the logs of the servers.

A failure is also a file of target/test-failures, named for the test.
"""

import os
import re
import shlex
import signal
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from .journal import REPOSITORY, CurrentTest
from .running import SERVERS

PYTEST = REPOSITORY / "query-api" / ".venv" / "bin" / "pytest"
FAILURES = REPOSITORY / "target" / "test-failures"
# Those that start PostgreSQL, processes of the API, Chromium, graphite-web or a whole Rondo, or are for such a start.
SERVER_FIXTURES = {"server_url", "api_directory", "browser", "web", "new_rondo"}

# The whole Rondo begins to start that many tests before the first one that uses it, which take about as long.
HEAD_START = 100


def pytest_configure() -> None:
    """Stop servers also when the run is terminated, as when it is interrupted; let them cache bytecode.

    Otherwise each start of the API compiles all modules again, which takes longer than its imports.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # A whole Rondo starts late, as it takes CPU time until the end; "whole" has more series in it than the others.
    items.sort(key=lambda item: [name in fixtures_of(item) for name in ("new_rondo", "whole")])
    for item in items:
        if not SERVER_FIXTURES.isdisjoint(fixtures_of(item)):
            item.add_marker("server")


def pytest_collection_finish(session: pytest.Session) -> None:
    items = session.items  # without those that are not chosen
    users = [index for index, item in enumerate(items) if "new_rondo" in fixtures_of(item)]
    if users and isinstance(early := items[max(0, users[0] - HEAD_START)], pytest.Function):
        early.fixturenames.append("begun_rondo")


def fixtures_of(item: pytest.Item) -> list[str]:
    """Names of the fixtures that a test uses, also by others."""
    return list(getattr(item, "fixturenames", ()))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    root = item.config.rootpath
    CurrentTest.module = root.relative_to(REPOSITORY).as_posix() if root.is_relative_to(REPOSITORY) else root.name
    CurrentTest.class_ = item.nodeid.partition("::")[0].removesuffix(".py").replace("/", ".")
    SERVERS.forbidden = None if item.get_closest_marker("server") else item.nodeid
    SERVERS.forget_ended()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    outcome: pytest.CallInfo[None] = yield  # type: ignore[assignment]
    report: pytest.TestReport = outcome.get_result()  # type: ignore[attr-defined]
    if not report.failed:
        return
    ends = SERVERS.ends_of_logs()
    report.sections += [(f"end of the log of {name}", text) for name, text in ends.items()]
    _write(item, report, ends)


def _write(item: pytest.Item, report: pytest.TestReport, ends: dict[str, str]) -> None:
    FAILURES.mkdir(parents=True, exist_ok=True)
    root = item.config.rootpath
    pytest_ = os.path.relpath(PYTEST, root)
    parts = [
        f"{item.nodeid}, {report.when}, after {report.duration:.1f} s, {datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        f"again: (cd {os.path.relpath(root, REPOSITORY)} && {pytest_} {shlex.quote(item.nodeid)})",
        report.longreprtext,
        *(f"--- {name}\n{text}" for name, text in ends.items()),
    ]
    (FAILURES / f"{_file_name(item.nodeid)}.txt").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _file_name(nodeid: str) -> str:
    """File name for any characters and any length of a parameter."""
    return re.sub(r"[^\w.\[\]=,-]", "_", nodeid.replace("::", ".").replace("/", "."))[:180]
