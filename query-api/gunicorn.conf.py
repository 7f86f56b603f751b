"""How gunicorn serves the query API; what can be set is in RONDO_API_* (see README.md)."""

import gc
from typing import Any

from rondo_query_api import shared_memory
from rondo_query_api.settings import Settings

settings = Settings.from_environment()

bind = settings.bind
workers = settings.workers
threads = settings.threads
worker_class = "gthread"
# Links hold all targets, those of the explorer and of images: as long a line as gunicorn takes.
limit_request_line = 8190
loglevel = settings.log_level
# Above the longest request, which ends by itself with an answer that says so.
timeout = settings.request_timeout_ms // 1000 + 30
# Nothing is written to disk, nor controlled through a file of the home folder.
control_socket_disable = True

shared_memory.make_folder()


def post_worker_init(worker: Any) -> None:
    """Leave what the application is made of to itself: each look at it for garbage takes a good 50 ms of a request."""
    gc.collect()
    gc.freeze()


def on_exit(server: Any) -> None:
    """Leave nothing behind."""
    shared_memory.remove_folder()
