"""Generates the dashboards from panels/*.yaml: ``python deploy/dashboards/generate.py``.

A file has title, uid, about, source (graphite or prometheus), variables and panels. A panel begins with its kind and
title: ``row`` (a heading), ``stat`` (the newest value), ``line`` or ``stacked`` (series over time). A line of panels
has four stats, or two of the others.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import yaml

Json = dict[str, Any]

FOLDER = Path(__file__).parent
COLUMNS = 24
SIZES = {"row": (24, 1), "stat": (6, 4), "line": (12, 8), "stacked": (12, 8)}
TYPES = {"row": "row", "stat": "stat", "line": "timeseries", "stacked": "timeseries"}
DATA_SOURCES = {  # of provisioning/datasources
    "graphite": {"text": "Rondo", "value": "rondo"},
    "prometheus": {"text": "Prometheus of Rondo", "value": "rondo-prometheus"},
}
STAT_OPTIONS = {
    "reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False},
    "colorMode": "value",
    "graphMode": "area",
    "justifyMode": "auto",
    "textMode": "auto",
    "orientation": "auto",
}
SERIES_OPTIONS = {
    "legend": {
        "displayMode": "table",
        "placement": "bottom",
        "showLegend": True,
        "calcs": ["lastNotNull", "mean", "max"],
    },
    "tooltip": {"mode": "multi", "sort": "desc"},
}


def dashboards() -> Iterator[tuple[Path, str]]:
    """Generate file and text of each dashboard."""
    for file in sorted((FOLDER / "panels").glob("*.yaml")):
        described = yaml.safe_load(file.read_text(encoding="utf-8"))
        yield FOLDER / f"{file.stem}.json", json.dumps(dashboard(described), indent=2, ensure_ascii=False) + "\n"


def dashboard(described: Json) -> Json:
    """Build a dashboard for import into Grafana."""
    kind = described["source"]
    return {
        "uid": described["uid"],
        "title": described["title"],
        "description": described["about"],
        "tags": ["rondo"],
        "editable": True,
        "graphTooltip": 1,
        "schemaVersion": 39,
        "version": 1,
        "timezone": "browser",
        "refresh": "10s",
        "time": {"from": "now-1h", "to": "now"},
        "annotations": {"list": list(annotations(kind))},
        "templating": {"list": list(variables(kind, described.get("variables", {})))},
        "panels": list(panels(kind, described["panels"])),
        "links": [
            {
                "type": "dashboards",
                "title": "Rondo",
                "tags": ["rondo"],
                "asDropdown": True,
                "keepTime": True,
                "includeVars": False,
                "targetBlank": False,
            }
        ],
    }


def source(kind: str) -> Json:
    """Refer to the data source selected on the dashboard."""
    return {"type": kind, "uid": "${datasource}"}


def annotations(kind: str) -> Iterator[Json]:
    """Build Grafana's default annotations, and those of deployments."""
    yield {
        "builtIn": 1,
        "datasource": {"type": "grafana", "uid": "-- Grafana --"},
        "enable": True,
        "hide": True,
        "iconColor": "rgba(0, 211, 255, 1)",
        "name": "Annotations & Alerts",
        "type": "dashboard",
    }
    if kind == "graphite":
        tags = {"fromAnnotations": True, "tags": ["deploy"]}
        yield {
            "name": "Deployments",
            "datasource": source(kind),
            "enable": False,
            "iconColor": "orange",
            **tags,
            "target": {
                "refId": "Anno",
                "datasource": source(kind),
                **tags,
                "queryType": "tags",
                "textEditor": False,
            },
        }


def variables(kind: str, queries: Json) -> Iterator[Json]:
    """Build variables for the data source, each query, and the address of the docs."""
    yield {
        "name": "datasource",
        "label": "Data source",
        "type": "datasource",
        "query": kind,
        "current": DATA_SOURCES[kind],
        "includeAll": False,
        "multi": False,
        "hide": 0,
        "options": [],
        "refresh": 1,
        "regex": "",
    }
    for name, query in queries.items():
        yield {
            "name": name,
            "label": name.capitalize(),
            "type": "query",
            "datasource": source(kind),
            "query": query if kind == "graphite" else {"query": query, "refId": "Variable"},
            "definition": query,
            "includeAll": True,
            "multi": True,
            "allValue": {"graphite": "*", "prometheus": ".*"}[kind],
            "current": {"text": ["All"], "value": ["$__all"]},
            "options": [],
            "refresh": 2,
            "regex": "",
            "sort": 5,
            "hide": 0,
        }
    docs = {"text": "https://docs.example/rondo", "value": "https://docs.example/rondo"}
    yield {
        "name": "docs",
        "label": "Address of Rondo's docs",
        "type": "textbox",
        "query": docs["value"],
        "current": docs,
        "options": [{"selected": True, **docs}],
        "hide": 0,
    }


def panels(kind: str, described: list[Json]) -> Iterator[Json]:
    """Build panels with their positions."""
    x = y = height = 0
    for number, each in enumerate(described, 1):
        shape = next(iter(each))
        width, own_height = SIZES[shape]
        if x + width > COLUMNS or own_height != height:
            x, y, height = 0, y + height, own_height
        yield {
            "id": number,
            "type": TYPES[shape],
            "title": each[shape],
            "gridPos": {"x": x, "y": y, "w": width, "h": height},
            **({"collapsed": False, "panels": []} if shape == "row" else content(kind, shape, each)),
        }
        x += width


def content(kind: str, shape: str, described: Json) -> Json:
    """Build the content of a panel."""
    defaults: Json = {"unit": described["unit"]}
    for bound in ("min", "max"):
        if (value := described.get(bound, {"min": 0}.get(bound))) is not None:
            defaults[bound] = value
    if shape != "stat":
        is_stacked = shape == "stacked"
        defaults["custom"] = {
            "drawStyle": "line",
            "lineWidth": 1,
            "fillOpacity": 60 if is_stacked else 8,
            "showPoints": "auto",
            "spanNulls": False,
            "stacking": {"mode": "normal" if is_stacked else "none", "group": "A"},
        }
    return {
        "description": described["about"],
        "links": [
            {"title": Path(page).stem, "url": f"${{docs}}/{page}", "targetBlank": True}
            for page in described.get("docs", [])
        ],
        "datasource": source(kind),
        "fieldConfig": {"defaults": defaults, "overrides": []},
        "options": STAT_OPTIONS if shape == "stat" else SERIES_OPTIONS,
        "targets": [
            {"refId": letter, "datasource": source(kind), **target(kind, each)}
            for letter, each in zip(ascii_uppercase, described["targets"], strict=False)
        ],
    }


def target(kind: str, described: Any) -> Json:
    """Build a query from a Graphite target, or from a pair of expression and legend."""
    if kind == "graphite":
        return {"target": described, "textEditor": True}
    expression, legend = described
    return {"expr": expression, "legendFormat": legend, "range": True, "editorMode": "code"}


if __name__ == "__main__":
    for path, text in dashboards():
        path.write_text(text, encoding="utf-8")
