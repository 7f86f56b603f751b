"""/ and /series: web pages of the explorer, to which /status also belongs; their files are in the folder ``page``."""

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from typing import Self

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from ..errors import NotFoundError

INDEX = "index.html"
TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".md": "text/plain",
    "": "text/plain",
}
# Only this server's files load; inline scripts and styles are blocked, whatever a series' name contains.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)


@dataclass(frozen=True)
class PageFile:
    """A file as it is served; ``etag`` is the hash of its content, the same in all processes and on all machines."""

    body: bytes
    type: str
    etag: str

    @classmethod
    def read(cls, name: str, file: Traversable) -> Self:
        """Read the file; the suffix of its name selects the media type."""
        body = file.read_bytes()
        return cls(body, TYPES[PurePosixPath(name).suffix], hashlib.sha256(body).hexdigest()[:32])


def blueprint() -> Blueprint:
    """Create the endpoints. All links in the page are relative, so that it works under any prefix."""
    routes = Blueprint("page", __name__)
    files = page_files()

    @routes.route("/")
    def index() -> BaseResponse:
        path, _, query = request.environ.get("RAW_URI", "/").partition("?")
        if not path.endswith("/"):  # a bare prefix: links would be relative to its parent
            return redirect(f"{path.rpartition('/')[2]}/{query and '?'}{query}")
        return _response(files[INDEX])

    @routes.route("/series")
    def series() -> BaseResponse:
        return html("series")

    @routes.route("/page/<path:name>")
    def file(name: str) -> Response:
        if name not in files:
            raise NotFoundError(f"the explorer has no file {name}")
        return _response(files[name])

    return routes


def html(name: str) -> BaseResponse:
    """Return the page of the path ``/<name>``, where all links are relative to the parent."""
    path, _, query = request.environ.get("RAW_URI", "").partition("?")
    if path.endswith("/"):  # links would be relative to /<name>/
        return redirect(f"../{name}{query and '?'}{query}")
    return _response(page_files()[f"{name}.html"])


@cache
def page_files() -> dict[str, PageFile]:
    """All files of the explorer by name."""
    return dict(_files(resources.files("rondo_query_api") / "page"))


def _files(folder: Traversable, prefix: str = "") -> list[tuple[str, PageFile]]:
    found = []
    for each in folder.iterdir():
        name = prefix + each.name
        found += _files(each, f"{name}/") if each.is_dir() else [(name, PageFile.read(name, each))]
    return found


def _response(file: PageFile) -> Response:
    """Return the file, or 304 if the client has it. Browsers always revalidate, so that an upgrade shows at once."""
    response = Response(file.body, mimetype=file.type)
    response.set_etag(file.etag)
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["Referrer-Policy"] = "no-referrer"
    response.make_conditional(request)
    return response
