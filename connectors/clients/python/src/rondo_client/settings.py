"""Settings of a client, which begin with ``rondo.``; all others are librdkafka's."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from .names import Names, tags_of

SHORTEST_STEP_MS = 1000
DEFAULTS = {
    "rondo.client.topic": "points",
    "rondo.client.prefix": "",
    "rondo.client.tags": "",
    "rondo.client.step.ms": 10_000,
    "rondo.client.max.metrics": 10_000,
    "rondo.client.close.fails": False,
}
# The partitioner of Java's clients: a rewritten application keeps its partition.
PRODUCER = {
    "partitioner": "murmur2_random",
    "enable.idempotence": True,
    "compression.type": "lz4",
    "queue.buffering.max.kbytes": 8192,
    "delivery.timeout.ms": 120_000,
}


@dataclass(frozen=True)
class Settings:
    """Settings that have been checked."""

    topic: str
    names: Names
    step_ms: int
    max_metrics: int
    close_fails: bool
    producer: Mapping[str, Any]

    @staticmethod
    def of(given: Mapping[str, Any]) -> "Settings":
        """Check settings; raise ``ValueError`` if one is unknown or invalid."""
        for key in given:
            if key.startswith("rondo.") and key not in DEFAULTS:
                near = get_close_matches(key, DEFAULTS, 1, 0)[0]
                raise ValueError(f"unknown setting '{key}'; did you mean '{near}'?")
        names = Names(text(given, "rondo.client.prefix"), tags_of(text(given, "rondo.client.tags")))
        if not names.key():
            raise ValueError(
                "set rondo.client.prefix or rondo.client.tags to a value that no other client has, such as host=web01:"
                " two clients must not publish the same series"
            )
        return Settings(
            text(given, "rondo.client.topic"),
            names,
            whole(given, "rondo.client.step.ms", SHORTEST_STEP_MS),
            whole(given, "rondo.client.max.metrics", 1),
            truth(given, "rondo.client.close.fails"),
            PRODUCER | {key: value for key, value in given.items() if not key.startswith("rondo.")},
        )


def text(given: Mapping[str, Any], key: str) -> str:
    """Return a setting as text."""
    return str(given.get(key, DEFAULTS[key]))


def whole(given: Mapping[str, Any], key: str, minimum: int) -> int:
    """Return a whole number."""
    try:
        value = int(text(given, key))
    except ValueError:
        raise ValueError(f"{key} '{given[key]}' is not a whole number") from None
    if value < minimum:
        raise ValueError(f"{key} {value} is less than {minimum}")
    return value


def truth(given: Mapping[str, Any], key: str) -> bool:
    """Return a boolean."""
    value = text(given, key).lower()
    if value not in ("true", "false"):
        raise ValueError(f"{key} '{given[key]}' is neither true nor false")
    return value == "true"
