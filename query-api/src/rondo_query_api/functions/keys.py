"""Parts of a series that others are grouped with it by: nodes of its name, and tags."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from ..targets import first_path
from ..timeseries import TimeSeries

Key = TypeVar("Key", bound=Hashable)


def key_of(series: TimeSeries, nodes: Sequence[int | str]) -> str:
    """Nodes of the series' name by number, of a computed one's first path, and tags by name; joined by dots."""
    path = first_path(series.name) if series.name.endswith(")") else None
    return ".".join(_part(series, node, path or series.name) for node in nodes)


def _part(series: TimeSeries, node: int | str, path: str) -> str:
    if isinstance(node, int):
        parts = path.split(";", 1)[0].split(".")
        if -len(parts) <= node < len(parts):
            return parts[node]
    return series.tags.get(str(node), "")


def grouped(series_list: Iterable[TimeSeries], key: Callable[[TimeSeries], Key]) -> dict[Key, list[TimeSeries]]:
    """Series by key, in the order in which the keys come."""
    groups: dict[Key, list[TimeSeries]] = {}
    for series in series_list:
        groups.setdefault(key(series), []).append(series)
    return groups
