"""Names that Python 3.11 removed and graphite-web 1.1.10 needs; Python imports this module when it starts."""

import configparser
import inspect
import sys
from types import ModuleType
from typing import Any, NamedTuple


class ArgSpec(NamedTuple):
    args: list[str]
    varargs: str | None
    keywords: str | None
    defaults: tuple[Any, ...] | None


def _getargspec(function: Any) -> ArgSpec:
    return ArgSpec(*inspect.getfullargspec(function)[:4])


def _formatargspec(args: list[str], varargs: str | None, keywords: str | None, defaults: tuple[Any, ...] | None) -> str:
    """As Python 3.10 did."""
    first_default = len(args) - len(defaults or ())
    texts = [
        name if n < first_default else f"{name}={(defaults or ())[n - first_default]!r}" for n, name in enumerate(args)
    ]
    texts += [f"*{varargs}"] if varargs else []
    texts += [f"**{keywords}"] if keywords else []
    return f"({', '.join(texts)})"


inspect.getargspec = getattr(inspect, "getargspec", _getargspec)  # type: ignore[attr-defined]
inspect.formatargspec = getattr(inspect, "formatargspec", _formatargspec)  # type: ignore[attr-defined]
if sys.version_info >= (3, 12):
    sys.modules["imp"] = ModuleType("imp")  # imported, hardly used
    configparser.ConfigParser.readfp = configparser.ConfigParser.read_file  # type: ignore[attr-defined]
    configparser.SafeConfigParser = configparser.ConfigParser  # type: ignore[attr-defined]
