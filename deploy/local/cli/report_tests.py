"""Tells of the test reports below a folder: python report_tests.py FOLDER PYTEST_REPORT...

Prints each test that failed, with its message, its stack trace and the end of its output, and then the totals.
"""

import sys
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

COUNTS = ("tests", "failures", "errors", "skipped")
# A failure must stay readable in a log of which a build server keeps only the end.
TRACE_LINES = 40
OUTPUT_LINES = 20


def suites_of(reports: list[Path]) -> list[Element]:
    """Give the <testsuite> elements of all reports."""
    return [
        suite
        for report in reports
        for suite in ElementTree.parse(report).getroot().iter("testsuite")  # noqa: S314 our own reports
    ]


def count(suites: list[Element]) -> dict[str, int]:
    """Sum of each of COUNTS over all suites."""
    return {key: sum(int(suite.get(key, 0)) for suite in suites) for key in COUNTS}


def passed(total: dict[str, int]) -> int:
    """Count the tests that ran and did what they should."""
    return total["tests"] - total["failures"] - total["errors"] - total["skipped"]


def failures(suite: Element) -> list[str]:
    """Describe each test of a suite that failed, by its name, the start of its trace and the end of its output."""
    texts = []
    for case in suite.iter("testcase"):
        for problem in [*case.findall("failure"), *case.findall("error")]:
            trace = (problem.text or problem.get("message") or "").strip().splitlines()
            output = [
                line for kind in ("system-out", "system-err") for line in (case.findtext(kind) or "").splitlines()
            ]
            lines = [*trace[:TRACE_LINES], *(["output:", *output[-OUTPUT_LINES:]] if output else [])]
            texts.append(f"FAILED {case.get('classname')}.{case.get('name')}\n" + "\n".join(f"  {x}" for x in lines))
    return texts


def main(folder: Path, pytest_reports: list[Path]) -> None:
    """Print the failures, the totals of Java and Python, and their sum."""
    java = suites_of(
        [*folder.glob("**/target/surefire-reports/TEST-*.xml"), *folder.glob("**/target/failsafe-reports/TEST-*.xml")]
    )
    python = suites_of([report for report in pytest_reports if report.exists()])
    for suite in [*java, *python]:
        for text in failures(suite):
            print(text)
    totals = {"Java": count(java), "Python": count(python)}
    for language, total in totals.items():
        print(
            "Tests run: {tests}, Failures: {failures}, Errors: {errors}, Skipped: {skipped} ({language})".format(
                language=language, **total
            )
        )
    failed = sum(total["failures"] + total["errors"] for total in totals.values())
    skipped = sum(total["skipped"] for total in totals.values())
    also = f", {skipped} skipped" if skipped else ""
    print(f"rondo: {sum(map(passed, totals.values()))} passed, {failed} failed{also}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(report) for report in sys.argv[2:]])
