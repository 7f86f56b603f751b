"""Requests the reports of parts by HTTP."""

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
    name = address_text(*address)
    try:
        ready = _object(get(*address, "/health/ready").body)
        samples = Samples.parse(_metrics(address))
    except (NoAnswerError, UnreadableError) as e:
        return topology.Report(name, error=str(e))
    not_ready = "" if ready.get("ok") is True else str(ready.get("reason") or ready.get("state"))[: sink.MAX_REASON]
    return topology.Report(name, samples, drops=_drops(address), not_ready=not_ready)


def _drops(address: Address) -> Mapping[str, Any]:
    """Series that were dropped last. Too long an answer is left out: the counters by reason are enough."""
    try:
        return _object(get(*address, "/drops").body)
    except (NoAnswerError, UnreadableError):
        return {}


def worker_report(address: Address) -> sink.WorkerReport:
    """Request the report of the REST interface of a Connect worker."""
    name = address_text(*address)
    try:
        version = _object(get(*address, "/").body).get("version")
        connectors = _object(get(*address, "/connectors?expand=status&expand=info").body)
    except (NoAnswerError, UnreadableError) as e:
        return sink.WorkerReport(name, error=str(e))
    return sink.WorkerReport(name, connectors, str(version)[:40] if version else None)


def metrics_report(address: Address) -> sink.MetricsReport:
    """Request the metrics of a Connect worker."""
    name = address_text(*address)
    try:
        return sink.MetricsReport(name, Samples.parse(_metrics(address)))
    except (NoAnswerError, UnreadableError) as e:
        return sink.MetricsReport(name, error=str(e))


def _metrics(address: Address) -> str:
    answer = get(*address, "/metrics")
    if answer.status != OK:
        raise UnreadableError(f"/metrics has status {answer.status}")
    return answer.text


def _object(body: bytes) -> Mapping[str, Any]:
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError as e:
        raise UnreadableError(f"its answer is not JSON: {e}"[: sink.MAX_REASON]) from e
    if not isinstance(found, dict):
        raise UnreadableError("its answer is not a JSON object")
    return found
