"""/series/deletion, /series/delete, /series/remaining: deletes series by their ids, as the page of series does.

Unlike a name, an id never names another series, neither after a deletion nor in a restored database
(:class:`SeriesKey`). A repeated request therefore deletes nothing else, and :func:`remaining` does not count a series
that has sent again.
"""

import orjson
from flask import Blueprint, Response, request

from ..access.guard import Access
from ..db import Database
from ..errors import BadRequestError
from ..fetch.series import SeriesKey
from ..find import idents
from ..kafka.deletions import Deletions
from ..params import Params
from ..settings import Settings
from . import METHODS
from .responses import json_response

MAX_SERIES = 10_000


def blueprint(database: Database, deletions: Deletions, settings: Settings, access: Access) -> Blueprint:
    """Create the endpoints; those that delete require the right to delete series."""
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
        rows = database.rows("idents_of_series", **_keys(Params(request)))
        deletions.request(by, [idents.text_of(ident) for (ident,) in rows])
        return json_response(orjson.dumps({"series": len(rows)}))

    @routes.route("/series/remaining", methods=METHODS)
    def remaining() -> Response:
        [(series,)] = database.rows("remaining_series", **_keys(Params(request)))
        return json_response(orjson.dumps({"series": series}))

    return routes


def _keys(params: Params) -> dict[str, list[int]]:
    given = params.required("id")
    if len(given) > MAX_SERIES:
        raise BadRequestError(f"id has {len(given)} values, at most {MAX_SERIES}")
    try:
        keys = {SeriesKey.of(text) for text in given}
    except ValueError as e:
        raise BadRequestError(f"id has a wrong value: {e}") from e
    return {"series": [key.id for key in keys], "idents": [key.ident_hash for key in keys]}
