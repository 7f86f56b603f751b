import re
import tomllib

import pytest

from .api_server import QUERY_API


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock", "requirements-build.lock"])
def test_lock_names_no_place_and_hashes_everything(name: str) -> None:
    text = (QUERY_API / name).read_text(encoding="utf-8")
    assert not re.search(r"https?:|--index|--extra-index|--find-links", text)
    entries = re.split(r"\n(?=\S)", re.sub(r"(?m)^\s*#.*\n", "", text).strip())
    assert entries
    assert [entry for entry in entries if "==" not in entry or "--hash=sha256:" not in entry] == []


def test_build_lock_holds_the_build_backend() -> None:
    system = tomllib.loads((QUERY_API / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]
    text = (QUERY_API / "requirements-build.lock").read_text(encoding="utf-8")
    assert [each for each in system["requires"] if f"{each} " not in text] == []


def test_notice_names_the_licence_of_each_package() -> None:
    packages = re.findall(r"(?m)^([a-z0-9-]+)(?:\[[a-z]+\])?==", (QUERY_API / "requirements.lock").read_text())
    notice = (QUERY_API.parent / "NOTICE").read_text(encoding="utf-8")
    assert [each for each in packages if f"\n  {each}: " not in notice] == [], "run deploy/local/cli/notice.py"


def test_lock_holds_the_direct_dependencies() -> None:
    project = tomllib.loads((QUERY_API / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    direct = {re.split(r"[\[><=]", each)[0] for each in project["dependencies"]}
    locked = set(re.findall(r"(?m)^([a-z0-9-]+)(?:\[[a-z]+\])?==", (QUERY_API / "requirements.lock").read_text()))
    assert direct <= locked
