import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

from report import times
from report.failures import MAX_LINES, describe_failures
from report.reading import read_run
from report.writing import begin, write_junit, write_report

from .conftest import STACK, Checkout

PASSED = '<testcase name="shouldPass" time="0.5"/>'
FAILED = f'<testcase name="shouldStoreRows(String)[2]" time="0.5"><failure message="x">{STACK}</failure></testcase>'
SKIPPED = (
    '<testcase name="shouldCompare" time="0"><skipped '
    'message="org.opentest4j.TestAbortedException: Assumption failed: skipped: no rrdtool"/></testcase>'
)


def test_counts_of_java_and_python_are_summed(checkout: Checkout) -> None:
    checkout.java("topology/streams", "dev.rondo.topology.TopologyIT", PASSED + FAILED + SKIPPED)
    checkout.python("query-api", '<testcase classname="tests.test_find" name="test_glob" time="1"/>')
    assert read_run(checkout.root).totals == {"passed": 2, "failed": 1, "skipped": 1}


def test_incomplete_report_is_skipped(checkout: Checkout) -> None:
    checkout.java("topology/streams", "dev.rondo.topology.TopologyIT", PASSED)
    checkout.write("schemas/target/surefire-reports/TEST-dev.rondo.Cut.xml", "<testsuite><testca")
    assert read_run(checkout.root).totals["passed"] == 1


def test_run_without_tests_is_not_green(checkout: Checkout) -> None:
    assert not read_run(checkout.root).green


def test_failed_stage_is_not_green(checkout: Checkout) -> None:
    checkout.java("schemas", "dev.rondo.TopicsTest", PASSED)
    assert read_run(checkout.root).green
    checkout.stage("mypy", 1, "")
    assert not read_run(checkout.root).green


def test_reasons_of_skipped_tests_are_grouped(checkout: Checkout) -> None:
    checkout.java("topology/streams", "dev.rondo.RrdToolIT", SKIPPED + SKIPPED)
    assert times.skipped_by_reason(read_run(checkout.root).cases) == {"no rrdtool": 2}


def test_time_is_divided_into_starts_waits_and_work(checkout: Checkout) -> None:
    checkout.java("topology/streams", "dev.rondo.TopologyIT", PASSED, seconds=10)
    entries = [("start", 2000), ("wait", 3000), ("wait", 1000)]
    lines = [
        json.dumps({"module": "topology/streams", "class": "dev.rondo.TopologyIT", "kind": kind, "what": "x", "ms": ms})
        for kind, ms in entries
    ]
    checkout.write("target/test-journal/topology-streams-1.jsonl", "\n".join([*lines, '{"module": "topo']))
    run = read_run(checkout.root)
    found = times.by_module(times.times_of(run.classes, run.journal))["topology/streams"]
    assert (found.seconds, found.start, found.wait, found.work) == (10, 2, 4, 4)


def test_class_with_properties_has_the_time_of_its_tests(checkout: Checkout) -> None:
    checkout.java("schemas", "dev.rondo.ThingPropertyTest", PASSED + PASSED, seconds=0.01)
    assert [each.seconds for each in read_run(checkout.root).classes] == [1.0]


def test_module_beyond_its_budget_is_named(checkout: Checkout) -> None:
    checkout.java("schemas", "dev.rondo.SlowIT", PASSED, seconds=90)
    checkout.java("topology/streams", "dev.rondo.TopologyIT", PASSED, seconds=90)
    lines = times.describe_times(read_run(checkout.root), {"schemas": 60, "topology/streams": 100})
    exceeding = [line for line in lines if "EXCEEDS" in line]
    assert len(exceeding) == 1
    assert "schemas" in exceeding[0]
    assert "30 s" in exceeding[0]


def test_budgets_are_read_by_the_kind_of_a_run(tmp_path: Path) -> None:
    file = tmp_path / "budgets.toml"
    file.write_text('[test]\n"schemas" = 60\n[all]\n"schemas" = 120\n')
    assert times.read_budgets("all", file) == {"schemas": 120.0}
    assert times.read_budgets("chosen", file) == {}


