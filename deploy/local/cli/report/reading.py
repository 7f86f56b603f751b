"""Reads the results of a run: reports of surefire, failsafe and pytest, the journal of waits, the list of stages."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

PYTEST_FOLDERS = (
    "query-api",
    "loadgen/verify",
    "loadgen/bench/python",
    "connectors/clients/python",
    "deploy/local/cli",
)


@dataclass(frozen=True)
class Case:
    """A test that ran. ``trace`` is None unless it failed, ``reason`` None unless it was skipped."""

    module: str
    test_class: str
    name: str
    seconds: float
    trace: str | None = None
    message: str = ""
    reason: str | None = None
    output: str = ""
    python: bool = False


@dataclass(frozen=True)
class TestClass:
    """A Java class or a Python file, with its seconds including setup."""

    module: str
    name: str
    seconds: float
    cases: tuple[Case, ...]

    __test__ = False

    @property
    def simple_name(self) -> str:
        """The name without its package."""
        return self.name.rpartition(".")[2]


@dataclass(frozen=True)
class JournalEntry:
    """Time that a class spent on the start of a server or part (``start``), or on an awaited condition (``wait``)."""

    module: str
    test_class: str
    kind: str
    seconds: float


@dataclass(frozen=True)
class Stage:
    """A step of a run, such as the Java unit tests, with its output."""

    name: str
    seconds: int
    code: int
    log: Path

    @property
    def failed(self) -> bool:
        """Whether its command ended with an error."""
        return self.code != 0


@dataclass(frozen=True)
class Run:
    """A complete run."""

    root: Path
    classes: list[TestClass] = field(default_factory=list)
    journal: list[JournalEntry] = field(default_factory=list)
    stages: list[Stage] = field(default_factory=list)

    @property
    def cases(self) -> list[Case]:
        """The tests of all classes."""
        return [case for each in self.classes for case in each.cases]

    @property
    def failures(self) -> list[Case]:
        """Tests that failed."""
        return [case for case in self.cases if case.trace is not None]

    @property
    def totals(self) -> dict[str, int]:
        """Numbers of passed, failed and skipped tests."""
        failed = len(self.failures)
        skipped = sum(case.reason is not None for case in self.cases)
        return {"passed": len(self.cases) - failed - skipped, "failed": failed, "skipped": skipped}

    @property
    def green(self) -> bool:
        """Whether tests ran, none failed, and every stage succeeded."""
        return bool(self.cases) and not self.failures and not any(stage.failed for stage in self.stages)


def read_run(root: Path) -> Run:
    """Read the latest run of a checkout; skip missing and truncated files."""
    classes = [*java_classes(root), *python_classes(root)]
    return Run(root, classes, list(read_journal(root)), list(read_stages(root)))


def java_reports(root: Path) -> list[Path]:
    """Return the reports of surefire and failsafe. Modules are at most three folders deep."""
    return sorted(
        report
        for depth in ("*", "*/*", "*/*/*")
        for kind in ("surefire", "failsafe")
        for report in root.glob(f"{depth}/target/{kind}-reports/TEST-*.xml")
    )


def pytest_report(root: Path, folder: str) -> Path:
    """Return the report of the Python tests of a folder."""
    return root / "target" / f"pytest-{folder.replace('/', '-')}.xml"


def suites(report: Path) -> list[Element]:
    """Return the suites of a report; empty if a killed process left it incomplete."""
    try:
        return list(ElementTree.parse(report).getroot().iter("testsuite"))  # noqa: S314 our own reports
    except (ElementTree.ParseError, FileNotFoundError):
        return []


def java_classes(root: Path) -> Iterator[TestClass]:
    """Return the Java test classes, one per report."""
    for report in java_reports(root):
        module = report.parents[2].relative_to(root).as_posix()
        for suite in suites(report):
            name = suite.get("name", "")
            cases = tuple(case_of(element, module, name) for element in suite.iter("testcase"))
            # The suite's time omits properties.
            seconds = max(float(suite.get("time", 0)), sum(case.seconds for case in cases))
            yield TestClass(module, name, seconds, cases)


def python_classes(root: Path) -> Iterator[TestClass]:
    """Return the files of Python tests."""
    for folder in PYTEST_FOLDERS:
        cases: dict[str, list[Case]] = {}
        for suite in suites(pytest_report(root, folder)):
            for element in suite.iter("testcase"):
                name = element.get("classname", "")
                cases.setdefault(name, []).append(case_of(element, folder, name, python=True))
        for name, of_file in cases.items():
            yield TestClass(folder, name, sum(case.seconds for case in of_file), tuple(of_file))


def case_of(element: Element, module: str, test_class: str, python: bool = False) -> Case:
    """Convert a <testcase>."""
    problems = [*element.findall("failure"), *element.findall("error")]
    skipped = element.find("skipped")
    return Case(
        module=module,
        test_class=test_class,
        name=element.get("name", ""),
        seconds=float(element.get("time", 0)),
        trace="\n".join((each.text or each.get("message") or "").strip() for each in problems) if problems else None,
        message=(problems[0].get("message") or "") if problems else "",
        reason=reason_of(skipped) if skipped is not None and not problems else None,
        output="\n".join(element.findtext(kind) or "" for kind in ("system-out", "system-err")) if problems else "",
        python=python,
    )


def reason_of(skipped: Element) -> str:
    """Return why a test was skipped, without the prefixes of JUnit and pytest."""
    text = (skipped.get("message") or skipped.text or "no reason given").strip().splitlines()[0]
    return re.sub(r"^(?:[\w.]*Exception: )?(?:Assumption failed: )?(?:skipped: )?", "", text) or "no reason given"


def read_journal(root: Path) -> Iterator[JournalEntry]:
    """Read ``target/test-journal``. The last line of a killed JVM may be cut off."""
    for file in sorted((root / "target" / "test-journal").glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                entry = json.loads(line)
                yield JournalEntry(entry["module"], entry["class"], entry["kind"], entry["ms"] / 1000)
            except (ValueError, KeyError, TypeError):
                continue


def read_stages(root: Path) -> Iterator[Stage]:
    """Read ``target/test-run/stages.tsv``, which the runner writes."""
    file = root / "target" / "test-run" / "stages.tsv"
    if file.exists():
        for line in file.read_text(encoding="utf-8").splitlines():
            name, seconds, code, log = line.split("\t")
            yield Stage(name, int(seconds), int(code), Path(log))
