"""Keys of series for groups: nodes of the name, and tags."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from ..targets import first_path
from ..timeseries import TimeSeries

Key = TypeVar("Key", bound=Hashable)


def key_of(series: TimeSeries, nodes: Sequence[int | str]) -> str:
    """Nodes of the name by number (of the first path of a computed name) and tags by name, joined by dots."""
    path = nodes_of(series)
    return ".".join(_part(series, node, path) for node in nodes)


def nodes_of(series: TimeSeries) -> str:
    """Name or path whose nodes are numbered."""
    if series.nodes is not None:
        return series.nodes
    return (series.name.endswith(")") and first_path(series.name)) or series.name


def _part(series: TimeSeries, node: int | str, path: str) -> str:
    if isinstance(node, int):
        parts = path.split(";", 1)[0].split(".")
        if -len(parts) <= node < len(parts):
            return parts[node]
    return series.tags.get(str(node), "")


def grouped(series_list: Iterable[TimeSeries], key: Callable[[TimeSeries], Key]) -> dict[Key, list[TimeSeries]]:
    """Series by key, in the order of the first series of each key."""
    groups: dict[Key, list[TimeSeries]] = {}
    for series in series_list:
        groups.setdefault(key(series), []).append(series)
    return groups
