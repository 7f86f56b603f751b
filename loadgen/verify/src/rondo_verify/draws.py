"""Random numbers as a function of seed, purpose and two coordinates: SplitMix64's finalizer (Steele, Lea, Flood)."""

from collections.abc import Callable
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats, Ints

MASK = (1 << 64) - 1
STEP, FIRST, SECOND = (np.uint64(x) for x in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
Words = NDArray[np.uint64]
Uniform = Callable[[Ints, Ints], Floats]


class Purpose(IntEnum):
    """What a number is drawn for; each purpose has a separate sequence."""

    VALUE = 1
    JITTER = 2
    GAPS = 3
    LATE = 4
    DUPLICATE = 5
    DISORDER = 6
    GARBAGE = 7
    CHURN = 8
    CLOCK = 9
    ALIGNED = 10
    JUMP = 11


def mix(words: Words) -> Words:
    """Mix the 64 bits of each word; arithmetic wraps around."""
    x = words + STEP
    x ^= x >> np.uint64(30)
    x *= FIRST
    x ^= x >> np.uint64(27)
    x *= SECOND
    x ^= x >> np.uint64(31)
    return x


def uniform(seed: int, purpose: Purpose) -> Uniform:
    """Return the function (s, k) → [0, 1) of a purpose; s and k are broadcast against each other."""
    start = mix(np.array([(seed + purpose) & MASK], dtype=np.uint64))

    def draw(s: Ints, k: Ints) -> Floats:
        words = mix(mix(start ^ s.astype(np.uint64)) ^ k.astype(np.uint64))
        return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53

    return draw
