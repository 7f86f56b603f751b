"""Settings of graphite-web as the oracle; and what Python 3.11 and newer no longer have and it still asks for."""

import inspect
import os
import sys
from types import ModuleType
from typing import Any, NamedTuple

ROOT = os.environ["ORACLE_DIRECTORY"]


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
sys.modules.setdefault("imp", ModuleType("imp"))  # imported, hardly used
try:
    import cairocffi  # noqa: F401
except OSError:  # no libcairo: it draws nothing here
    sys.modules["cairocffi"] = ModuleType("cairocffi")

SECRET_KEY = "not-secret"  # noqa: S105
TIME_ZONE = "UTC"
STORAGE_DIR = CONF_DIR = ROOT
LOG_DIR = os.path.join(ROOT, "log")
WHISPER_DIR = os.path.join(ROOT, "whisper") + os.sep
INDEX_FILE = os.path.join(ROOT, "index")
STORAGE_FINDERS = ("graphite.finders.standard.StandardFinder",)
CARBONLINK_HOSTS: list[str] = []
CLUSTER_SERVERS: list[str] = []
REPLICATION_FACTOR = 0
# Nothing is cached: every answer is computed.
DEFAULT_CACHE_DURATION = FIND_CACHE_DURATION = TAGDB_CACHE_DURATION = 0
USE_WORKER_POOL = LOG_ROTATION = False
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(ROOT, "graphite.db")}}
