"""Status of this server: its requests."""

import socket

from .. import __version__, metrics
from .increases import Increases
from .model import Instance, Stage
from .rules import API_REFUSES
from .samples import Samples

NAME = "query-api"


def stage(increases: Increases, now: float) -> Stage:
    """Return this server. Errors are requests with status 429, or 500 and above; requests for /health do not count."""
    every = Samples.parse(metrics.exposition().decode()).of(API_REFUSES.metric)
    counted = [each for each in every if not each.labels["route"].startswith("/health")]
    refused = [each for each in counted if each.labels["status"] == "429" or each.labels["status"] >= "500"]
    sums = {"requests": sum(each.value for each in counted), "refused": sum(each.value for each in refused)}
    increase = increases.add(NAME, sums, now)
    requests, errors = increase.last_minute("requests"), increase.last_minute("refused")
    problems = []
    if requests and errors and errors > requests * API_REFUSES.bound:
        text = f"{errors:.0f} of {requests:.0f} requests of the last minute were refused or failed (status 429 or 5xx)"
        problems.append(API_REFUSES.problem(NAME, text))
    rate = increase.rate("requests")
    return Stage(
        NAME, "requests", [Instance(socket.gethostname(), True, __version__, rate, errors=errors, problems=problems)]
    )
