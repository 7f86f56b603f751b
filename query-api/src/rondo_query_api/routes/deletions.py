"""/series/deletion, /series/delete, /series/remaining: deletes series by their ids, as the page of series does.

An id, unlike a name, is that of one series until it is deleted. So a request repeated later deletes nothing else, and
:func:`remaining` does not count a series that has sent again.
"""

import re

import orjson
from flask import Blueprint, Response, request

from ..access import Access
from ..db import Database
from ..deletions import Deletions
from ..errors import BadRequestError
from ..find import idents
from ..find.described import array
from ..params import Params
from ..settings import Settings
from . import METHODS
from .responses import json_response

MAX_SERIES = 10_000
ID = re.compile(r"[0-9]{1,18}")  # below 2**63


def blueprint(database: Database, deletions: Deletions, settings: Settings, access: Access) -> Blueprint:
    """Create the endpoints; who may not delete series gets an error."""
    routes = Blueprint("deletions", __name__)
    needed = {
        "RONDO_API_WRITE_TOKENS": access.can_delete,
        "RONDO_API_KAFKA_BOOTSTRAP_SERVERS": settings.kafka_bootstrap_servers,
    }
    missing = [name for name, value in needed.items() if not value]

    @routes.route("/series/deletion", methods=METHODS)
    def deletion() -> Response:
        return json_response(orjson.dumps({"missing": missing, "limit": MAX_SERIES}))

    @routes.route("/series/delete", methods=["POST"])
    def delete() -> Response:
        by = access.writer()
        rows = database.rows("named_series", ids=_ids(Params(request)), policy=None, since=None, most=MAX_SERIES)
        deletions.request(by, [idents.text_of(ident) for _, ident in rows])
        return json_response(orjson.dumps({"series": len(rows)}))

    @routes.route("/series/remaining", methods=METHODS)
    def remaining() -> Response:
        [(series,)] = database.rows("remaining_series", ids=_ids(Params(request)))
        return json_response(orjson.dumps({"series": series}))

    return routes


def _ids(params: Params) -> str:
    given = params.required("id")
    if len(given) > MAX_SERIES:
        raise BadRequestError(f"id has {len(given)} values, and a request is about at most {MAX_SERIES} series")
    if wrong := [text for text in given if not ID.fullmatch(text)]:
        raise BadRequestError(f"id is {wrong[0][:40]!r}, not the id of a series")
    return array([int(text) for text in given])
