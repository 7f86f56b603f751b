"""The page that leads through the code names existing files and tests."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[4]
NAMED = re.compile(r"`([\w./-]*\w)`")


def test_files_and_tests_exist() -> None:
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()  # noqa: S607
    ends = {end for file in files for end in (file, file.rsplit(".", 1)[0])}
    page = (ROOT / "docs/reading.md").read_text()
    names = {name for name in NAMED.findall(page) if "/" in name or re.search(r"(Test|IT|\.py|\.csv)$", name)}
    assert len(names) > 40
    assert [
        name
        for name in sorted(names)
        if not any(f"/{end}".endswith(f"/{name}") for end in ends) and not is_folder(name)
    ] == []


def is_folder(name: str) -> bool:
    """Whether any folder in the clone has the name."""
    return any(path.is_dir() for path in ROOT.glob(f"**/{name}"))
