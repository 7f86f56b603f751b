"""Adds up the test reports below a folder: python count_tests.py FOLDER PYTEST_REPORT..."""

import sys
from pathlib import Path
from xml.etree import ElementTree

COUNTS = ("tests", "failures", "errors", "skipped")


def count(reports: list[Path]) -> dict[str, int]:
    """Sum of each of COUNTS over all <testsuite> elements of the reports."""
    total = dict.fromkeys(COUNTS, 0)
    for report in reports:
        for suite in ElementTree.parse(report).getroot().iter("testsuite"):  # noqa: S314 our own reports
            for key in COUNTS:
                total[key] += int(suite.get(key, 0))
    return total


def passed(total: dict[str, int]) -> int:
    """Count the tests that ran and did what they should."""
    return total["tests"] - total["failures"] - total["errors"] - total["skipped"]


def main(folder: Path, pytest_reports: list[Path]) -> None:
    """Print the totals of Java and Python, and their sum."""
    java = count(
        [*folder.glob("**/target/surefire-reports/TEST-*.xml"), *folder.glob("**/target/failsafe-reports/TEST-*.xml")]
    )
    python = count([report for report in pytest_reports if report.exists()])
    print("Tests run: {tests}, Failures: {failures}, Errors: {errors}, Skipped: {skipped} (Java)".format(**java))
    print("Tests run: {tests}, Failures: {failures}, Errors: {errors}, Skipped: {skipped} (Python)".format(**python))
    failed = sum(total["failures"] + total["errors"] for total in (java, python))
    skipped = java["skipped"] + python["skipped"]
    also = f", {skipped} skipped" if skipped else ""
    print(f"rondo: {passed(java) + passed(python)} passed, {failed} failed{also}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(report) for report in sys.argv[2:]])
