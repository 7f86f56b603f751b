"""Begins a run, and ends it with all reports: ``python -m report``."""

import argparse
import sys
from pathlib import Path

from .failures import describe_failures
from .reading import read_run
from .times import describe_skipped, describe_times, read_budgets
from .writing import begin, write_junit, write_report


def end(root: Path, kind: str, complete: bool) -> int:
    """Print the report and write its files; the exit code is 1 unless the run is green."""
    run = read_run(root)
    write_report(run, complete)
    write_junit(root)
    sections = [
        ["--- where the time went", *describe_times(run, read_budgets(kind))],
        describe_skipped(run.cases),
        describe_failures(run),
    ]
    for section in sections:
        if section:
            print("\n" + "\n".join(section).strip("\n"))
    if not run.cases and not any(stage.failed for stage in run.stages):
        print("\nno test ran; --all includes long tests")
    totals = run.totals
    also = f", {totals['skipped']} skipped" if totals["skipped"] else ""
    print(f"\nrondo: {totals['passed']} passed, {totals['failed']} failed{also}")
    return 0 if run.green else 1


def main() -> int:
    """Run the step in the arguments."""
    parser = argparse.ArgumentParser(prog="report", description=__doc__)
    parser.add_argument("step", choices=["begin", "end"])
    parser.add_argument("root", type=Path)
    parser.add_argument("--command", default="")
    parser.add_argument("--kind", default="")
    parser.add_argument("--complete", action="store_true")
    options = parser.parse_args()
    if options.step == "begin":
        begin(options.root, options.command)
        return 0
    return end(options.root, options.kind, options.complete)


if __name__ == "__main__":
    sys.exit(main())
