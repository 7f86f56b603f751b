"""Settings of graphite-web as the oracle."""

import os
import sys
from types import ModuleType

try:
    import cairocffi  # noqa: F401
except OSError:  # no libcairo: it draws nothing here
    sys.modules["cairocffi"] = ModuleType("cairocffi")

ROOT = os.environ["ORACLE_DIRECTORY"]

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
