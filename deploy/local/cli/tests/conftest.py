from pathlib import Path

import pytest

STACK = """java.lang.AssertionError: [rows of both series] expected 2 but was 1
\tat org.assertj.core.Assertions.fail(Assertions.java:1)
\tat dev.rondo.topology.TopologyIT.shouldStoreRows(TopologyIT.java:77)
"""


class Checkout:
    """A folder with the results of a run."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "target" / "test-run").mkdir(parents=True)

    def write(self, path: str, text: str) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def java(self, module: str, name: str, cases: str, seconds: float = 1.0) -> Path:
        kind = "failsafe" if name.endswith("IT") else "surefire"
        text = f'<testsuite name="{name}" time="{seconds}"><properties/>{cases}</testsuite>'
        return self.write(f"{module}/target/{kind}-reports/TEST-{name}.xml", text)

    def python(self, folder: str, cases: str) -> Path:
        report = f"target/pytest-{folder.replace('/', '-')}.xml"
        return self.write(report, f"<testsuites><testsuite>{cases}</testsuite></testsuites>")

    def stage(self, name: str, code: int, output: str) -> None:
        log = self.write(f"target/test-run/{name}.log", output)
        with (self.root / "target/test-run/stages.tsv").open("a") as stages:
            stages.write(f"{name}\t12\t{code}\t{log}\n")


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)
