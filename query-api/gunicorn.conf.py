"""How gunicorn serves the query API; the settings are RONDO_API_* (docs/reference/query-api-settings.md)."""

import gc
from typing import Any

from rondo_query_api import shared_memory
from rondo_query_api.settings import Settings

settings = Settings.from_environment()

bind = settings.bind
workers = settings.workers
threads = settings.threads
worker_class = "gthread"
# Workers are forked from a process that has loaded the application, and share its memory.
preload_app = True
# Links to the explorer and to images contain all targets: this is gunicorn's maximum.
limit_request_line = 8190
loglevel = settings.log_level
# Above the request timeout, so that the API itself answers 504.
timeout = settings.request_timeout_ms // 1000 + 30
# No control socket in the home folder.
control_socket_disable = True

shared_memory.make_folder()


def when_ready(server: Any) -> None:
    """Exclude the application's objects from garbage collection.

    A full collection adds 50 ms to a request, and copies the pages that the workers share.
    """
    gc.collect()
    gc.freeze()


def on_exit(server: Any) -> None:
    """Remove the shared folder."""
    shared_memory.remove_folder()
