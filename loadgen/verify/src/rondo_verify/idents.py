"""Idents of a plan's series: text ↔ series and generation."""

import re

from .arrivals import Subjects
from .errors import InputError
from .plan import Plan

FIELD = re.compile(r"\{(machine|metric|generation)(?::[^{}]*)?\}")


class Idents:
    """Series names by a plan's template, such as ``load.a7f3.m{machine:05d}.metric{metric:02d}``."""

    def __init__(self, plan: Plan) -> None:
        self._template = plan.ident
        self._metrics = plan.metrics
        self._has_generations = plan.shape == "churn"
        fields = [match[1] for match in FIELD.finditer(plan.ident)]
        wanted = ["generation", "machine", "metric"] if self._has_generations else ["machine", "metric"]
        if sorted(fields) != wanted or FIELD.sub("", plan.ident).strip("{}") != FIELD.sub("", plan.ident):
            raise InputError(f"names.ident '{plan.ident}' must contain each of {', '.join(wanted)} once in braces")
        literals = FIELD.split(plan.ident)[::2]
        self.prefix = literals[0]
        pattern = re.escape(literals[0])
        for name, literal in zip(fields, literals[1:], strict=True):
            pattern += rf"(?P<{name}>\d+)" + re.escape(literal)
        self._pattern = re.compile(pattern)

    def text(self, series: int, generation: int) -> str:
        """Canonical ident of a series."""
        machine, metric = divmod(series, self._metrics)
        return self._template.format(machine=machine, metric=metric, generation=generation)

    def texts(self, subjects: Subjects) -> list[str]:
        """Canonical ident of each subject."""
        return [self.text(int(s), int(g)) for s, g in zip(subjects.series, subjects.generation, strict=True)]

    def parse(self, ident: str) -> tuple[int, int] | None:
        """Series and generation; None for an ident of another load."""
        match = self._pattern.fullmatch(ident)
        if not match:
            return None
        found = {name: int(text) for name, text in match.groupdict().items()}
        series, generation = found["machine"] * self._metrics + found["metric"], found.get("generation", 0)
        fits = found["metric"] < self._metrics and self.text(series, generation) == ident
        return (series, generation) if fits else None
