"""Refusals of new series whose policy already has its share of ``max.series`` in their partition."""

from collections.abc import Mapping
from dataclasses import dataclass

from .policies import Policy

PARTITIONS = 16
MASK = 0xFFFFFFFF
MULTIPLIER = 0x5BD1E995
SEED = 0x9747B28C


@dataclass(frozen=True)
class Limits:
    """``stored`` is the number of series of each policy in each partition, of all loads.

    If the rate of new series ``is_limited``, a series may be refused, even forever, although its partition has room.
    """

    partitions: int = PARTITIONS
    is_limited: bool = False
    stored: Mapping[tuple[str, int], int] | None = None

    def may_refuse(self, policy: Policy, ident: str) -> bool:
        """Whether a series that is not stored was refused."""
        return self.is_limited or self._count(policy, self.partition(ident)) >= self._share(policy)

    def overfull(self, policy: Policy) -> list[int]:
        """Partitions with more series of the policy than their share."""
        return [n for n in range(self.partitions) if self._count(policy, n) > self._share(policy)]

    def partition(self, ident: str) -> int:
        """Partition that consolidates a series, by Kafka's partitioner."""
        return (murmur2(ident.encode()) & 0x7FFFFFFF) % self.partitions

    def _share(self, policy: Policy) -> int:
        return -(-policy.max_series // self.partitions)

    def _count(self, policy: Policy, partition: int) -> int:
        return (self.stored or {}).get((policy.name, partition), 0)


def murmur2(data: bytes) -> int:
    """Kafka's hash, 32 bits, unsigned (Appleby's MurmurHash2, little endian)."""
    whole = len(data) // 4 * 4
    h = SEED ^ len(data)
    for n in range(0, whole, 4):
        k = int.from_bytes(data[n : n + 4], "little") * MULTIPLIER & MASK
        k = (k ^ k >> 24) * MULTIPLIER & MASK
        h = h * MULTIPLIER & MASK ^ k
    if len(data) > whole:
        h = (h ^ int.from_bytes(data[whole:], "little")) * MULTIPLIER & MASK
    h = (h ^ h >> 13) * MULTIPLIER & MASK
    return h ^ h >> 15
