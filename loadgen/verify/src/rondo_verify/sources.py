"""Reads the policies that a sources file assigns to topics."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import documents
from .errors import InputError
from .policies import Policy


@dataclass(frozen=True)
class Source:
    """A topic or a pattern of topics, and the policy of their series; None: the first policy that matches."""

    topics: re.Pattern[str]
    policy: str | None


def read(file: Path) -> list[Source]:
    """List the sources of a file in their order."""
    text = documents.text(file, "sources", "--sources")
    try:
        return parse(text)
    except InputError as e:
        raise InputError(f"{file}: {e}") from e


def parse(text: str) -> list[Source]:
    """List the sources of a YAML text in their order."""
    return [_source(item, f"sources[{n}]") for n, item in enumerate(documents.items(text, "sources", "source"))]


def policy_of(topic: str, sources: Sequence[Source], policies: Sequence[Policy]) -> Policy | None:
    """Policy that a source assigns to all series of a topic; None if it assigns none."""
    source = next((source for source in sources if source.topics.fullmatch(topic)), None)
    if source is None or source.policy is None:
        return None
    policy = next((policy for policy in policies if policy.name == source.policy), None)
    if policy is None:
        raise InputError(f"topic {topic} has the policy '{source.policy}', which is not in --policies (--sources)")
    return policy


def _source(item: Any, key: str) -> Source:
    if not isinstance(item, dict) or ("topic" in item) == ("pattern" in item):
        raise InputError(f"it needs either a topic or a pattern ({key})")
    policy = item.get("policy")
    try:
        topics = re.compile(re.escape(str(item["topic"])) if "topic" in item else str(item["pattern"]))
    except re.error as e:
        raise InputError(f"'{item['pattern']}' is not a Python regular expression: {e} ({key}.pattern)") from e
    return Source(topics, None if policy is None else str(policy))
