"""Formats of tree nodes, as in graphite-web 1.1."""

import pickle
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import unquote_plus

import msgpack

from ..errors import BadRequestError
from ..find.tree import Level
from ..render.formats import dumps

BRANCH = '"allowChildren":1,"expandable":1,"leaf":0'
LEAF = '"allowChildren":0,"expandable":0,"leaf":1'


def tree_json(level: Level, query: str, wildcards: bool) -> bytes:
    """For trees: each name once, branches first; with ``wildcards``, several nodes are preceded by ``*``."""
    above, dot, _ = query.rpartition(".")
    branches = dict.fromkeys(_names(level.branches))
    leaves = [name for name in dict.fromkeys(_names(level.leaves)) if name not in branches]
    several = len(level.branches) + len(level.leaves) > 1
    entries = [
        *(_entries(["*"], above + dot, BRANCH if branches else LEAF) if wildcards and several else []),
        *_entries(sorted(branches), above + dot, BRANCH),
        *_entries(sorted(leaves), above + dot, LEAF),
    ]
    return f"[{','.join(entries)}]".encode()


def completer(level: Level, wildcards: bool) -> bytes:
    """For completion while typing: a branch ends with a dot."""
    metrics = [
        {"path": path + ("" if is_leaf else "."), "name": name, "is_leaf": str(int(is_leaf))}
        for name, path, is_leaf in sorted(
            (name, path, is_leaf)
            for paths, is_leaf in ((level.branches, False), (level.leaves, True))
            for name, path in zip(_names(paths), paths, strict=True)
        )
    ]
    if wildcards and len(metrics) > 1:
        metrics.append({"name": "*"})
    return dumps({"metrics": metrics})


def node_list(level: Level, position: int) -> bytes:
    """For template variables: the distinct nodes at one position of the paths; -1 is the last."""
    try:
        found = {path.split(".")[position] for path in [*level.branches, *level.leaves]}
    except IndexError as e:
        raise BadRequestError(f"position is {position}, but some paths have fewer nodes") from e
    return dumps({"nodes": sorted(found)})


def as_json(level: Level, now: int) -> bytes:
    """For programs, sorted by path."""
    return dumps(_described(level, lambda starts_at: [{"start": starts_at, "end": now}]))


def as_pickle(level: Level, now: int) -> bytes:
    """For other graphite-web servers."""
    return pickle.dumps(_described(level, lambda starts_at: [(starts_at, now)]), protocol=4)


def as_msgpack(level: Level, now: int) -> bytes:
    """For other graphite-web servers, version 1.1 and later."""
    packed: bytes = msgpack.packb(_described(level, lambda starts_at: [(starts_at, now)]))
    return packed


def _entries(names: Sequence[str], above: str, kind: str) -> list[str]:
    """JSON objects of nodes, as text: building and serializing dicts takes three times as long."""
    [start] = _json_texts([above])
    texts = _json_texts(names)
    every = "".join(names)
    shown = _json_texts([unquote_plus(name) for name in names]) if "%" in every or "+" in every else texts
    return [f'{{"text":"{text}","id":"{start}{name}",{kind}}}' for text, name in zip(shown, texts, strict=True)]


def _json_texts(texts: Sequence[str]) -> list[str]:
    """Each text as JSON without its quotes.

    ``pretty`` puts each text on its own line, and JSON escapes line breaks within a text.
    """
    written = dumps(texts, pretty=True).decode()
    return written.removeprefix('[\n  "').removesuffix('"\n]').split('",\n  "') if texts else []


def _names(paths: Sequence[str]) -> list[str]:
    return [path.rpartition(".")[2] for path in paths]


def _described(level: Level, intervals: Callable[[int], Any]) -> list[dict[str, Any]]:
    """Paths; leaves with the interval since they became valid."""
    nodes = [(path, False, 0) for path in level.branches]
    nodes += [(path, True, start) for path, start in zip(level.leaves, level.starts_at, strict=True)]
    return [
        {"path": path, "is_leaf": is_leaf, **({"intervals": intervals(start)} if is_leaf else {})}
        for path, is_leaf, start in sorted(nodes)
    ]
