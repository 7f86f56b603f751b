"""What calls keep of slots: which archives may be read inside them.

A coarser archive has one slot for several finer ones. A call keeps a consolidation function if its result is the same
whether slots are consolidated before the call or after it, where all values are known::

    sumSeries keeps sum    sum(1, 2) + sum(6, 5) = sum(1 + 6, 2 + 5)
    sumSeries loses max    max(1, 2) + max(6, 5) ≠ max(1 + 6, 2 + 5)
    derivative keeps none

Inside a call that loses the function of consolidateBy, archives are read as without consolidateBy.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..fetch.archives import CONSOLIDATIONS, LAST, MAX, MIN, SUM, WMEAN
from ..fetch.choose import ANY, Wanted
from .aggregates import AGGREGATES, ALIASES

EVERY = frozenset(CONSOLIDATIONS)


@dataclass(frozen=True)
class Keeps:
    """Consolidation functions that a call keeps.

    ``values``: the call does not change values, so series are thinned as without it. ``finest``: the call needs the
    finest archive of the function, because its result also depends on each value, or on the step.
    """

    functions: frozenset[str]
    values: bool = False
    finest: bool = False

    def inside(self, wanted: Wanted) -> Wanted:
        """Return which archives the call's arguments are read from, if ``wanted`` holds for its result."""
        cf = wanted.cf if wanted.cf in self.functions else None
        # Computed values are thinned by the mean, unless consolidateBy names a function.
        thinned_by = WMEAN if wanted.thinned_by == ANY and not self.values else wanted.thinned_by
        kept = not self.finest and (thinned_by == ANY or thinned_by in self.functions)
        return Wanted(cf, thinned_by if kept else None)


@dataclass(frozen=True)
class Selects:
    """A call of consolidateBy: it selects archives of ``cf``, and thins by ``thinned_by``."""

    cf: str | None = None
    thinned_by: str | None = None

    def inside(self, wanted: Wanted) -> Wanted:
        """Return which archives the call's arguments are read from, if ``wanted`` holds for its result."""
        return Wanted(self.cf, self.thinned_by if wanted.thinned_by in (ANY, self.thinned_by) else None)


@dataclass(frozen=True)
class KeepsBy:
    """What a call keeps depends on the value of a parameter."""

    param: str
    of: Callable[[Any], Keeps | Selects]


UNCHANGED = Keeps(EVERY, values=True)
INSPECTED = Keeps(EVERY, values=True, finest=True)  # values determine names, order, selection or gaps
PROPORTIONAL = Keeps(EVERY)
LINEAR = Keeps(frozenset({WMEAN, SUM, LAST}))
SHIFTED = Keeps(EVERY - {SUM})
RISING = Keeps(frozenset({MIN, MAX, LAST}))
HIGHEST = Keeps(frozenset({MAX, LAST}))
LOWEST = Keeps(frozenset({MIN, LAST}))
EACH_TIME = Keeps(frozenset({LAST}))  # each value is computed from those of the same time
CHANGED = Keeps(frozenset())

ARCHIVE_FUNCTIONS = {"average": WMEAN, "max": MAX, "min": MIN, "sum": SUM, "last": LAST}
COMBINED = {"sum": LINEAR, "average": LINEAR, "diff": LINEAR, "max": HIGHEST, "min": LOWEST}
SELECTED = {name: Selects(cf, cf) for name, cf in ARCHIVE_FUNCTIONS.items()} | {
    "avg": Selects(WMEAN, WMEAN),
    "avg_zero": Selects(WMEAN),
}


def selected(name: Any) -> Selects:
    """Return what consolidateBy selects by the name of its function."""
    return SELECTED.get(str(name), Selects())


def combined(name: Any) -> Keeps:
    """Return what an aggregate of series at each time keeps, by its name; another function keeps nothing."""
    func = str(name).removesuffix("Series")
    return COMBINED.get(ALIASES.get(func, func), EACH_TIME) if func in (*AGGREGATES, *ALIASES) else CHANGED


def reduced(name: Any) -> Keeps:
    """Return what an aggregate of many values of a series keeps, by its name: its own function."""
    cf = ARCHIVE_FUNCTIONS.get(ALIASES.get(str(name), str(name)))
    return Keeps(frozenset({cf} if cf else ()), finest=True)


def multiplied(factor: Any) -> Keeps:
    """Return what a product with a factor keeps: a negative factor turns a maximum into a minimum."""
    return PROPORTIONAL if isinstance(factor, int | float) and factor > 0 else LINEAR
