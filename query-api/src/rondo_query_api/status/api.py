"""What this server says of itself: its requests."""

import socket

from .. import __version__, metrics
from .increases import Increases
from .model import Instance, Problem, Stage, State, runbook
from .samples import Samples

NAME = "query-api"
REQUESTS = "rondo_query_request_duration_seconds_count"
MAX_FAILED = 0.05


def stage(increases: Increases, now: float) -> Stage:
    """Return this server; requests that fail are those with a status of 500 and above."""
    counted = Samples.parse(metrics.exposition().decode()).sums(REQUESTS, "status")
    failed = sum(value for status, value in counted.items() if status.startswith("5"))
    increase = increases.add(NAME, {"requests": sum(counted.values()), "failed": failed}, now)
    requests, errors = increase.lately("requests"), increase.lately("failed")
    problems = []
    if requests and errors and errors > requests * MAX_FAILED:
        text = f"{errors:.0f} of {requests:.0f} requests of the last minute failed (status 500 and above)"
        problems.append(Problem(State.WARNING, NAME, text, runbook("RondoApiRefuses")))
    name = socket.gethostname()
    return Stage(
        NAME,
        "requests",
        [Instance(name, True, __version__, increase.rate("requests"), errors=errors, problems=problems)],
    )
