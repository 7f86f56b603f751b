"""Files that other programs read have the schemas that those publish."""

import subprocess
import sys

import pytest

from .postgres import REPOSITORY


@pytest.mark.parametrize(
    ("schema", "file"),
    [
        ("vendor.compose-spec", "deploy/compose/compose.yaml"),
        ("vendor.compose-spec", "deploy/compose/everything.yaml"),
        ("vendor.github-workflows", ".github/workflows/ci.yml"),
        ("vendor.renovate", "renovate.json"),
    ],
)
def test_file_has_the_published_schema(schema: str, file: str) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(REPOSITORY / file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
