"""Axes whose labels can be counted, in place of graphite-render's.

graphite-render adds steps to a value until it exceeds the end of the axis. It never does if the sum is rounded to the
value itself, or if the end is infinite.
"""

import math
import sys
from importlib import import_module
from typing import Any

from ..errors import BadRequestError

glyph: Any = import_module("graphite_render.render.glyph")

MAX_LABELS = 1000
MAX_DIVISORS = 20
MAX_DIVISOR = 1000


class LinearAxis(glyph._LinearAxisTics):  # type: ignore[misc]
    """Labels at the multiples of a step."""

    def chooseStep(self, divisors: list[int] | None = None, binary: bool = False) -> None:  # noqa: N802
        """Choose the step; the work grows with the number of divisors and with the largest, so both are limited."""
        if divisors and (len(divisors) > MAX_DIVISORS or max(divisors) > MAX_DIVISOR):
            raise BadRequestError(f"yDivisors has more than {MAX_DIVISORS} numbers, or one above {MAX_DIVISOR}")
        super().chooseStep(divisors, binary)

    def chooseLimits(self) -> None:  # noqa: N802
        """Choose both ends; raises :class:`BadRequestError`."""
        super().chooseLimits()
        _check(self, "yStep", self.step)

    def getLabelValues(self) -> list[float]:  # noqa: N802
        """Label values, at most :data:`MAX_LABELS`; raises :class:`BadRequestError`."""
        if self.span > MAX_LABELS * self.step:
            self.chooseStep()
        start = self.step * math.ceil(self.bottom / self.step - glyph.EPSILON)
        number = math.floor((self.top - start) / self.step + glyph.EPSILON) + 1
        far = max(abs(self.bottom), abs(self.top))
        _check(self, "yStep", self.step, number, far + self.step > far)
        return [start + n * self.step for n in range(number)]


class LogarithmicAxis(glyph._LogAxisTics):  # type: ignore[misc]
    """Labels at the powers of a base."""

    def chooseLimits(self) -> None:  # noqa: N802
        """Choose both ends; raises :class:`BadRequestError`."""
        super().chooseLimits()
        _check(self, "logBase", self.base)

    def getLabelValues(self) -> list[float]:  # noqa: N802
        """Label values, at most :data:`MAX_LABELS`; raises :class:`BadRequestError`."""
        first = math.ceil(math.log(self.bottom, self.base) - glyph.EPSILON)
        end = math.log(self.top * (1 + glyph.EPSILON), self.base)
        number = math.ceil(end) - first
        _check(self, "logBase", self.base, number)
        return [math.pow(self.base, first + n) for n in range(number)]


def _check(axis: Any, option: str, value: float, labels: int = 0, is_exact: bool = True) -> None:
    ends = (axis.bottom, axis.top, axis.span)
    is_normal = all(math.isfinite(end) and (end == 0 or abs(end) >= sys.float_info.min) for end in ends)
    if not (is_normal and is_exact and value > 0 and labels <= MAX_LABELS):
        raise BadRequestError(
            f"the y axis from {axis.bottom:g} to {axis.top:g} with {option} {value:g} cannot be labelled:"
            f" set {option}, yMin and yMax, or yMinLeft, yMaxLeft, yMinRight and yMaxRight"
        )


glyph._LinearAxisTics = LinearAxis
glyph._LogAxisTics = LogarithmicAxis
