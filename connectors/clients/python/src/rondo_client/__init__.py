"""Counters, gauges and timers of an application, published to Kafka at the pace of a step."""

from .client import Client
from .metrics import Counter, Gauge, Metric, Timer

__all__ = ["Client", "Counter", "Gauge", "Metric", "Timer"]
