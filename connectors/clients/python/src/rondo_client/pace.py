"""When to publish.

Steps end at multiples of the step since the epoch, and the records of a step follow in the first half of the next
one, evenly spaced. Clients have different phases, so that a thousand of them do not publish at once.
"""

import zlib
from dataclasses import dataclass


@dataclass(frozen=True)
class Pace:
    """Length of a step, and the phase, 0..1, exclusive."""

    step_ms: int
    phase: float

    @staticmethod
    def of(step_ms: int, key: bytes) -> "Pace":
        """Return the pace of the client with this key."""
        return Pace(step_ms, zlib.crc32(key) / (1 << 32))

    def end_before(self, now_ms: int) -> int:
        """Return the newest end of a step that is not after ``now_ms``."""
        return now_ms // self.step_ms * self.step_ms

    def end_after(self, now_ms: int) -> int:
        """Return the first end of a step after ``now_ms``."""
        return self.end_before(now_ms) + self.step_ms

    def due_ms(self, end_ms: int, n: int, records: int) -> int:
        """Return when to send record ``n``, 0..``records``-1, of the step that ended at ``end_ms``."""
        return end_ms + int((n + self.phase) / records * self.step_ms / 2)
