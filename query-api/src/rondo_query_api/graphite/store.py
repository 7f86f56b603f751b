"""What the base looks things up in: series by finder, functions by name, fetched data by path."""

import difflib
from collections.abc import Callable
from typing import Any

from graphite_render.render import datalib
from graphite_render.storage import Store

from .. import idents
from ..errors import BadRequestError
from .base import app
from .grammar import escape

Function = Callable[..., Any]


class Functions(dict[str, Function]):
    """Graphite's functions; an unknown name is the client's mistake."""

    def __missing__(self, name: str) -> Function:
        """Raise what the client is told."""
        nearest = difflib.get_close_matches(name, self, n=1)
        hint = f"; did you mean {nearest[0]}?" if nearest else ""
        raise BadRequestError(f"there is no function {name}{hint}")


class TaggingDataStore(datalib.DataStore):
    """Gives each series the tags of its ident, and a path expression that can be read again."""

    def get_series_list(self, path_expr: str) -> list[datalib.TimeSeries]:
        """Series of the expression, by path."""
        series_list: list[datalib.TimeSeries] = super().get_series_list(path_expr)  # type: ignore[no-untyped-call]
        for series in series_list:
            series.tags = idents.tags_of(series.name)  # type: ignore[attr-defined]
            series.pathExpression = escape(path_expr)
        return series_list


def tags_of(series: datalib.TimeSeries) -> dict[str, str]:
    """Tags of a stored series, which an alias keeps; of a computed one, its name."""
    tags: dict[str, str] | None = getattr(series, "tags", None)
    return tags or {"name": series.name}


def mend() -> None:
    """Make the base keep tags and name unknown functions."""
    datalib.DataStore = TaggingDataStore  # type: ignore[misc]
    app.config["GRAPHITE"]["functions"] = Functions(app.functions)


def use(finder: object) -> None:
    """Make the base find its series with this finder; it has one for the whole process."""
    app.config["GRAPHITE"]["store"] = Store([finder])
