"""The client is tested in the query API's environment, which must contain its dependencies."""

import re
import tomllib
from pathlib import Path

CLIENT = Path(__file__).parents[1]
LOCK = CLIENT.parents[2] / "query-api" / "requirements.lock"


def test_each_dependency_is_locked_for_the_query_api() -> None:
    project = tomllib.loads((CLIENT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    locked = {line.partition("==")[0] for line in LOCK.read_text(encoding="utf-8").splitlines() if "==" in line}
    wanted = {re.split(r"[\[><=]", each)[0] for each in project["dependencies"]}
    assert wanted
    assert wanted <= locked


def test_example_of_the_page_compiles() -> None:
    page = (CLIENT.parents[2] / "docs" / "how-to" / "client.md").read_text(encoding="utf-8")
    example = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    assert example is not None
    compile(example[1], "client.md", "exec")
