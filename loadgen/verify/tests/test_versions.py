"""Tables with what versions of the policies promise are clean; damage at a border and elsewhere is found."""

import json
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import psycopg
import pytest

from loads import START, NoProgress, plan_of
from rondo_verify import policies as policy_files
from rondo_verify import versions as version_files
from rondo_verify.api import Api
from rondo_verify.arrivals import planned
from rondo_verify.errors import InputError
from rondo_verify.findings import Findings
from rondo_verify.history_audit import HistoryAudit
from rondo_verify.history_render import HistorySample
from rondo_verify.promises import History
from rondo_verify.versions import Version
from stored import tables_of

POLICY = "policies: [{{name: {name}, match: ., step: 10s, heartbeat: 1m, archives: [{archives}]}}]"
RESIZED, RENAMED = START + 100_000, START + 240_000
TEXTS = [
    (POLICY.format(name="a", archives="'10s:1h', '1m:1h'"), 0, 0),
    (POLICY.format(name="a", archives="'10s:2h', '1m:1h', 'max:1m:1h'"), RESIZED, RESIZED + 10_000),
    (POLICY.format(name="b", archives="'10s:2h', '1m:1h'"), RENAMED, RENAMED + 10_000),
]
VERSIONS = [Version(policy_files.parse(text), *times) for text, *times in TEXTS]
EVERY = policy_files.parse(POLICY.format(name="a", archives="'10s:1h', '10s:2h', '1m:1h', 'max:1m:1h'"))
PLAN = plan_of("steady")

KEEP = [
    "delete from ts where rra_bundle_id = {fine} and t > {at}",
    "delete from ts where rra_bundle_id = {resized} and t <= {at}",
    "delete from ts where rra_bundle_id = {max} and not t - interval '1 min' between"
    " {at} + interval '10 s' and {to} - interval '1 min'",
    "insert into rra_bundle (policy, cf, step_ms, size, width, xff, whisper, aggregate)"
    " select 'b', cf, step_ms, size, width, xff, whisper, aggregate from rra_bundle where id in ({resized}, {minute})",
    "insert into ts select b.id, seg + 5, i, t, dp from ts join rra_bundle a on a.id = rra_bundle_id"
    " join rra_bundle b on b.policy = 'b' and (b.cf, b.step_ms, b.size) = (a.cf, a.step_ms, a.size)"
    " where a.id in ({resized}, {minute}) and t > {to}",
    "delete from ts where seg < 5 and rra_bundle_id in ({resized}, {minute}) and t > {to}",
    "update ds set policy = 'b', seg = seg + 5, starts_at = {to}",
]
FILL = [
    "insert into archive_fill (rra_bundle_id, until) select {max}, min(t) from ts where rra_bundle_id = {max}",
    "insert into ts select {max}, seg, (i + 57) % 60, t - interval '3 min', dp from ts"
    " where rra_bundle_id = {max} and t = (select min(t) from ts where rra_bundle_id = {max})",
]
DAMAGES = {
    "a slot at a border lost": ("update ts set dp[1] = 'NaN' where {at_resize}", {"missing": 1}),
    "a slot at a border changed": ("update ts set dp[1] = dp[1] + 1e-6 where {at_resize}", {"wrong": 1}),
    "a slot after a border lost": ("update ts set dp[2] = 'NaN' where {after_resize}", {"missing": 1}),
    "a slot in a former location lost": ("delete from ts where {before_rename}", {"missing": 4}),
    "a slot in the archive of the former version, too": (
        "insert into ts select {fine}, seg, extract(epoch from t)::bigint / 10 % 360, t, dp from ts"
        " where {after_resize}",
        {"extra": 4},
    ),
    "a slot of an archive that was added later": (
        "update ts set t = t - interval '3 min', i = (extract(epoch from t)::bigint / 60 + 57) % 60"
        " where seg = 0 and rra_bundle_id = {max}",
        {"extra": 4},
    ),
    "a period forgotten": ("delete from location_period where number = 0 and seg = 0 and pos = 1", {}),
    "a period that ends too early": (
        "update location_period set ends_at = {to} - interval '1 min' where number = 0 and seg = 0 and pos = 1",
        {},
    ),
}
ROW = "seg = 0 and rra_bundle_id = {resized} and t = to_timestamp(%d)"
TIMES = {"at": f"to_timestamp({RESIZED} / 1e3)", "to": f"to_timestamp({RENAMED} / 1e3)"}
ROWS = {
    "at_resize": RESIZED // 10_000 * 10 + 10,
    "after_resize": RESIZED // 10_000 * 10 + 40,
    "before_rename": RENAMED // 10_000 * 10 - 30,
}


