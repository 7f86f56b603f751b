"""Finds tests by name: ``python choose.py ROOT NAME...``.

A name is a Java class, with or without its package, ``Class#method``, the path of a Java or Python file, or a pytest
id. Prints tab-separated lines for the runner::

    modules  topology/formats,deploy/local
    unit     GraphiteDecoderTest
    it       UpIT#shouldListSeries
    pytest   query-api  tests/test_find.py::test_glob
"""

import difflib
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

from report.reading import PYTEST_FOLDERS

JAVA_TEST = re.compile(r"(?P<module>.+)/src/test/java/(?:.+/)?(?P<name>\w+(?:Test|IT))\.java")


class UnknownTestError(Exception):
    """A name without a test."""


@dataclass
class Choice:
    """Tests to run."""

    modules: list[str] = field(default_factory=list)
    unit: list[str] = field(default_factory=list)
    it: list[str] = field(default_factory=list)
    pytest: list[tuple[str, str]] = field(default_factory=list)

    def lines(self) -> list[str]:
        """Return the lines for the runner."""
        java = {"modules": self.modules, "unit": self.unit, "it": self.it}
        return [
            *(f"{kind}\t{','.join(dict.fromkeys(names))}" for kind, names in java.items() if names),
            *(f"pytest\t{folder}\t{name}" for folder, name in dict.fromkeys(self.pytest)),
        ]


def choose(files: list[str], names: list[str]) -> Choice:
    """Find tests by name among the files of a checkout, with paths relative to its root."""
    modules: dict[str, list[str]] = {}
    for file in files:
        if found := JAVA_TEST.fullmatch(file):
            modules.setdefault(found["name"], []).append(found["module"])
    python = [file for file in files if re.fullmatch(r".+/tests/(?:.+/)?test_\w+\.py", file)]
    choice = Choice()
    for name in names:
        if name.partition("::")[0].endswith(".py") or "::" in name or "/tests" in name:
            choice.pytest.append(python_test(files, python, name))
            continue
        test_class, hash_sign, method = name.partition("#")
        simple = test_class.removesuffix(".java").rpartition("/")[2].rpartition(".")[2]
        if simple not in modules:
            raise UnknownTestError(unknown(name, simple, [*modules, *python]))
        choice.modules += modules[simple]
        (choice.it if simple.endswith("IT") else choice.unit).append(f"{simple}{hash_sign}{method}")
    return choice


def python_test(files: list[str], tests: list[str], name: str) -> tuple[str, str]:
    """Return the folder in which pytest runs, and the rest of the path."""
    path = name.partition("::")[0].removeprefix("./").rstrip("/")
    known = path in tests or any(file.startswith(f"{path}/") for file in files)
    folder = next((each for each in PYTEST_FOLDERS if path.startswith(f"{each}/tests")), None)
    if not known or folder is None:
        raise UnknownTestError(unknown(name, path, tests))
    return folder, name.removeprefix("./").removeprefix(f"{folder}/")


def unknown(name: str, wanted: str, known: list[str]) -> str:
    """Return the error for an unknown name, with the nearest ones."""
    nearest = difflib.get_close_matches(wanted, known, n=3, cutoff=0.6)
    hint = f"; nearest: {', '.join(nearest)}" if nearest else "; give a Java class or the path of a Python test"
    return f"there is no test '{name}'{hint}"


def files_of(root: Path) -> list[str]:
    """Return the files in the test folders of a checkout, which need not be a repository."""
    patterns = [f"{depth}/src/test/java/**/*.java" for depth in ("*", "*/*", "*/*/*")]
    patterns += [f"{folder}/tests/**/*.py" for folder in PYTEST_FOLDERS]
    return sorted(file.relative_to(root).as_posix() for pattern in patterns for file in root.glob(pattern))


def main(root: Path, names: list[str]) -> int:
    """Print the chosen tests."""
    try:
        print("\n".join(choose(files_of(root), names).lines()))
    except UnknownTestError as e:
        print(f"rondo: {e}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
