"""Plans of each shape, policies of both modes, and an audit of their stored slots."""

from contextlib import nullcontext
from typing import Any

from rondo_verify import plan as plans
from rondo_verify import policies as policy_files
from rondo_verify.audit import Audit
from rondo_verify.findings import Findings
from rondo_verify.limits import Limits

START = 1_700_000_003_000
POLICIES_YAML = """
policies:
  - name: whisper
    match: metric01
    step: 10s
    heartbeat: 0
    aggregate: last
    archives: ["10s:1h", "avg:1m:1h:0.3", "1m:1h"]
  - name: backward
    match: .
    step: 10s
    heartbeat: 1m
    expire.after: 100y
    archives: ["10s:2m", "10s:1h:0.8", "1m:1h", "min:1m:1h", "max:1m:1h", "sum:1m:1h", "last:5m:1h:0.1"]
"""
POLICIES = policy_files.parse(POLICIES_YAML)
BACKWARD = [policy for policy in POLICIES if policy.name == "backward"]
NUMBERS: dict[str, dict[str, float]] = {
    "ramp": {"ramp_from": 0.2},
    "burst": {"burst_ms": 20_000},
    "jitter": {"jitter": 0.7},
    "collectors": {"aligned_share": 0.5, "jitter": 0.2},
    "jumping": {"jump_ticks": 3, "jump_share": 0.4, "jump_ms": 45_000},
    "gaps": {"gap_ticks": 3, "gap_share": 0.4},
    "late": {"late_ticks": 2, "late_share": 0.3},
    "duplicate": {"duplicate_share": 0.3},
    "disorder": {"disorder_share": 0.4},
    "garbage": {"garbage_share": 0.1},
    "churn": {"churn_ms": 100_000},
}


def plan_of(shape: str, run: str = "a", series: int = 9, ticks: int = 35) -> plans.Plan:
    """About ten seconds between ticks; the last tick is partial."""
    machine = "m{machine:05d}" + (".g{generation}" if shape == "churn" else "")
    points = series * ticks - 2
    document: dict[str, Any] = {
        **{"version": 1, "run": run, "seed": 7, "shape": shape, "rate": series * 0.0973, "series": series},
        **{"metrics": 3, "start_ms": START, "points": points, "sent": points, "acked": points, "failed": 0},
        **{"finished": True, "time_unit_ms": 1, "names": {"ident": f"load.{run}.{machine}.metric{{metric:02d}}"}},
        **NUMBERS.get(shape, {}),
    }
    return plans.parse(document)


class NoProgress:
    def update(self, n_steps: int) -> None:
        pass


def audit(
    plan: plans.Plan | list[plans.Plan],
    url: str,
    policies: list[policy_files.Policy] = POLICIES,
    given: policy_files.Policy | None = None,
    limits: Limits | None = None,
) -> Findings:
    several = plan if isinstance(plan, list) else [plan]
    audit = Audit(several, policies, url, 3, given, limits or Limits())
    return audit.run(lambda _: nullcontext(NoProgress()))
