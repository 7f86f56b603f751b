"""It runs in the query API's environment, which must have its dependencies."""

import re
import tomllib
from pathlib import Path

VERIFY = Path(__file__).parents[1]
LOCK = VERIFY.parents[1] / "query-api" / "requirements.lock"


def test_each_dependency_is_locked_for_the_query_api() -> None:
    project = tomllib.loads((VERIFY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    locked = {line.partition("==")[0] for line in LOCK.read_text(encoding="utf-8").splitlines() if "==" in line}
    wanted = {re.split(r"[\[><=]", each)[0] for each in project["dependencies"]}
    assert wanted
    assert wanted <= locked
