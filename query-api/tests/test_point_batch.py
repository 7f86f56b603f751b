"""The Python example of schemas/README.md, which users copy to write the native format."""

import re
from pathlib import Path
from typing import Any

import pytest

from . import golden
from .postgres import REPOSITORY

SCHEMAS = REPOSITORY / "schemas"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Definitions of the example."""
    readme = (SCHEMAS / "README.md").read_text(encoding="utf-8")
    section = readme.split("## The native format")[1]
    code = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    assert code is not None
    monkeypatch.chdir(SCHEMAS)
    names: dict[str, Any] = {}
    exec(compile(code[1], str(Path("README.md")), "exec"), names)  # noqa: S102
    return names


def test_example_writes_the_golden_record(example: dict[str, Any]) -> None:
    points = [(row["ident"], int(row["t_ms"]), float(row["value"])) for row in golden.rows("point-batch")]
    assert example["record"](points) == (SCHEMAS / "golden" / "point-batch.bin").read_bytes()


def test_readme_has_the_fingerprint(example: dict[str, Any]) -> None:
    assert f"| `{example['HEADER'][2:].hex(' ')}` |" in (SCHEMAS / "README.md").read_text(encoding="utf-8")
