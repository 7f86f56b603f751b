"""Reads the file of RONDO_API_SCOPES_FILE: TOML, a table for each scope with its tokens.

::

    [shop]
    tokens = ["sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"]
    prefixes = ["shop."]
    tags = ["team=shop", "team=checkout;env=prod"]
    events = "write"
"""

import difflib
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..errors import BadRequestError
from ..find.tag_expressions import TagQuery
from ..settings import SettingsError
from .scopes import EVENT_TAG, MAX_DOCUMENTS, Scope, Selection

SETTING = "RONDO_API_SCOPES_FILE"
KEYS = ("tokens", "prefixes", "tags", "events", "event_tag", "delete", "requests", "rate", "points")
EVENTS = ("none", "read", "write")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
EVENT_TAG_FORM = re.compile(r"scope:[^\s,]{1,64}", re.ASCII)
DIGEST = re.compile(r"sha256:([0-9a-f]{64})", re.ASCII)
DIGEST_OF_NOTHING = sha256().digest()
MOST = 1_000_000
MOST_POINTS = 1_000_000_000


@dataclass(frozen=True)
class ScopeTokens:
    """A scope and the SHA-256 digests of its tokens."""

    scope: Scope
    digests: tuple[bytes, ...]


def read(file: str) -> list[ScopeTokens]:
    """Scopes of the file, none without a file; raises :class:`SettingsError` that names scope, key, value and bound."""
    if not file:
        return []
    try:
        document = tomllib.loads(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError) as e:
        raise SettingsError(f"{SETTING} is {file!r}, which cannot be read: {e}") from e
    if not document:
        raise SettingsError(f"{SETTING} is {file!r}, which has no scope: add a table such as [shop]")
    found = [_scope(name, table) for name, table in document.items()]
    seen: dict[bytes, str] = {}
    for each in found:
        for digest in each.digests:
            if digest in seen:
                raise _error(each.scope.name, "tokens", f"has a token that scope {seen[digest]!r} also has")
            seen[digest] = each.scope.name
    return found


def _scope(name: str, table: object) -> ScopeTokens:
    if not isinstance(table, dict):
        raise SettingsError(f"{name!r} is not a table: each scope is one, such as [shop] ({SETTING})")
    if not NAME.fullmatch(name):
        raise SettingsError(f"scope {name!r} is not a name of 1 to 64 letters, digits, '.', '_' and '-' ({SETTING})")
    for key in table:
        if key not in KEYS:
            [nearest] = difflib.get_close_matches(key, KEYS, n=1, cutoff=0)
            raise _error(name, key, f"is not a key; the nearest one is {nearest}")
    tokens = _texts(name, table, "tokens")
    if not tokens:
        raise _error(name, "tokens", "is empty: no request would have this scope")
    prefixes, tags = _texts(name, table, "prefixes"), _texts(name, table, "tags")
    if not prefixes and not tags:
        raise _error(name, "prefixes", "and tags are empty: such a scope has no series")
    events = table.get("events", "none")
    if events not in EVENTS:
        raise _error(name, "events", f"is {events!r}, not one of {', '.join(EVENTS)}")
    scope = Scope(
        name,
        _prefixes(name, prefixes),
        tuple(_selection(name, each) for each in tags),
        _event_tag(name, table.get("event_tag", EVENT_TAG + name)) if events != "none" else None,
        events == "write",
        _checked(name, table, "delete", False, lambda value: isinstance(value, bool), "true or false"),
        _limit(name, table, "requests"),
        _limit(name, table, "rate"),
        _limit(name, table, "points", MOST_POINTS),
    )
    return ScopeTokens(scope, tuple(_digest(name, each) for each in tokens))


def _prefixes(scope: str, given: list[str]) -> tuple[str, ...]:
    """Prefixes, without those that begin with another one."""
    for prefix in given:
        if not prefix.endswith(".") or not prefix.strip("."):
            raise _error(scope, "prefixes", f"has {prefix!r}, not some nodes and a dot, such as 'shop.'")
    return tuple(
        each for each in dict.fromkeys(given) if not any(each != other and each.startswith(other) for other in given)
    )


def _selection(scope: str, expressions: str) -> Selection:
    """Parse tag expressions that are separated by semicolons."""
    try:
        query = TagQuery.of(expressions.split(";"))
    except BadRequestError as e:
        raise _error(scope, "tags", f"has {expressions!r}: {e}") from e
    if not query.equal.keys() - {"name"}:  # the index needs a tag, and the tree knows prefixes only
        raise _error(
            scope, "tags", f"has {expressions!r} without tag=value of a tag other than name, such as 'team=shop'"
        )
    return Selection(tuple(query.equal.items()), tuple(zip(query.tags, query.regexes, query.wanted, strict=True)))


def _event_tag(scope: str, tag: object) -> str:
    if not isinstance(tag, str) or not EVENT_TAG_FORM.fullmatch(tag):
        raise _error(
            scope, "event_tag", f"is {tag!r}, not {EVENT_TAG!r} and 1 to 64 characters, none of them a comma or a space"
        )
    return tag


def _digest(scope: str, token: str) -> bytes:
    """Digest of a token, which is either plain text or ``sha256:`` and its digest."""
    if not token.startswith("sha256:"):
        return digest_of(token)
    match = DIGEST.fullmatch(token)
    digest = bytes.fromhex(match[1]) if match else DIGEST_OF_NOTHING
    if digest == DIGEST_OF_NOTHING:
        raise _error(scope, "tokens", f"has {token[:80]!r}, not sha256: and the 64 hexadecimal digits of a token")
    return digest


def digest_of(token: str) -> bytes:
    """SHA-256 of a token, or of other credentials."""
    return sha256(token.encode("utf-8", "surrogatepass")).digest()


def _texts(scope: str, table: Mapping[str, Any], key: str) -> list[str]:
    given = table.get(key, [])
    if not isinstance(given, list) or not all(isinstance(each, str) and each.strip() for each in given):
        raise _error(scope, key, "is not a list of texts" if key == "tokens" else f"is {given!r}, not a list of texts")
    if len(given) > MAX_DOCUMENTS:
        raise _error(scope, key, f"has {len(given)} entries, at most {MAX_DOCUMENTS}")
    return given


def _limit(scope: str, table: Mapping[str, Any], key: str, most: int = MOST) -> int | None:
    def is_limit(value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most

    limit: int | None = _checked(scope, table, key, None, is_limit, f"a whole number from 1 to {most}")
    return limit


def _checked(
    scope: str, table: Mapping[str, Any], key: str, default: Any, is_valid: Callable[[object], bool], bound: str
) -> Any:
    if key in table and not is_valid(table[key]):
        raise _error(scope, key, f"is {table[key]!r}, not {bound}")
    return table.get(key, default)


def _error(scope: str, key: str, fault: str) -> SettingsError:
    return SettingsError(f"{key} of scope {scope!r} {fault} ({SETTING})")