def filled(sql: str, bundles: dict[str, int]) -> str:
    rows = {name: (ROW % end).format(**bundles) for name, end in ROWS.items()}
    return sql.format(**rows, **TIMES, **bundles)


def audit(url: str) -> Findings:
    return HistoryAudit([PLAN], VERSIONS, url, 3).run(lambda _: nullcontext(NoProgress()))


def ids(connection: psycopg.Connection) -> dict[str, int]:
    sql = "select case when cf = 'max' then 'max' when step_ms = 60000 then 'minute' when size = 360 then 'fine'"
    return dict(connection.execute(sql + " else 'resized' end, id from rra_bundle where policy = 'a'").fetchall())


@pytest.fixture
def tables(connection: psycopg.Connection) -> dict[str, int]:
    """Write the slots of the three versions; return the bundles of the first policy."""
    connection.execute("truncate location_period")
    tables_of(PLAN, EVERY).write(connection)
    found = ids(connection)
    for sql in KEEP:
        connection.execute(filled(sql, found))
    return found


def test_promised_slots_are_clean(tables: dict[str, int], database_url: str) -> None:
    found = audit(database_url)
    assert found.is_clean, found.text()
    assert found.archives["wmean:10s"]["equal"] > 9 * 30
    assert found.archives["wmean:10s"]["border"] == 0
    assert found.archives["max:60s"]["equal"] == PLAN.series
    assert found.archives["max:60s"]["border"] > 0


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_found(
    connection: psycopg.Connection, tables: dict[str, int], database_url: str, damage: str
) -> None:
    sql, expected = DAMAGES[damage]
    assert connection.execute(filled(sql, tables)).rowcount > 0
    found = audit(database_url)
    assert not found.is_clean
    for kind, count in expected.items():
        assert found.counts[kind] == count, found.text()


def test_filled_slots_are_ignored(connection: psycopg.Connection, tables: dict[str, int], database_url: str) -> None:
    connection.execute("truncate archive_fill")
    for sql in FILL:
        connection.execute(filled(sql, tables))
    assert audit(database_url).is_clean
    connection.execute("truncate archive_fill")
    assert audit(database_url).counts["extra"] > 0


def test_points_before_a_fill_began_count(
    connection: psycopg.Connection, tables: dict[str, int], database_url: str
) -> None:
    """A partition that lags adds older points than the first ones of its archive."""
    sql = "insert into archive_fill (rra_bundle_id, until) select {resized}, {at} + interval '40 s'"
    connection.execute("truncate archive_fill")
    connection.execute(filled(sql, tables))
    found = audit(database_url)
    equal = found.counts["equal"]
    assert found.is_clean, found.text()
    connection.execute("truncate archive_fill")
    assert audit(database_url).counts["equal"] == equal


def test_a_slot_over_a_border_is_promised_if_its_archive_continues() -> None:
    subjects = planned([PLAN])
    history = History([PLAN], VERSIONS, [each.policies[0] for each in VERSIONS], subjects, np.zeros(9, dtype=np.int64))
    first, last = history.extent(60_000)
    minutes, maxima = (history.promise(cf, 60_000, first, last) for cf in ("wmean", "max"))
    crossed = minutes.version < 0
    assert crossed.any(axis=1).all()
    assert minutes.promised.all()
    assert not maxima.promised[crossed].any()
    assert maxima.promised[~crossed].all()


def test_render_is_checked_for_two_slots_of_the_coarsest_archive_around_a_border() -> None:
    subjects = planned([PLAN])
    history = History([PLAN], VERSIONS, [each.policies[0] for each in VERSIONS], subjects, np.zeros(9, dtype=np.int64))
    _, resized, _ = HistorySample([PLAN], VERSIONS, Api(""), count=1, show=1).ranges(history.take(0))
    assert resized == (RESIZED - 120_000, RESIZED + 10_000 + 120_000)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ("{}", "is not an array"),
        ('[{"policies": "", "from_ms": 1}]', "from_ms and until_ms, whole numbers"),
        ('[{"policies": "x", "from_ms": 1, "until_ms": 2}]', "no policy (policies)"),
        (
            json.dumps([{"policies": TEXTS[0][0], "from_ms": 5, "until_ms": n} for n in (7, 6)]),
            "until_ms 6 is before 7",
        ),
    ],
)
def test_an_unusable_versions_file_is_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "versions.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        version_files.read(file)
    assert message in str(refused.value)
    assert "--versions" in str(refused.value)
