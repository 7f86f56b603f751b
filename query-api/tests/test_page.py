"""The explorer's files as served and packaged; test_explorer has its behaviour."""

import hashlib
import re
import zipfile
from pathlib import Path
from urllib.request import Request

import pytest
from hatchling.builders.wheel import WheelBuilder

from .api_server import QUERY_API, ApiClient

PAGE = QUERY_API / "src" / "rondo_query_api" / "page"
FILES = sorted(str(file.relative_to(PAGE)) for file in PAGE.rglob("*") if file.is_file())
TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".html": "text/html"}


def test_the_page_lets_nothing_in_it_run_and_nothing_else_load(api: ApiClient) -> None:
    response = api.get("/")
    assert (response.status, response.headers.get_content_type()) == (200, "text/html")
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
    assert "unsafe" not in policy
    assert not re.search(
        r"<script(?! type=\"module\" src=\"page/)|<style| style=| on[a-z]+=|https?:|=\"/", response.text
    )


def test_a_link_may_hold_many_targets(api: ApiClient) -> None:
    assert api.get("/", target=["hosts.web1.cpu.user"] * 300).status == 200


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_sent_once(api: ApiClient, name: str) -> None:
    response = api.get(f"/page/{name}")
    assert (response.status, response.body) == (200, (PAGE / name).read_bytes())
    assert response.headers.get_content_type() == TYPES.get(Path(name).suffix, "text/plain")
    assert (response.headers["X-Content-Type-Options"], response.headers["Cache-Control"]) == ("nosniff", "no-cache")
    again = api.send(Request(f"{api.url}/page/{name}", headers={"If-None-Match": response.headers["ETag"]}))
    assert (again.status, again.body) == (304, b"")


@pytest.mark.parametrize("name", ["none.js", "../app.py", "%2e%2e/app.py", "uplot/../../app.py"])
def test_there_are_no_other_files(api: ApiClient, name: str) -> None:
    assert api.get(f"/page/{name}").status == 404


def test_nothing_in_the_page_makes_markup_of_text() -> None:
    own = [PAGE / name for name in FILES if name.endswith(".js") and not name.startswith("uplot/")]
    assert own
    unsafe = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function\(|https?:")
    assert [file.name for file in own if unsafe.search(file.read_text(encoding="utf-8"))] == []


def test_the_chart_library_is_the_one_that_its_readme_names() -> None:
    sums = re.findall(r"(?m)^([0-9a-f]{64})  (\S+)$", (PAGE / "uplot" / "README.md").read_text(encoding="utf-8"))
    assert {name for _, name in sums} == {each.name for each in (PAGE / "uplot").iterdir()} - {"README.md"}
    for digest, name in sums:
        assert hashlib.sha256((PAGE / "uplot" / name).read_bytes()).hexdigest() == digest


def test_the_wheel_has_every_file(tmp_path: Path) -> None:
    (wheel,) = WheelBuilder(str(QUERY_API)).build(directory=str(tmp_path), versions=["standard"])
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
    assert {f"rondo_query_api/page/{name}" for name in FILES} <= names