def test_failure_has_its_message_state_and_command(checkout: Checkout) -> None:
    checkout.java("topology/streams", "dev.rondo.topology.TopologyIT", FAILED)
    checkout.write("target/test-failures/dev.rondo.topology.TopologyIT#shouldStoreRows.txt", "kafka (pid 7) runs\n")
    text = "\n".join(describe_failures(read_run(checkout.root)))
    assert "[rows of both series] expected 2 but was 1" in text
    assert "TopologyIT.java:77" in text
    assert "Assertions.java" not in text
    assert "kafka (pid 7) runs" in text
    assert text.endswith("again: ./rondo test TopologyIT#shouldStoreRows")


def test_failure_of_a_class_is_repeated_by_the_class(checkout: Checkout) -> None:
    checkout.java(
        "topology/streams", "dev.rondo.TopologyIT", '<testcase name=""><error>java.io.IOException</error></testcase>'
    )
    checkout.write("target/test-failures/dev.rondo.TopologyIT#before-all.txt", "postgres (pid 8) has ended\n")
    lines = describe_failures(read_run(checkout.root))
    assert lines[-1] == "  again: ./rondo test TopologyIT"
    assert "  | postgres (pid 8) has ended" in lines


def test_seed_of_a_failure_is_in_its_command(checkout: Checkout) -> None:
    failed = (
        '<testcase name="shouldLose"><failure>java.lang.Error: 3 differ: -Drondo.proof.seed=-77</failure></testcase>'
    )
    checkout.java("loadgen/proof", "dev.rondo.ProofIT", failed)
    lines = describe_failures(read_run(checkout.root))
    assert lines[-1] == "  again: ./rondo test ProofIT#shouldLose -Drondo.proof.seed=-77"


def test_seed_of_a_property_is_shown(checkout: Checkout) -> None:
    failed = (
        '<testcase name="shouldHold"><failure>java.lang.Error: x</failure><system-out>tries = 7 | #\n'
        "seed = 5295863402321138442    | random seed</system-out></testcase>"
    )
    checkout.java("schemas", "dev.rondo.ThingPropertyTest", failed)
    assert "  seed: seed = 5295863402321138442" in describe_failures(read_run(checkout.root))


def test_failure_of_python_finds_its_state(checkout: Checkout) -> None:
    failure = "def test_glob():\n>   assert 1 == 2\nE   assert 1 == 2\n\ntests/test_find.py:9: AssertionError"
    checkout.python(
        "query-api",
        '<testcase classname="tests.test_find" name="test_glob[a.*]">'
        f'<failure message="x">{failure}</failure></testcase>',
    )
    checkout.write("target/test-failures/tests_test_find.py__test_glob[a.*].txt", "api-server (pid 9) has ended\n")
    lines = describe_failures(read_run(checkout.root))
    assert "  E   assert 1 == 2" in lines
    assert "  | api-server (pid 9) has ended" in lines
    assert lines[-1] == "  again: ./rondo test 'query-api/tests/test_find.py::test_glob[a.*]'"


def test_many_failures_stay_within_the_end_of_a_log(checkout: Checkout) -> None:
    for number in range(30):
        checkout.java("schemas", f"dev.rondo.Thing{number:02}IT", FAILED)
        state = "".join(f"line {line}\n" for line in range(500))
        checkout.write(f"target/test-failures/dev.rondo.Thing{number:02}IT#shouldStoreRows.txt", state)
    lines = describe_failures(read_run(checkout.root))
    assert len(lines) <= MAX_LINES
    assert sum("again: ./rondo test Thing" in line for line in lines) == 10
    assert sum(line.startswith("FAILED") and ": ./rondo test Thing" in line for line in lines) == 20
    assert lines[-1].startswith("and 10 more")
    assert "  | line 499" in lines, "the latest lines stay"


def test_single_failure_uses_all_lines(checkout: Checkout) -> None:
    checkout.java("schemas", "dev.rondo.ThingIT", FAILED)
    checkout.write("target/test-failures/dev.rondo.ThingIT#shouldStoreRows.txt", "a line\n" * 120)
    assert describe_failures(read_run(checkout.root)).count("  | a line") == 120


