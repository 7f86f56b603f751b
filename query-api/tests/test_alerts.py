"""The alerts of deploy/prometheus, their tests, runbooks and metrics."""

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from rondo_query_api.status import rules
from rondo_query_api.status.rules import Rule

from .metrics_pages import pages
from .postgres import REPOSITORY

PROMETHEUS = REPOSITORY / "deploy" / "prometheus"
RUNBOOKS = REPOSITORY / "docs" / "runbooks"
REFERENCE = REPOSITORY / "docs" / "reference"
SECTIONS = [
    "Meaning",
    "Impact",
    "How to see it",
    "Causes, the most likely first",
    "Fix, by cause",
    "How to verify that it is over",
]
METRIC = re.compile(r"\b(?:rondo|kafka)_\w+\b(?!=)")
NO_METRICS = {"rondo_part", "rondo_filler", "rondo_reader", "rondo_api"}  # a label, roles


@cache
def alerts() -> dict[str, dict[str, Any]]:
    """All alerts by their names."""
    groups = yaml.safe_load((PROMETHEUS / "alerts.yml").read_text(encoding="utf-8"))["groups"]
    rules = [rule for group in groups for rule in group["rules"]]
    found = {rule["alert"]: rule for rule in rules}
    assert len(found) == len(rules)
    return found


def runbooks() -> dict[str, str]:
    """Text of each runbook by its name."""
    return {page.stem: page.read_text(encoding="utf-8") for page in RUNBOOKS.glob("Rondo*.md")}


def test_each_alert_has_a_runbook_and_each_runbook_an_alert() -> None:
    assert set(runbooks()) == set(alerts())
    for name, alert in alerts().items():
        assert alert["annotations"]["runbook_url"] == f"docs/runbooks/{name}.md"
        assert alert["labels"]["severity"] in ("critical", "warning")


def test_runbooks_answer_the_same_questions() -> None:
    for name, text in runbooks().items():
        assert text.startswith(f"# {name}\n"), name
        assert re.findall(r"^## (.*)", text, re.MULTILINE) == SECTIONS, name
        causes, mends = (re.search(rf"## {section}\n(.*?)(?=\n## |\Z)", text, re.DOTALL) for section in SECTIONS[3:5])
        assert causes
        assert mends
        numbers = [re.findall(r"^(\d+)\. ", part[1], re.MULTILINE) for part in (causes, mends)]
        assert numbers[0] == numbers[1], f"{name}: each cause has its mend"


def test_runbooks_name_commands_and_options_that_exist() -> None:
    helps = REPOSITORY / "deploy/dist/src/main/resources/dev/rondo/dist/help"
    for name, text in runbooks().items():
        for words, options in re.findall(r"\./rondo ([a-z-]+(?: [a-z-]+)?)((?: --[a-z-]+(?:[= ][\w-]+)?)*)", text):
            names = [words.replace(" ", "-"), words.split()[0]]
            found = [page for each in names if (page := helps / f"{each}.txt").exists()]
            assert found, f"{name}: {words}"
            for option in re.findall(r"--[a-z-]+", options):
                assert option == "--help" or option in found[0].read_text(encoding="utf-8"), f"{name}: {words} {option}"


def test_list_of_runbooks_is_complete() -> None:
    listed = re.findall(r"^\| \[(\w+)\]\((\w+)\.md\) \| (\w+) \|", (RUNBOOKS / "README.md").read_text(), re.MULTILINE)
    assert listed == [(name, name, alert["labels"]["severity"]) for name, alert in alerts().items()]


