"""How gunicorn serves the query API; what can be set is in RONDO_API_* (see README.md)."""

from rondo_query_api.settings import Settings

settings = Settings.from_environment()

bind = settings.bind
workers = settings.workers
threads = settings.threads
worker_class = "gthread"
# Links hold all targets, those of the explorer and of images: as long a line as gunicorn takes.
limit_request_line = 8190
loglevel = settings.log_level
# Above the longest statement: the database ends a slow request first, with an answer that says so.
timeout = settings.statement_timeout_ms // 1000 + 30
