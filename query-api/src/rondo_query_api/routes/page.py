"""/: the explorer, a page for people; its files are those of the folder ``page``."""

import hashlib
from dataclasses import dataclass
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
# Everything comes from here; nothing in the page itself is run or is a style, whatever a series is named.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)


@dataclass(frozen=True)
class PageFile:
    """A file as it is sent; its tag is the hash of its content, the same in every process and on every machine."""

    body: bytes
    type: str
    etag: str

    @classmethod
    def read(cls, name: str, file: Traversable) -> Self:
        """Read it; its type is that of the name's suffix."""
        body = file.read_bytes()
        return cls(body, TYPES[PurePosixPath(name).suffix], hashlib.sha256(body).hexdigest()[:32])


def blueprint() -> Blueprint:
    """Make the endpoints. All links in the page are relative: it works under any prefix."""
    routes = Blueprint("page", __name__)
    files = dict(_files(resources.files("rondo_query_api") / "page"))

    @routes.route("/")
    def index() -> BaseResponse:
        path, _, query = request.environ.get("RAW_URI", "/").partition("?")
        if not path.endswith("/"):  # a prefix alone: links would be relative to what is above it
            return redirect(f"{path.rpartition('/')[2]}/{query and '?'}{query}")
        return _answer(files[INDEX])

    @routes.route("/page/<path:name>")
    def file(name: str) -> Response:
        if name not in files:
            raise NotFoundError(f"the page has no file {name}")
        return _answer(files[name])

    return routes


def _files(folder: Traversable, prefix: str = "") -> list[tuple[str, PageFile]]:
    found = []
    for each in folder.iterdir():
        name = prefix + each.name
        found += _files(each, f"{name}/") if each.is_dir() else [(name, PageFile.read(name, each))]
    return found


def _answer(file: PageFile) -> Response:
    """Give the file, or 304 to who has it: it is asked for each time, so that an upgrade is seen at once."""
    answer = Response(file.body, mimetype=file.type)
    answer.set_etag(file.etag)
    answer.headers["Cache-Control"] = "no-cache"
    answer.headers["Content-Security-Policy"] = POLICY
    answer.headers["X-Content-Type-Options"] = "nosniff"
    answer.headers["Referrer-Policy"] = "no-referrer"
    answer.make_conditional(request)
    return answer