@pytest.mark.parametrize("rule", [each for each in vars(rules).values() if isinstance(each, Rule)], ids=str)
def test_rules_of_the_status_are_those_of_the_alerts(rule: Rule) -> None:
    alert = alerts()[rule.alert]
    assert alert["labels"]["severity"] == rule.severity
    assert {rule.metric, rule.share_of} - {""} <= set(METRIC.findall(alert["expr"]))
    bounds = {float(bound) for bound in re.findall(r"> ([\d.]+)", alert["expr"])}
    assert bounds == {rule.bound} or (not bounds and not rule.bound)
    reasons = re.findall(r'reason=~"([^"]+)"', alert["expr"])
    assert sorted(rule.reasons) == sorted(reason for each in reasons for reason in each.split("|"))


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_reference_pages_are_what_the_code_says(page: Path) -> None:
    """Else: .venv/bin/python -m tests.metrics_pages."""
    assert page.read_text(encoding="utf-8") == pages()[page]


def test_alerts_and_runbooks_name_metrics_that_exist() -> None:
    documented: set[str] = set()
    for page in REFERENCE.glob("*-metrics.md"):
        for name, kind in re.findall(r"^\| `(\w+)(?:{.*?})?` \| (?:[^|]*\| )?(\w+) \|", page.read_text(), re.MULTILINE):
            documented |= {name, *(f"{name}_{end}" for end in ("bucket", "sum", "count") if kind == "histogram")}
    texts = {name: alert["expr"] for name, alert in alerts().items()}
    texts |= {f"{name}.md": text for name, text in runbooks().items()}
    for name, text in texts.items():
        assert set(METRIC.findall(text)) - documented - NO_METRICS == set(), name


def test_targets_of_the_example_are_the_parts_of_the_alerts() -> None:
    jobs = yaml.safe_load((PROMETHEUS / "prometheus.yml").read_text(encoding="utf-8"))["scrape_configs"]
    parts = {config["labels"]["rondo_part"] for job in jobs for config in job["static_configs"]}
    named = {part for alert in alerts().values() for part in re.findall(r'rondo_part="(\w+)"', alert["expr"])}
    assert named <= parts


def test_silenced_alerts_exist() -> None:
    rules = yaml.safe_load((PROMETHEUS / "alertmanager.yml").read_text(encoding="utf-8"))["inhibit_rules"]
    for rule in rules:
        for matcher in (*rule["source_matchers"], *rule["target_matchers"]):
            for pattern in matcher.split('"')[1].split("|"):
                assert any(re.fullmatch(pattern, name) for name in alerts()), pattern


@pytest.mark.long
def test_each_alert_fires_and_is_silent_as_expected(tmp_path: Path) -> None:
    """In alerts-test.yml each alert is expected once, and the same alerts are expected not to fire at another time."""
    file = yaml.safe_load((PROMETHEUS / "alerts-test.yml").read_text(encoding="utf-8"))
    tests = file["tests"]
    expected, silent = set(), ""
    for test in tests:
        for check in test["promql_expr_test"]:
            fired = re.findall(r'alertname="(\w+)"', str(check.get("exp_samples", "")))
            expected |= set(fired)
            silent += "" if fired else check["expr"]
    assert expected == set(alerts())
    assert silent
    rules = [str(PROMETHEUS / name) for name in file["rule_files"]]
    for interval in sorted({test["interval"] for test in tests}):
        # As often as the series have values: one test is about days, and would take a minute by the file's interval.
        alike = [test for test in tests if test["interval"] == interval]
        part = {"rule_files": rules, "evaluation_interval": interval, "tests": alike}
        written = tmp_path / f"{interval}.yml"
        written.write_text(yaml.safe_dump(part), encoding="utf-8")
        promtool("test", "rules", str(written))


def test_prometheus_accepts_the_files() -> None:
    promtool("check", "config", "prometheus.yml")


def promtool(*arguments: str) -> None:
    program = shutil.which("promtool")
    if program is None:
        pytest.skip("no promtool to check the alerts with: apt install prometheus")
    env = os.environ | {"GOGC": "1000"}  # it lives for seconds: collecting garbage costs more than it gains
    tried = subprocess.run([program, *arguments], cwd=PROMETHEUS, env=env, capture_output=True, text=True, check=False)
    assert tried.returncode == 0, tried.stdout + tried.stderr
