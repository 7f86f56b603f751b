"""The packages that main code may import: only those before its own, so that there are no cycles."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
# By module: the base package, and its packages from the bottom to the top. "." is the base package.
JAVA = {
    "schemas": ("dev.rondo.schemas", ". deadletters requests"),
    "connectors/rows": ("dev.rondo.rows", "."),
    "connectors/connection": ("dev.rondo.connection", "postgres settings kafka command"),
    "topology/formats": (
        "dev.rondo.formats",
        ". collectd graphite influx metrictank nativepoints otlp prometheus putval"
        " schemaregistry mapping avro json protobuf catalog",
    ),
    "topology/streams": (
        "dev.rondo.topology",
        "drops http lag memory settings state archive policy saturation order rows source config decode segment"
        " consolidate requests topics access locations clients .",
    ),
    "topology/tools": (
        "dev.rondo.tools",
        "command size series policies access check.record check.mapping check.cluster check.source check"
        " deadletters.read deadletters.resend deadletters events send why.facts why.stage why",
    ),
    "topology/history": ("dev.rondo.history", "offsets prune slots locations fill job whisper backfill replay ."),
    "connectors/postgres-sink": (
        "dev.rondo.connect",
        "clock rest postgres.changes postgres.config postgres.errors postgres.connection postgres.sql"
        " postgres.metrics postgres.offsets postgres.writing postgres",
    ),
    "deploy/local": ("dev.rondo.local", "settings database logs state parts terminal ."),
    "loadgen/generate": ("dev.rondo.loadgen", "shape plan encode send ."),
    "loadgen/chaos": ("dev.rondo.chaos", "load part postgres fault alerts ."),
}
IMPORT = re.compile(r"^import (?:static )?((?:[a-z]\w*\.)+)[A-Z]", re.MULTILINE)


@pytest.mark.parametrize("module", JAVA)
def test_packages_import_only_lower_packages(module: str) -> None:
    base, layers = JAVA[module]
    packages = [base if each == "." else f"{base}.{each}" for each in layers.split()]
    source = ROOT / module / "src/main/java"
    imports: dict[str, set[str]] = {}
    for file in source.rglob("*.java"):
        package = ".".join(file.relative_to(source).parent.parts)
        imports.setdefault(package, set()).update(name.rstrip(".") for name in IMPORT.findall(file.read_text()))
    assert imports.keys() == set(packages)
    for number, package in enumerate(packages):
        assert not imports[package].intersection(packages[number + 1 :]), f"{package} imports what is above it"
