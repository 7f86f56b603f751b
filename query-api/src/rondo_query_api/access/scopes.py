"""Scopes: which series and events a request with a tenant's token sees.

A series outside the scope appears not to exist. The statements of ``sql/`` enforce this: they read the tables of names
and events through files that ``sql/scoped`` replaces for a request with a scope. Every cache of a result that depends
on series has :func:`name` in its key.
"""

import json
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property

EVENT_TAG = "scope:"  # prefix of the tags that name the scope of an event
# Maximum number of documents by which one statement looks up series.
MAX_DOCUMENTS = 1_000


@dataclass(frozen=True)
class Selection:
    """Tagged series that have each tag of ``equal`` and pass ``checks``: (tag, anchored regex, whether it matches)."""

    equal: tuple[tuple[str, str], ...]
    checks: tuple[tuple[str, str, bool], ...] = ()


@dataclass(frozen=True)
class Scope:
    """What one tenant sees and may do.

    It sees series whose names begin with one of the ``prefixes``, which end with a dot, the tagged series of each
    selection, and events that have ``event_tag`` (None: no events). Its limits are ``requests`` at once in a process,
    ``rate`` in requests per second, and ``points`` per request; None is the limit of all clients.
    """

    name: str
    prefixes: tuple[str, ...] = ()
    selections: tuple[Selection, ...] = ()
    event_tag: str | None = None
    may_store_events: bool = False
    may_delete: bool = False
    requests: int | None = None
    rate: int | None = None
    points: int | None = None

    @property
    def client(self) -> str:
        """Key of the client, which all requests of the scope share."""
        return f"scope {self.name}"

    @property
    def documents(self) -> list[Mapping[str, str]]:
        """Tags that each selection requires."""
        return [dict(selection.equal) for selection in self.selections]

    @cached_property
    def parameters(self) -> Mapping[str, object]:
        """Parameters of the statements in ``sql/scoped``."""
        checks = [
            [{"tag": tag, "regex": regex, "wanted": wanted} for tag, regex, wanted in selection.checks]
            for selection in self.selections
        ]
        return {
            "scope_prefixes": list(self.prefixes),
            "scope_documents": [json.dumps(each) for each in self.documents],
            "scope_checks": [json.dumps(each) for each in checks],
            "scope_event_tag": self.event_tag,
        }


_current: ContextVar[Scope | None] = ContextVar("scope", default=None)


def begin(scope: Scope | None) -> None:
    """Set the scope of the request that this thread serves; None sees everything."""
    _current.set(scope)


def current() -> Scope | None:
    """Scope of the request that this thread serves; None sees everything."""
    return _current.get()


def name() -> str:
    """Name of the current scope, for keys of caches; empty if there is none."""
    scope = current()
    return scope.name if scope else ""


def narrowed(documents: Sequence[Mapping[str, str]] | None) -> Sequence[Mapping[str, str]] | None:
    """Narrow documents, one of which each matching series contains, to the current scope; None: any series.

    A scope with prefixes does not narrow them: the index knows only tags.
    """
    scope = current()
    if scope is None or scope.prefixes:
        return documents
    if documents is None:
        return scope.documents
    if len(documents) * len(scope.documents) > MAX_DOCUMENTS:
        return documents
    return [
        {**wanted, **own}
        for wanted in documents
        for own in scope.documents
        if all(wanted.get(tag, value) == value for tag, value in own.items())
    ]
