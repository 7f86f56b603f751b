"""Versions of the policies that applied one after the other, and which points were consolidated under which."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from . import documents
from . import policies as policy_files
from .errors import InputError
from .policies import Policy, first_match


@dataclass(frozen=True)
class Version:
    """Policies that do not apply to points until ``from_ms``, and apply to all from ``until_ms`` on; epoch ms.

    Each task takes a version when it reads it: in between, it applies to some series and not to others.
    """

    policies: Sequence[Policy]
    from_ms: int
    until_ms: int


def read(file: Path) -> list[Version]:
    """Read a JSON array of versions: ``policies``, the text of a policies file, ``from_ms`` and ``until_ms``."""
    document = documents.from_json(file, "versions", "--versions")
    if not isinstance(document, list) or not document:
        raise InputError(f"versions {file} is not an array of versions (--versions)")
    versions = [_version(item, f"{file}: [{n}]") for n, item in enumerate(document)]
    for n, (before, after) in enumerate(pairwise(versions), 1):
        if not before.until_ms <= after.until_ms or not after.from_ms <= after.until_ms:
            raise InputError(
                f"until_ms {after.until_ms} is before {max(before.until_ms, after.from_ms)} ({file}: [{n}], --versions)"
            )
    return versions


def _version(item: Any, key: str) -> Version:
    if not isinstance(item, dict):
        raise InputError(f"it is not a version ({key}, --versions)")
    policies, from_ms, until_ms = (item.get(name) for name in ("policies", "from_ms", "until_ms"))
    if not isinstance(policies, str) or not isinstance(from_ms, int) or not isinstance(until_ms, int):
        raise InputError(f"it needs policies, a text, and from_ms and until_ms, whole numbers ({key}, --versions)")
    try:
        return Version(policy_files.parse(policies), from_ms, until_ms)
    except InputError as e:
        raise InputError(f"{e} ({key}.policies, --versions)") from e


def policies_of(ident: str, versions: Sequence[Version]) -> tuple[Policy, ...]:
    """Policy of a series in each version."""
    found = [first_match(version.policies, ident) for version in versions]
    if None in found:
        raise InputError(f"no policy covers {ident} in version {found.index(None) + 1} (--versions)")
    return tuple(policy for policy in found if policy)
