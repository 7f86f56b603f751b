"""Nodes of the tree in the formats that graphite-web 1.1 has for them."""

import pickle
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import unquote_plus

import msgpack

from ..errors import BadRequestError
from ..render.formats import dumps
from ..tree import TreeNode

BRANCH = {"allowChildren": 1, "expandable": 1, "leaf": 0}
LEAF = {"allowChildren": 0, "expandable": 0, "leaf": 1}


def tree_json(nodes: Sequence[TreeNode], query: str, wildcards: bool) -> bytes:
    """For trees: each name once, branches first; with wildcards a node ``*`` before them, if there are several."""
    above, dot, _ = query.rpartition(".")
    first: dict[str, bool] = {}
    for node in nodes:
        first.setdefault(node.name, node.is_leaf)
    answer = []
    if wildcards and len(nodes) > 1:
        kind = LEAF if all(node.is_leaf for node in nodes) else BRANCH
        answer.append({"text": "*", "id": f"{above}{dot}*", **kind})
    for wanted, kind in ((False, BRANCH), (True, LEAF)):
        answer += [
            {"text": unquote_plus(name), "id": above + dot + name, **kind}
            for name, is_leaf in first.items()
            if is_leaf is wanted
        ]
    return dumps(answer)


def completer(nodes: Sequence[TreeNode], wildcards: bool) -> bytes:
    """For the completion of what is typed: a branch ends with a dot."""
    metrics: list[dict[str, str]] = [
        {"path": node.path + ("" if node.is_leaf else "."), "name": node.name, "is_leaf": str(int(node.is_leaf))}
        for node in nodes
    ]
    if wildcards and len(nodes) > 1:
        metrics.append({"name": "*"})
    return dumps({"metrics": metrics})


def node_list(nodes: Sequence[TreeNode], position: int) -> bytes:
    """For template variables: the texts at one place of the paths, each once; -1 is the last place."""
    try:
        found = {node.path.split(".")[position] for node in nodes}
    except IndexError as e:
        raise BadRequestError(f"position is {position}, and there are paths with fewer nodes") from e
    return dumps({"nodes": sorted(found)})


def as_json(nodes: Sequence[TreeNode], now: int) -> bytes:
    """For programs, by path."""
    return dumps(_described(nodes, lambda node: [{"start": node.born, "end": now}]))


def as_pickle(nodes: Sequence[TreeNode], now: int) -> bytes:
    """For other graphite-webs."""
    return pickle.dumps(_described(nodes, lambda node: [(node.born, now)]), protocol=4)


def as_msgpack(nodes: Sequence[TreeNode], now: int) -> bytes:
    """For other graphite-webs, of 1.1 and later."""
    packed: bytes = msgpack.packb(_described(nodes, lambda node: [(node.born, now)]))
    return packed


def _described(nodes: Sequence[TreeNode], intervals: Callable[[TreeNode], Any]) -> list[dict[str, Any]]:
    """Paths, and of leaves since when they have values: since they were born."""
    return [
        {"path": node.path, "is_leaf": node.is_leaf, **({"intervals": intervals(node)} if node.is_leaf else {})}
        for node in sorted(nodes, key=lambda node: node.path)
    ]
