"""Some series as /render answers them, against the model."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import numpy as np

from .arrivals import Subjects
from .batches import Division
from .compare import NO_SEGMENT, RELATIVE
from .errors import InputError
from .findings import Example, Findings
from .idents import Idents
from .model import Model
from .plan import Plan
from .policies import Archive
from .prefixes import OpenSlots, is_close
from .slots import Slots

TIMEOUT_S = 30


@dataclass(frozen=True)
class Sample:
    """``count`` series of the plan, chosen by its seed, asked of the query API at ``url``."""

    plan: Plan
    url: str
    count: int
    show: int

    def run(self, division: Division) -> Findings:
        """Ask for each series over the plan's time, with as many points as each archive has."""
        findings = Findings(self.show)
        random = np.random.default_rng(self.plan.seed & 0xFFFFFFFF)
        lives = [batch for batch in division.batches if np.all(batch.places.seg != NO_SEGMENT)]
        sizes = np.array([batch.subjects.size for batch in lives], dtype=np.int64)
        chosen = np.sort(random.permutation(sizes.sum())[: self.count])
        owner = np.searchsorted(np.cumsum(sizes), chosen, side="right")
        for n in np.unique(owner):
            which = chosen[owner == n] - sizes[:n].sum()
            model = Model(self.plan, lives[n].policy, lives[n].subjects.take(which))
            self._check(model, findings)
        return findings

    def _check(self, model: Model, findings: Findings) -> None:
        archives = [each for each in model.policy.archives if each.cf == "wmean" and each.step_ms % 1000 == 0]
        slots = {archive.step_ms // 1000: (archive, model.slots(archive)) for archive in archives}
        ends = np.concatenate([each.end_ms for _, each in slots.values()])
        if not ends.size:
            return
        lead = model.policy.step_ms if model.policy.whisper else 0
        start, until = int(ends.min() - lead) // 1000 - model.policy.step_ms // 1000, int(ends.max()) // 1000
        texts = _texts(self.plan, model.subjects)
        for n, ident in enumerate(texts):
            findings.series += 1
            for step in sorted(slots):
                points = self._ask(ident, start, until, max(1, (until - start) // step))
                _compare(model, n, ident, points, slots, findings)

    def _ask(self, ident: str, start: int, until: int, most: int) -> list[tuple[float | None, int]]:
        target = re.sub(r"[\\(){},'\"\s]", r"\\\g<0>", ident)
        query = {"target": target, "from": start, "until": until, "format": "json", "maxDataPoints": most}
        answer = _answer(f"{self.url}/render", query)
        return [(value, time) for value, time in answer[0]["datapoints"]] if answer else []


def _compare(
    model: Model,
    subject: int,
    ident: str,
    points: Sequence[tuple[float | None, int]],
    slots: dict[int, tuple[Archive, Slots]],
    findings: Findings,
) -> None:
    """One answer; its step is the time between two of its points."""
    if not points:
        findings.differ("not-rendered", [ident])
        return
    step = points[1][1] - points[0][1] if len(points) > 1 else min(slots)
    if step not in slots:
        findings.differ("render-step", [f"{ident}: {step} s is the step of no archive of {model.policy.name}"])
        return
    archive, expected = slots[step]
    counts = findings.archives.setdefault(f"/render {archive.text}", Counter())
    final = model.are_final(expected.end_ms)[subject]
    for value, time in points:
        end_ms = (time + (step if model.policy.whisper else 0)) * 1000
        column = end_ms // archive.step_ms - 1 - expected.first
        inside = 0 <= column < expected.end_ms.size
        wanted = float(expected.value[subject, column]) if inside else np.nan
        kind = _kind(wanted, value, not inside or bool(final[column]))
        if kind == "unsure" and value is not None:
            asked = OpenSlots(np.array([subject]), np.array([column + expected.first]), np.array([value]))
            kind = "open" if model.may_hold(asked, archive)[0] else "wrong"
        if kind:
            counts[kind] += 1
        if kind in ("wrong", "missing", "extra"):
            known = None if np.isnan(wanted) else wanted
            findings.add_example(Example(kind, ident, f"/render {archive.text}", end_ms, known, value))


def _kind(wanted: float, found: float | None, final: bool) -> str | None:
    if np.isnan(wanted):
        return None if found is None else "extra"
    if found is None:
        return "missing" if final else "open"
    if is_close(np.array(wanted), np.array(found), RELATIVE):
        return "equal" if final else "open"
    return "wrong" if final else "unsure"


def _texts(plan: Plan, subjects: Subjects) -> list[str]:
    idents = Idents(plan)
    return [idents.text(int(s), int(g)) for s, g in zip(subjects.series, subjects.generation, strict=True)]


def _answer(url: str, query: dict[str, Any]) -> Any:
    request = Request(url, data=urlencode(query).encode())  # noqa: S310 the user's own URL
    try:
        with urlopen(request, timeout=TIMEOUT_S) as response:  # noqa: S310
            return json.loads(response.read())
    except (URLError, TimeoutError, ValueError) as e:
        raise InputError(f"the query API at {url} does not answer: {e} (--api)") from e
