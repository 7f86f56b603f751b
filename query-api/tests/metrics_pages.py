"""Generates docs/reference/query-api-metrics.md and broker-metrics.md: ``python -m tests.metrics_pages``."""

from collections.abc import Iterable
from pathlib import Path

import yaml
from prometheus_client import REGISTRY
from prometheus_client.core import Metric
from prometheus_client.metrics import MetricWrapperBase

from rondo_query_api import metrics, postgres_metrics

from .postgres import REPOSITORY

REFERENCE = REPOSITORY / "docs" / "reference"
BROKER_RULES = REPOSITORY / "deploy" / "prometheus" / "broker-jmx-exporter.yml"
COMMAND = "`cd query-api && .venv/bin/python -m tests.metrics_pages`"
TABLE = "| metric | type | meaning |\n|---|---|---|\n"
API_HEAD = f"""# Metrics of the query API, of PostgreSQL, of fills and of replays

`GET /prometheus` of the query API has its own, `GET /prometheus/postgres` those of PostgreSQL, which it asks at each
scrape, and of [fills of new archives](../how-to/policies.md#what-a-new-archive-has-of-the-time-before), [live replays
and backfills](../how-to/replay.md), which report to tables.

Generated from the code, by {COMMAND}.

## The query API

"""
POSTGRES_HEAD = """
## PostgreSQL, fills and replays

Without the right to read a table (role `rondo_reader`) its archives are absent. Counters begin when the statistics of
the server were last reset.

"""
BROKER_HEAD = f"""# Metrics of the brokers

Those that [Rondo's rules](../../deploy/prometheus/broker-jmx-exporter.yml) of the JMX exporter make of a broker's
MBeans. It adds `jvm_*`.

Generated from these rules, by {COMMAND}.

"""


LABELS = {each._name: each._labelnames for each in vars(metrics).values() if isinstance(each, MetricWrapperBase)}


class _NoDatabase:
    """Has one row for each statement, so that each metric is made."""

    def rows(self, name: str) -> list[tuple[object, ...]]:
        columns = {"postgres_server": 4, "postgres_tables": 6, "postgres_archives": 5, "fills": 8, "replays": 6}
        return [tuple(0 for _ in range(columns[name]))]


def pages() -> dict[Path, str]:
    """Text of each page."""
    own = (each for each in REGISTRY.collect() if each.name.startswith("rondo_"))
    of_postgres = postgres_metrics.collect(_NoDatabase())  # type: ignore[arg-type]
    text = API_HEAD + _table(own) + POSTGRES_HEAD + _table(of_postgres)
    rules = yaml.safe_load(BROKER_RULES.read_text(encoding="utf-8"))["rules"]
    broker = "".join(_row(each["name"], each.get("labels", ()), each["type"].lower(), each["help"]) for each in rules)
    return {REFERENCE / "query-api-metrics.md": text, REFERENCE / "broker-metrics.md": BROKER_HEAD + TABLE + broker}


def _table(families: Iterable[Metric]) -> str:
    rows = []
    for each in families:
        name = f"{each.name}_total" if each.type == "counter" else each.name
        labels = LABELS.get(each.name, getattr(each, "_labelnames", ()))
        rows.append(_row(name, labels, each.type, each.documentation))
    return TABLE + "".join(sorted(rows))


def _row(name: str, labels: Iterable[str], kind: str, text: str) -> str:
    shown = "{" + ",".join(labels) + "}" if labels else ""
    return f"| `{name}{shown}` | {kind} | {text} |\n"


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
