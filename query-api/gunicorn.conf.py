"""How gunicorn serves the query API; the settings are RONDO_API_* (docs/reference/query-api-settings.md)."""

import gc
import sys
import threading
from typing import Any

from rondo_query_api import shared_memory
from rondo_query_api.limits import worker_memory
from rondo_query_api.settings import Settings

# How long a thread computes before another one that waits may continue: a fifth of the default, so that short requests
# are not slowed down much by long ones.
SWITCH_S = 0.001

settings = Settings.from_environment()

bind = settings.bind
workers = settings.workers
# Requests that wait for a slot, and those that need none, such as /health, have separate threads.
threads = settings.threads + settings.max_waiting + 4
worker_class = "rondo_query_api.connections.worker.Worker"
worker_connections = settings.connections
# Files are sent like other responses.
sendfile = False
# Workers are forked from a process that has loaded the application, and share its memory.
preload_app = True
# Links to the explorer and to images contain all targets: this is gunicorn's maximum.
limit_request_line = 8190
loglevel = settings.log_level
# Above the request timeout, so that the API itself answers 504.
timeout = settings.request_timeout_ms // 1000 + 30
# A worker that is replaced or stopped first finishes its requests.
graceful_timeout = settings.request_timeout_ms // 1000 + 5
# No control socket in the home folder.
control_socket_disable = True

shared_memory.make_folder()


def when_ready(server: Any) -> None:
    """Exclude the application's objects from garbage collection.

    A full collection adds 50 ms to a request, and copies the pages that the workers share.
    """
    gc.collect()
    gc.freeze()


def post_fork(_server: Any, _worker: Any) -> None:
    """Switch threads often, and limit the worker's memory; small stacks leave more of it to requests."""
    sys.setswitchinterval(SWITCH_S)
    threading.stack_size(1 << 20)
    worker_memory.limit(settings.worker_memory_bytes)


def post_worker_init(worker: Any) -> None:
    """Collect facts for /status, in one of the workers."""
    worker.wsgi.extensions["rondo_status"].keep_pace()


def post_request(worker: Any, _request: Any, _environ: Any, _response: Any) -> None:
    """Replace a worker that keeps most of its memory: it ends after its other requests."""
    if worker.alive and worker_memory.keeps_most(settings.worker_memory_bytes):
        worker.log.warning("worker %s keeps %s bytes and is replaced", worker.pid, worker_memory.resident_bytes())
        worker.alive = False


def on_exit(server: Any) -> None:
    """Remove the shared folder."""
    shared_memory.remove_folder()
