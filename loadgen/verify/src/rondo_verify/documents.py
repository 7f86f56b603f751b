"""Reads the files that options name: what cannot be read or parsed is an InputError."""

import json
from pathlib import Path
from typing import Any

import yaml

from .errors import InputError


def text(file: Path, what: str, option: str) -> str:
    """Text of a file."""
    try:
        return file.read_text(encoding="utf-8")
    except OSError as e:
        raise InputError(f"{what} {file} cannot be read: {e.strerror} ({option})") from e


def from_json(file: Path, what: str, option: str) -> Any:
    """Content of a JSON file."""
    try:
        return json.loads(text(file, what, option))
    except ValueError as e:
        raise InputError(f"{what} {file} is not JSON: {e} ({option})") from e


def items(yaml_text: str, key: str, what: str) -> list[Any]:
    """List under the key of a YAML text; it has at least one item."""
    try:
        document = yaml.safe_load(yaml_text)
    except yaml.YAMLError as e:
        raise InputError(f"it is not YAML: {e}") from e
    found = document.get(key) if isinstance(document, dict) else None
    if not isinstance(found, list) or not found:
        raise InputError(f"it contains no {what} ({key})")
    return found
