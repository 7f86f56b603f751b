"""Writes test-report.json and junit.xml into the checkout's target folder."""

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from .failures import command, full_name
from .reading import PYTEST_FOLDERS, Run, java_reports, pytest_report, suites
from .times import Times, by_module, skipped_by_reason, times_of


def begin(root: Path, run_command: str) -> None:
    """Record the state at the start of a run: a tree that changes during the run is not clean."""
    (root / "target" / "test-run" / "begin.json").write_text(
        json.dumps({"command": run_command, "epoch": time.time(), **tree(root)})
    )


def tree(root: Path) -> dict[str, Any]:
    """Return the commit, and whether the tree is unchanged; None and false outside a repository."""
    commit = git(root, "rev-parse", "HEAD")
    changes = git(root, "status", "--porcelain")
    return {"commit": commit.strip() if commit else None, "clean": changes == ""}


def git(root: Path, *arguments: str) -> str | None:
    """Return the output of git; None if it fails or is missing."""
    try:
        done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, check=False)  # noqa: S603, S607
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def write_report(run: Run, complete: bool) -> Path:
    """Write test-report.json."""
    times = times_of(run.classes, run.journal)
    begun = json.loads((run.root / "target" / "test-run" / "begin.json").read_text())
    now = tree(run.root)
    report = {
        "commit": begun["commit"],
        "clean": begun["clean"] and now == {"commit": begun["commit"], "clean": True},
        "green": run.green,
        "complete": complete,
        "command": begun["command"],
        "java": java_version(),
        "seconds": round(time.time() - begun["epoch"], 1),
        "stages": {stage.name: {"seconds": stage.seconds, "ok": not stage.failed} for stage in run.stages},
        "totals": run.totals,
        "times": rounded(sum(times.values(), Times())),
        "modules": {module: rounded(each) for module, each in by_module(times).items()},
        "classes": {f"{module} {name}": rounded(each) for (module, name), each in sorted(times.items())},
        "failures": [{"test": full_name(case), "command": command(case)} for case in run.failures],
        "skipped": [{"reason": reason, "count": count} for reason, count in skipped_by_reason(run.cases).items()],
    }
    file = run.root / "target" / "test-report.json"
    file.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return file


def rounded(times: Times) -> dict[str, float]:
    """Round seconds for JSON."""
    return {name: round(getattr(times, name), 1) for name in ("seconds", "start", "wait", "work")}


def java_version() -> str | None:
    """Return the version of the runner's JDK."""
    release = Path(os.environ.get("JAVA_HOME", "")) / "release"
    if not release.is_file():
        return None
    named = (line.partition("=") for line in release.read_text(encoding="utf-8").splitlines())
    return next((value.strip('"') for name, _, value in named if name == "JAVA_VERSION"), None)


def write_junit(root: Path) -> Path:
    """Merge all reports into one, without the properties of JVMs and the output of passed tests."""
    merged = Element("testsuites", name="rondo")
    for report in [*java_reports(root), *(pytest_report(root, folder) for folder in PYTEST_FOLDERS)]:
        for suite in suites(report):
            for properties in suite.findall("properties"):
                suite.remove(properties)
            for case in suite.iter("testcase"):
                if case.find("failure") is None and case.find("error") is None:
                    for output in [*case.findall("system-out"), *case.findall("system-err")]:
                        case.remove(output)
            merged.append(suite)
    for key in ("tests", "failures", "errors", "skipped"):
        merged.set(key, str(sum(int(suite.get(key) or 0) for suite in merged)))
    file = root / "target" / "junit.xml"
    ElementTree.ElementTree(merged).write(file, encoding="utf-8", xml_declaration=True)
    return file
