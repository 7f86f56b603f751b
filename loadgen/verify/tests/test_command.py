"""The command: its output and exit codes."""

import json
import time
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner, Result
from tests.api_server import ApiClient, serve

from loads import POLICIES, POLICIES_YAML, NoProgress, plan_of
from rondo_verify.api import Api
from rondo_verify.audit import Audit
from rondo_verify.command import main
from rondo_verify.plan import Plan
from rondo_verify.policies import parse
from rondo_verify.render import Sample
from stored import tables_of

RECENT = int(time.time() - 500) * 1000
VERIFY = Path(__file__).parents[1]
HELP = VERIFY.parents[1] / "deploy/dist/src/main/resources/dev/rondo/dist/help/verify.txt"


@pytest.fixture
def folder(tmp_path: Path, database_url: str) -> Path:
    """The data folder of a Rondo, with the files that the command reads."""
    (tmp_path / "topology").mkdir()
    (tmp_path / "policies.yaml").write_text(POLICIES_YAML)
    settings = f"#Written at every start\npolicies.file={tmp_path}/policies.yaml\n"
    (tmp_path / "topology" / "topology.properties").write_text(settings)
    (tmp_path / "rondo.json").write_text(json.dumps({"postgres": database_url}))
    return tmp_path


def write(plan: Plan, folder: Path) -> None:
    document = {name: value for name, value in vars(plan).items() if name not in ("numbers", "ident", "sure")}
    (folder / "loadgen").mkdir(exist_ok=True)
    (folder / "loadgen" / f"{plan.run}.json").write_text(
        json.dumps(document | dict(plan.numbers) | {"version": 1, "names": {"ident": plan.ident}})
    )


def verify(folder: Path, *arguments: str) -> Result:
    return CliRunner(catch_exceptions=False).invoke(main, ["--dir", str(folder), *arguments])


def test_it_is_clean_with_the_settings_of_the_folder(connection: psycopg.Connection, folder: Path) -> None:
    plan = plan_of("late", "first")
    tables_of(plan, POLICIES).write(connection)
    write(plan, folder)
    done = verify(folder)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "first (late): no differences" in done.stdout
    assert "dropped by the rules:" in done.stdout


def test_differences_are_reported_as_json(connection: psycopg.Connection, folder: Path) -> None:
    plan = plan_of("steady")
    tables_of(plan, POLICIES).write(connection)
    connection.execute("update ts set dp[1] = 1e6 where ctid = (select min(ctid) from ts where rra_bundle_id = 2)")
    write(plan, folder)
    done = verify(folder, "--json", "--show", "1")
    found = json.loads(done.stdout)
    assert (done.exit_code, found["clean"], found["slots"]["wrong"]) == (1, False, 1)
    assert found["plans"] == [{"run": "a", "shape": "steady", "points": 313, "sent": 313}]
    assert found["runs"] == [{"run": "a", "topic": "", "dropped": {}, "differing": {"wrong": 1}}]
    [example] = found["examples"]
    assert example["found"] == 1e6
    assert example["what"].startswith("load.a.m0000")


