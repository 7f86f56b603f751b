"""Asks one part by HTTP for what it says of itself."""

from collections.abc import Mapping
from typing import Any

import orjson

from . import sink, topology
from .part_client import SilentError, ask, shown
from .samples import Samples, UnreadableError

Address = tuple[str, int]  # host, port
OK = 200


def ask_topology(address: Address) -> topology.Told:
    """Ask an instance of the topology."""
    name = shown(*address)
    try:
        ready = _object(ask(*address, "/health/ready").body)
        samples = Samples.parse(_metrics(address))
    except (SilentError, UnreadableError) as e:
        return topology.Told(name, silence=str(e))
    not_ready = "" if ready.get("ok") is True else str(ready.get("reason") or ready.get("state"))[: sink.MAX_REASON]
    return topology.Told(name, samples, drops=_drops(address), not_ready=not_ready)


def _drops(address: Address) -> Mapping[str, Any]:
    """Series that were dropped last; none if there are too many, as the counts say the most."""
    try:
        return _object(ask(*address, "/drops").body)
    except (SilentError, UnreadableError):
        return {}


def ask_worker(address: Address) -> sink.Worker:
    """Ask the REST interface of a Connect worker."""
    name = shown(*address)
    try:
        version = _object(ask(*address, "/").body).get("version")
        connectors = _object(ask(*address, "/connectors?expand=status&expand=info").body)
    except (SilentError, UnreadableError) as e:
        return sink.Worker(name, silence=str(e))
    return sink.Worker(name, connectors, str(version)[:40] if version else None)


def ask_metrics(address: Address) -> sink.Metrics:
    """Ask for the metrics of a Connect worker."""
    name = shown(*address)
    try:
        samples = Samples.parse(_metrics(address))
    except (SilentError, UnreadableError) as e:
        return sink.Metrics(name, silence=str(e))
    return sink.Metrics(name, samples)


def _metrics(address: Address) -> str:
    answer = ask(*address, "/metrics")
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
