"""Requests the reports of parts by HTTP; raises :class:`NoAnswerError` or :class:`UnreadableError`."""

from collections.abc import Mapping
from typing import Any

import orjson

from . import sink, topology
from .part_client import NoAnswerError, address_text, get
from .samples import Samples, UnreadableError

Address = tuple[str, int]  # host, port
OK = 200


def topology_report(address: Address) -> topology.Report:
    """Request the report of an instance of the topology."""
    ready = _object(get(*address, "/health/ready").body)
    not_ready = "" if ready.get("ok") is True else str(ready.get("reason") or ready.get("state"))[: sink.MAX_REASON]
    samples = Samples.parse(_metrics(address))
    try:
        drops = _object(get(*address, "/drops").body)
    except (NoAnswerError, UnreadableError):
        drops = {}  # the counters by reason are enough
    return topology.Report(address_text(*address), samples, drops=drops, not_ready=not_ready)


def worker_report(address: Address) -> sink.WorkerReport:
    """Request the report of the REST interface of a Connect worker."""
    version = _object(get(*address, "/").body).get("version")
    connectors = _object(get(*address, "/connectors?expand=status&expand=info").body)
    return sink.WorkerReport(address_text(*address), connectors, str(version)[:40] if version else None)


def metrics_report(address: Address) -> sink.MetricsReport:
    """Request the metrics of a Connect worker."""
    return sink.MetricsReport(address_text(*address), Samples.parse(_metrics(address)))


def _metrics(address: Address) -> str:
    answer = get(*address, "/metrics")
    if answer.status != OK:
        raise UnreadableError(f"/metrics has status {answer.status}")
    return answer.body.decode("utf-8", "replace")


def _object(body: bytes) -> Mapping[str, Any]:
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError as e:
        raise UnreadableError(f"its answer is not JSON: {e}"[: sink.MAX_REASON]) from e
    if not isinstance(found, dict):
        raise UnreadableError("its answer is not a JSON object")
    return found
