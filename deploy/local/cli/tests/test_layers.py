"""Which packages the main code may import: each one only those that stand before it, so that there are no circles."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
# By module: the package that all others are in, and those from the bottom to the top. "." is the package itself.
JAVA = {
    "schemas": ("dev.rondo.schemas", ". deadletters requests"),
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
    "topology/history": ("dev.rondo.history", "offsets prune slots locations fill job whisper backfill replay ."),
    "connectors/postgres-sink": (
        "dev.rondo.connect",
        "clock rest postgres.changes postgres.config postgres.errors postgres.pages postgres.connection postgres.sql"
        " postgres.metrics postgres.offsets postgres.writing postgres",
    ),
    "deploy/local": ("dev.rondo.local", "settings database logs state parts terminal ."),
    "loadgen/generate": ("dev.rondo.loadgen", "shape plan encode send ."),
    "loadgen/chaos": ("dev.rondo.chaos", "load part postgres fault alerts ."),
}
IMPORT = re.compile(r"^import (?:static )?((?:[a-z]\w*\.)+)[A-Z]", re.MULTILINE)


@pytest.mark.parametrize("module", JAVA)
def test_packages_import_what_is_below_them(module: str) -> None:
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
