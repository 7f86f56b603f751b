"""The command: options, waiting, exit codes."""

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NoReturn

import click
import psycopg

from . import plan as plan_reader
from . import policies as policy_files
from . import sources as source_files
from . import versions as version_files
from .api import Api
from .arrivals import with_uncertainty
from .audit import Audit, Progress
from .errors import InputError
from .findings import Findings
from .history_audit import HistoryAudit
from .history_render import HistorySample
from .limits import Limits
from .plan import Plan
from .render import Sample
from .running import Running
from .sources import policy_of
from .versions import Version

DIFFERS, UNUSABLE = 1, 2
PAUSE_S = 2.0


@click.command(add_help_option=False)
@click.option("--plan", "plan_files", type=click.Path(path_type=Path), multiple=True)
@click.option("--policies", "policies_file", type=click.Path(path_type=Path))
@click.option("--versions", "versions_file", type=click.Path(path_type=Path))
@click.option("--sources", "sources_file", type=click.Path(path_type=Path))
@click.option("--new-series-limited", is_flag=True)
@click.option("--postgres")
@click.option("--api")
@click.option("--token-file", type=click.Path(path_type=Path))
@click.option("--dir", "folder", type=click.Path(path_type=Path), required=True)
@click.option("--sample", type=click.IntRange(min=0), default=20)
@click.option("--show", type=click.IntRange(min=0), default=10)
@click.option("--wait", type=click.FloatRange(min=0), default=0)
@click.option("--json", "as_json", is_flag=True)
def main(
    plan_files: tuple[Path, ...],
    policies_file: Path | None,
    versions_file: Path | None,
    sources_file: Path | None,
    new_series_limited: bool,
    postgres: str | None,
    api: str | None,
    token_file: Path | None,
    folder: Path,
    sample: int,
    show: int,
    wait: float,
    as_json: bool,
) -> NoReturn:
    """Compare what is stored of a plan with the model; ./rondo verify --help describes the options."""
    deadline = time.monotonic() + wait
    running = Running(folder)
    try:
        plans = [with_uncertainty(plan_reader.read(file)) for file in plan_files or [running.plan()]]
        versions = version_files.read(versions_file) if versions_file else []
        url = postgres or running.postgres()
        client = Api.of(api, token_file) if api else None if postgres else running.api(token_file)
        sources = source_files.read(sources_file) if sources_file else running.sources()
        policies = [] if versions else policy_files.read(policies_file) if policies_file else running.policies()
        limits = Limits(running.partitions(), new_series_limited)
        findings = Findings(show)
        runs: list[dict[str, Any]] = []
        for same_series in _by_series(plans):
            if versions:
                run = _with_versions(same_series, versions, url, client, sample, show)
            else:
                given = policy_of(same_series[0].topic, sources, policies)
                audit = Audit(same_series, policies, url, show, given, limits)
                run = _with_policies(audit, client, sample, new_series_limited)
            found = _until_clean(run, deadline)
            runs.extend(_run(plan, found) for plan in same_series)
            findings.add(found)
    except InputError as e:
        click.echo(f"rondo: {e}", err=True)
        sys.exit(UNUSABLE)
    for plan in plans:
        findings.notes.extend(_notes(plan))
    if not (client and sample):
        findings.notes.append("/render was not checked")
    if as_json:
        sent = [{"run": plan.run, "shape": plan.shape, "points": plan.points, "sent": plan.sent} for plan in plans]
        click.echo(json.dumps({"plans": sent, "runs": runs} | findings.json(), indent=2))
    else:
        names = ", ".join(f"{plan.run} ({plan.shape})" for plan in plans)
        click.echo(f"{names}: {'no differences' if findings.is_clean else 'DIFFERS'}")
        click.echo(findings.text())
    sys.exit(0 if findings.is_clean else DIFFERS)


def _run(plan: Plan, found: Findings) -> dict[str, Any]:
    found_of = {"dropped": dict(found.dropped), "differing": dict(found.differing)}
    return {"run": plan.run, "topic": plan.topic} | found_of


def _by_series(plans: Sequence[Plan]) -> list[list[Plan]]:
    """Group plans of the same series, ordered by time: each continues where the previous one ended."""
    groups: dict[tuple[str, int], list[Plan]] = {}
    for plan in sorted(plans, key=lambda plan: plan.start_ms):
        groups.setdefault((plan.ident, plan.metrics), []).append(plan)
    return list(groups.values())


def _notes(plan: Plan) -> Iterator[str]:
    if plan.failed:
        yield f"{plan.run}: {plan.failed} points finally failed; any of them may be missing"
    if not plan.finished:
        yield f"{plan.run}: the generator was killed; points of turns {plan.sure} to {plan.points} may be missing"


def _with_policies(audit: Audit, api: Api | None, count: int, are_refused: bool) -> Callable[[], Findings]:
    def run() -> Findings:
        findings = audit.run(_show_progress)
        if api and count and findings.is_clean:
            sample = Sample(audit.plans, api, count, audit.show, are_refused)
            findings = _merged(findings, sample.run(audit.division, audit.bundles))
        return findings

    return run


def _with_versions(
    plans: Sequence[Plan], versions: Sequence[Version], url: str, api: Api | None, count: int, show: int
) -> Callable[[], Findings]:
    audit = HistoryAudit(plans, versions, url, show)

    def run() -> Findings:
        findings = audit.run(_show_progress)
        if api and count and findings.is_clean:
            sample = HistorySample(plans, versions, api, count, show)
            findings = _merged(findings, sample.run(audit.groups, audit.bundles))
        return findings

    return run


def _until_clean(run: Callable[[], Findings], deadline: float) -> Findings:
    """Compare; repeat until the deadline while there are differences or read errors."""
    while True:
        left = deadline - time.monotonic()
        try:
            findings = run()
        except (InputError, psycopg.Error) as e:
            if left <= PAUSE_S:
                raise _unreachable(e) from e
            outcome = f"not readable yet: {str(e).splitlines()[0]}"
        else:
            if findings.is_clean or left <= PAUSE_S:
                return findings
            outcome = ", ".join(f"{n} {kind}" for kind, n in findings.differing.items())
        click.echo(f"{outcome}; retrying for {max(0, left):.0f} s", err=True)
        time.sleep(PAUSE_S)


def _merged(findings: Findings, more: Findings) -> Findings:
    findings.rendered |= more.rendered
    findings.others += more.others
    for example in more.examples:
        findings.add_example(example)
    return findings


def _unreachable(error: Exception) -> InputError:
    if isinstance(error, InputError):
        return error
    if isinstance(error, psycopg.OperationalError):
        return InputError(f"could not connect to PostgreSQL: {str(error).strip()} (--postgres)")
    return InputError(f"could not read the tables: {str(error).strip()} (--postgres)")


def _show_progress(series: int) -> AbstractContextManager[Progress]:
    """Show a progress bar with the remaining time, on a terminal."""
    hidden = not sys.stderr.isatty()
    return click.progressbar(length=series, label="comparing series", file=sys.stderr, hidden=hidden, show_pos=True)