def test_it_waits_until_the_last_row_has_arrived(
    connection: psycopg.Connection, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_of("steady")
    tables_of(plan, POLICIES).write(connection)
    write(plan, folder)
    row = connection.execute(
        "delete from ts where ctid = (select max(ctid) from ts where rra_bundle_id = 3) returning *"
    ).fetchone()
    assert row
    assert verify(folder).exit_code == 1

    def come(pause_s: float) -> None:
        connection.execute("insert into ts values (%s, %s, %s, %s, %s)", row)

    monkeypatch.setattr("rondo_verify.command.time.sleep", come)
    done = verify(folder, "--wait", "60")
    assert done.exit_code == 0
    assert "missing; retrying for" in done.stderr


@pytest.fixture(scope="module")
def api(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiClient]:
    with serve(tmp_path_factory.mktemp("api"), database_url) as client:
        yield client


def test_render_is_checked_for_each_archive(connection: psycopg.Connection, folder: Path, api: ApiClient) -> None:
    plan = replace(plan_of("disorder"), start_ms=RECENT)
    tables_of(plan, POLICIES).write(connection)
    write(plan, folder)
    asked = ["--api", api.url, "--sample", "9", "--json"]
    done = verify(folder, *asked)
    found = json.loads(done.stdout)
    assert done.exit_code == 0, done.output
    whisper, backward = ["wmean:10s", "wmean:1m", "last:1m"], ["wmean:1m", "min:1m", "max:1m", "sum:1m", "last:5m"]
    assert found["rendered"].keys() == {f"/render {archive}:1h" for archive in whisper + backward}
    assert all(counts["equal"] > 9 for name, counts in found["rendered"].items() if "5m" not in name)

    wrong = replace(plan, start_ms=RECENT + 10_000)  # another plan of the same series
    sample = Sample([wrong], Api(api.url), 9, 3)
    policies = list(POLICIES)
    audit = Audit([plan], policies, folder_url(folder), 3)
    audit.run(lambda _: nullcontext(NoProgress()))
    assert sample.run(audit.division, audit.bundles).differing["wrong"] > 9


def test_a_coarse_slot_may_be_answered_by_finer_ones(
    connection: psycopg.Connection, folder: Path, database_url: str, tmp_path: Path
) -> None:
    """Less than half of the first minute is known, but three of its six slots of 10 s are."""
    text = "policies: [{name: p, match: ., step: 10s, heartbeat: 1m, archives: ['10s:1h', '1m:1h']}]"
    (folder / "policies.yaml").write_text(text)
    plan = replace(plan_of("steady"), start_ms=RECENT // 60_000 * 60_000 + 31_000)
    tables_of(plan, parse(text)).write(connection)
    write(plan, folder)
    began = "update rra_bundle set first = to_timestamp(%s) where step_ms = %s"
    for late_s, step_ms in ((10, 10_000), (240, 60_000)):  # as if the archive of 1 m was added later
        connection.execute(began, (plan.start_ms // 60_000 * 60 + late_s, step_ms))
    with serve(tmp_path, database_url) as api:  # its own: another test had other values for these names
        done = verify(folder, "--api", api.url, "--sample", "9", "--json")
        assert done.exit_code == 0, done.output
        audit = Audit([plan], list(parse(text)), folder_url(folder), 3)
        audit.run(lambda _: nullcontext(NoProgress()))
        connection.execute(
            "update ts set dp = array(select v + 1 from unnest(dp) v)"
            " where rra_bundle_id = (select id from rra_bundle where step_ms = 10000)"
        )
        assert Sample([plan], Api(api.url), 9, 3).run(audit.division, audit.bundles).differing["extra"]


def test_a_token_is_read_from_the_folder_or_a_file(
    connection: psycopg.Connection, folder: Path, database_url: str, tmp_path: Path
) -> None:
    plan = replace(plan_of("steady"), start_ms=RECENT)
    tables_of(plan, POLICIES).write(connection)
    write(plan, folder)
    token, other = tmp_path / "api-token", tmp_path / "other"
    token.write_text("# of the dashboards\nsecret\n")
    other.write_text("no\n")
    with serve(tmp_path, database_url, RONDO_API_TOKENS_FILE=str(token)) as locked:
        (folder / "rondo.json").write_text(
            json.dumps({"postgres": database_url, "api": locked.url, "apiToken": str(token)})
        )
        by_folder = verify(folder)
        by_option = verify(folder, "--api", locked.url + "/", "--token-file", str(token))
        without = verify(folder, "--api", locked.url)
        wrong = verify(folder, "--token-file", str(other))
    for done in (by_folder, by_option):
        assert (done.exit_code, "/render wmean:10s" in done.stdout) == (0, True), done.output
    for done in (without, wrong):
        assert done.exit_code == 2
        assert "UNAUTHORIZED (--token-file)" in done.stderr


def folder_url(folder: Path) -> str:
    return str(json.loads((folder / "rondo.json").read_text())["postgres"])


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--plan", "none.json"], "plan none.json cannot be read: No such file or directory (--plan)"),
        (["--policies", "none.yaml"], "policies none.yaml cannot be read: No such file or directory (--policies)"),
        (["--postgres", "postgresql://u@127.0.0.1:1/d"], "could not connect to PostgreSQL:"),
        (["--api", "http://127.0.0.1:1"], "the query API at http://127.0.0.1:1/render does not answer:"),
        (
            ["--api", "http://127.0.0.1:1", "--token-file", "none"],
            "token file none cannot be read: No such file or directory (--token-file)",
        ),
        (
            ["--api", "http://127.0.0.1:1", "--token-file", "/dev/null"],
            "token file /dev/null has no token (--token-file)",
        ),
        (["--wait", "-1"], "-1"),
        (["--dir", "/nowhere"], "there is no plan in /nowhere/loadgen"),
    ],
)
def test_an_unusable_input_is_an_error(
    connection: psycopg.Connection, folder: Path, arguments: list[str], error: str
) -> None:
    plan = replace(plan_of("steady"), start_ms=RECENT)
    tables_of(plan, POLICIES).write(connection)
    write(plan, folder)
    done = verify(folder, *arguments)
    assert done.exit_code == 2
    assert error in done.stderr
    assert "Traceback" not in done.stderr


def test_the_help_names_each_option() -> None:
    text = HELP.read_text(encoding="utf-8")
    for option in main.params:
        assert f"\n      {option.opts[0]}" in text
