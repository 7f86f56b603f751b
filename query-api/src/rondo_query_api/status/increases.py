"""Increases of the counters of parts over the last minute; counters begin at the start of a process."""

from collections.abc import Mapping

PACE_S = 10.0
WINDOW_S = 60.0
# Maximum time between the two samples of an increase; the sampling process may have paused in between.
MAX_WINDOW_S = 2 * WINDOW_S
MIN_S = 1.0

Counters = Mapping[str, float]


class Increases:
    """Samples of the counters of each part, ``(at, counters)``, at most one in each ``PACE_S``; times are seconds.

    Calls in between add no sample, so that an increase does not depend on earlier calls.
    """

    def __init__(self, samples: Mapping[str, list[tuple[float, Counters]]] | None = None) -> None:
        self._samples = {part: list(of_part) for part, of_part in (samples or {}).items()}

    def add(self, part: str, counters: Counters, now: float) -> "Increase":
        """Return the increase since the newest sample that is a minute old, or else since the oldest one."""
        samples = self._samples.setdefault(part, [])
        if samples and any(counters.get(name, 0.0) < value for name, value in samples[-1][1].items()):
            samples.clear()
        if not samples or now // PACE_S > samples[-1][0] // PACE_S:
            samples.append((now, dict(counters)))
        while len(samples) > 1 and (now - samples[1][0] >= WINDOW_S or now - samples[0][0] > MAX_WINDOW_S):
            samples.pop(0)
        return Increase(now - samples[0][0], samples[0][1], counters)

    def samples(self, now: float) -> dict[str, list[tuple[float, Counters]]]:
        """Return the samples of all parts whose newest sample is not too old."""
        return {part: found for part, found in self._samples.items() if now - found[-1][0] <= MAX_WINDOW_S}


class Increase:
    """Counters now, and as they were ``seconds`` ago."""

    def __init__(self, seconds: float = 0.0, before: Counters | None = None, now: Counters | None = None) -> None:
        self.seconds, self._before, self._now = seconds, before or {}, now or {}

    def rate(self, name: str) -> float | None:
        """Increase per second; None if the counter is absent, or at the first sample."""
        if name not in self._now or self.seconds < MIN_S:
            return None
        return (self._now[name] - self._before.get(name, 0.0)) / self.seconds

    def last_minute(self, name: str) -> float | None:
        """Increase in the last minute, or since the first sample; None as in :meth:`rate`."""
        rate = self.rate(name)
        return None if rate is None else self._now[name] - self._before.get(name, 0.0)
