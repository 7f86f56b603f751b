"""The page that leads through the code names existing files, tests, methods and constants."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "docs/reading.md").read_text()
NAMED = re.compile(r"`([\w./-]*\w)`")


def git_files() -> list[str]:
    return subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()  # noqa: S607


def test_files_and_tests_exist() -> None:
    ends = {end for file in git_files() for end in (file, file.rsplit(".", 1)[0])}
    names = {name for name in NAMED.findall(PAGE) if "/" in name or re.search(r"(Test|IT|\.py|\.csv)$", name)}
    assert len(names) > 40
    assert [
        name
        for name in sorted(names)
        if not any(f"/{end}".endswith(f"/{name}") for end in ends) and not is_folder(name)
    ] == []


def test_names_stand_in_the_files_of_their_row() -> None:
    files = [ROOT / file for file in git_files() if file.endswith((".java", ".py"))]
    rows = [line.split(" | ")[1:3] for line in PAGE.splitlines() if re.match(r"\| \d", line)]
    assert len(rows) > 12
    missing = []
    for named_files, text in rows:
        names = NAMED.findall(named_files) + NAMED.findall(text)
        stems = {name.removesuffix(".py").rsplit("/", 1)[-1] for name in names}
        code = "".join(file.read_text() for file in files if file.stem in stems)
        members = {name.rsplit(".", 1)[-1] for name in names if re.fullmatch(r"(\w+\.)?_?[a-z]\w+", name)}
        missing += [name for name in members if not re.search(rf"\b{name}\b", code)]
    assert missing == []


def is_folder(name: str) -> bool:
    """Whether any folder in the clone has the name."""
    return any(path.is_dir() for path in ROOT.glob(f"**/{name}"))