def test_stage_that_dies_without_a_failed_test_shows_its_end(checkout: Checkout) -> None:
    checkout.stage("java unit tests", 1, "[INFO] ok\n[ERROR] Thing.java:[7,1] ';' expected\n[ERROR] [Help 1] http://\n")
    lines = describe_failures(read_run(checkout.root))
    assert "  [ERROR] Thing.java:[7,1] ';' expected" in lines
    assert not any("Help 1" in line or "[INFO]" in line for line in lines)


def test_stage_of_another_program_shows_its_end(checkout: Checkout) -> None:
    checkout.stage("mypy", 1, "".join(f"line {number}\n" for number in range(100)))
    lines = describe_failures(read_run(checkout.root))
    assert lines[-1] == "  line 99"
    assert "  line 10" not in lines


def test_crash_of_a_jvm_is_shown_beside_failed_tests(checkout: Checkout) -> None:
    checkout.java("schemas", "dev.rondo.ThingIT", FAILED)
    checkout.stage("java integration tests", 1, "[INFO] x\n[ERROR] Crashed tests:\n[INFO] y\n")
    lines = describe_failures(read_run(checkout.root))
    assert "  [ERROR] Crashed tests:" in lines
    assert "  [INFO] x" not in lines


def test_report_is_written_for_programs(checkout: Checkout) -> None:
    checkout.java("schemas", "dev.rondo.ThingIT", PASSED + FAILED + SKIPPED, seconds=3)
    begin(checkout.root, "./rondo test")
    report = json.loads(write_report(read_run(checkout.root), complete=True).read_text())
    assert report["totals"] == {"passed": 1, "failed": 1, "skipped": 1}
    assert not report["green"]
    assert report["complete"]
    assert report["commit"] is None
    assert not report["clean"], "nothing is known outside a repository"
    assert report["modules"]["schemas"]["seconds"] == 3
    assert report["skipped"] == [{"reason": "no rrdtool", "count": 1}]
    assert report["failures"] == [
        {"test": "schemas ThingIT.shouldStoreRows(String)[2]", "command": "./rondo test ThingIT#shouldStoreRows"}
    ]


def test_tree_that_changes_during_a_run_is_not_clean(checkout: Checkout) -> None:
    def git(*arguments: str) -> None:
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *identity, *arguments], cwd=checkout.root, check=True, capture_output=True)  # noqa: S607

    checkout.write(".gitignore", "target/\n")
    git("init")
    git("add", ".")
    git("commit", "--message=first")
    begin(checkout.root, "./rondo test")
    assert json.loads(write_report(read_run(checkout.root), complete=True).read_text())["clean"]
    checkout.write("changed", "")
    assert not json.loads(write_report(read_run(checkout.root), complete=True).read_text())["clean"]


def test_reports_are_merged_for_build_servers(checkout: Checkout) -> None:
    checkout.java(
        "schemas",
        "dev.rondo.ThingIT",
        '<testcase name="a"><system-out>much</system-out></testcase>'
        + FAILED.replace("</test", "<system-out>o</system-out></test"),
    )
    checkout.python("connectors/clients/python", '<testcase classname="tests.test_names" name="test_name" time="1"/>')
    merged = ElementTree.parse(write_junit(checkout.root)).getroot()  # noqa: S314
    assert len(list(merged.iter("testcase"))) == 3
    assert list(merged.iter("properties")) == []
    assert [each.text for each in merged.iter("system-out")] == ["o"]


def test_last_line_counts_the_tests(checkout: Checkout) -> None:
    checkout.java("schemas", "dev.rondo.ThingIT", PASSED + FAILED + SKIPPED)
    begin(checkout.root, "./rondo test")
    command = [sys.executable, "-m", "report", "end", str(checkout.root), "--complete"]
    done = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1] == "rondo: 1 passed, 1 failed, 1 skipped"
    assert done.returncode == 1
