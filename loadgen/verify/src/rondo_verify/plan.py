"""The plan of a load, as ``./rondo loadgen`` writes it: everything that was sent is a function of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import documents
from .errors import InputError

VERSION = 1
PARAMETERS: dict[str, tuple[str, ...]] = {
    "steady": (),
    "ramp": ("ramp_from",),
    "burst": ("burst_ms",),
    "jitter": ("jitter",),
    "collectors": ("aligned_share", "jitter"),
    "jumping": ("jump_ticks", "jump_share", "jump_ms"),
    "gaps": ("gap_ticks", "gap_share"),
    "late": ("late_ticks", "late_share"),
    "duplicate": ("duplicate_share",),
    "disorder": ("disorder_share",),
    "garbage": ("garbage_share",),
    "churn": ("churn_ms",),
    "cold-start": (),
}


@dataclass(frozen=True)
class Plan:
    """Point n is that of series ``n mod series`` at tick ``n div series``; series s is one of ``metrics`` of a machine.

    A run has a turn for each n. Points of turns below ``sent`` were passed to the producer; those of turns below
    ``sure`` are known to have arrived. ``rate`` is points per second; times are truncated to ``time_unit_ms``. Each
    machine's clock is off by up to ``clock_skew_ms``.
    """

    run: str
    seed: int
    shape: str
    rate: float
    series: int
    metrics: int
    start_ms: int
    points: int
    sent: int
    sure: int
    acked: int
    failed: int
    finished: bool
    ident: str
    time_unit_ms: int = 1
    topic: str = ""
    clock_skew_ms: int = 0
    numbers: Mapping[str, float] = field(default_factory=dict)

    @property
    def ticks(self) -> int:
        """Number of planned ticks; the last one may be partial."""
        return -(-self.points // self.series)

    @property
    def earliest_ms(self) -> int:
        """Lower bound of the times of points."""
        rounded_ms = int(self.interval_ms) if self.shape == "collectors" else 0
        jump_ms = int(self.numbers["jump_ms"]) if self.shape == "jumping" else 0
        return self.start_ms - self.clock_skew_ms - rounded_ms - jump_ms

    @property
    def interval_ms(self) -> float:
        """Interval between ticks."""
        return self.series * 1000.0 / self.rate


def read(file: Path) -> Plan:
    """Read a plan file."""
    document = documents.from_json(file, "plan", "--plan")
    try:
        return parse(document)
    except InputError as e:
        raise InputError(f"plan {file}: {e} (--plan)") from e


def parse(document: Any) -> Plan:
    """Create a plan from its JSON object."""
    if not isinstance(document, dict) or document.get("version") != VERSION:
        raise InputError(f"it is not an object with version {VERSION}")
    shape = _get(document, "shape", str)
    if shape not in PARAMETERS:
        raise InputError(f"shape '{shape}' is not one of {', '.join(PARAMETERS)}")
    plan = Plan(
        run=_get(document, "run", str),
        seed=_get(document, "seed", int),
        shape=shape,
        rate=float(_get(document, "rate", int, float)),
        series=_get(document, "series", int),
        metrics=_get(document, "metrics", int),
        start_ms=_get(document, "start_ms", int),
        points=_get(document, "points", int),
        sent=_get(document, "sent", int),
        sure=_get(document, "sent", int),
        acked=_get(document, "acked", int),
        failed=_get(document, "failed", int),
        finished=_get(document, "finished", bool),
        ident=_get(_get(document, "names", dict), "ident", str),
        time_unit_ms=_get(document, "time_unit_ms", int),
        topic=_get(document, "topic", str) if "topic" in document else "",
        clock_skew_ms=_get(document, "clock_skew_ms", int) if "clock_skew_ms" in document else 0,
        numbers={name: float(_get(document, name, int, float)) for name in PARAMETERS[shape]},
    )
    for name in ("rate", "series", "metrics", "time_unit_ms"):
        if not getattr(plan, name) > 0:
            raise InputError(f"{name} {getattr(plan, name)} is not greater than 0")
    if not 0 <= plan.sent <= plan.points:
        raise InputError(f"sent {plan.sent} is not within 0..points, {plan.points}")
    return plan


def _get(document: Mapping[str, Any], name: str, *types: type) -> Any:
    value = document.get(name)
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        raise InputError(f"{name} {value!r} is not a {' or '.join(each.__name__ for each in types)}")
    return value
