"""/dead-letters, /dead-letters/resend: lists the newest records that could not be stored, and resends them."""

import re
from dataclasses import asdict

import orjson
from flask import Blueprint, Response, request

from ..access.browsers import check_json
from ..access.guard import DEAD_LETTERS_PATHS, Access
from ..dead_letters.dead_letter import SINK_REASONS, RecordId
from ..dead_letters.newest import newest
from ..dead_letters.resending import Resender
from ..errors import BadRequestError
from ..kafka.sending import Sender
from ..params import Params
from ..settings import Settings
from ..status.topology import DEAD_LETTERS
from . import METHODS
from .responses import json_response

LISTED, RESENT = DEAD_LETTERS_PATHS
DEFAULT_LIMIT, MAX_LIMIT = 20, 100
ID = re.compile(r"([0-9]{1,9})@([0-9]{1,18})", re.ASCII)


def blueprint(connection: dict[str, str], sender: Sender, settings: Settings, access: Access) -> Blueprint:
    """Create the endpoints; ``connection``, the settings of librdkafka, is empty if no Kafka is configured."""
    routes = Blueprint("dead-letters", __name__)
    topic = settings.kafka_dead_letters_topic
    resender = Resender(connection, topic, sender)

    def check_kafka() -> None:
        sender.check_kafka("that has dead letters", "./rondo dead-letters")

    @routes.route(LISTED, methods=METHODS)
    def listed() -> Response:
        check_kafka()
        params = Params(request)
        found = newest(
            connection, topic, params.last("reason") or None, params.whole("limit", DEFAULT_LIMIT, 1, MAX_LIMIT)
        )
        response = json_response(orjson.dumps(asdict(found)))
        response.headers["Cache-Control"] = "no-store"
        return response

    @routes.route(RESENT, methods=["POST"])
    def resent() -> Response:
        by = access.writer("resend dead letters")
        check_json("dead letters are named in JSON")
        check_kafka()
        done = resender.resend(by, _ids(Params(request)))
        not_sent = [{"reason": why, "ids": list(map(str, ids))} for why, ids in done.not_sent.items()]
        return json_response(orjson.dumps({"sent": done.sent, "not_sent": not_sent}))

    return routes


def offer(settings: Settings, access: Access) -> dict[str, list[str]]:
    """Reasons of dead letters, and settings that are missing to show and resend them."""
    needed = {
        "RONDO_API_KAFKA_BOOTSTRAP_SERVERS": settings.kafka_bootstrap_servers,
        "RONDO_API_WRITE_TOKENS": access.can_write,
    }
    return {
        "reasons": [*sorted(DEAD_LETTERS), *SINK_REASONS],
        "missing": [name for name, value in needed.items() if not value],
    }


def _ids(params: Params) -> list[RecordId]:
    given = params.required("id")
    if len(given) > MAX_LIMIT:
        raise BadRequestError(f"id has {len(given)} values, at most {MAX_LIMIT}")
    found = [ID.fullmatch(text) for text in given]
    if None in found:
        raise BadRequestError(f"id is {given[found.index(None)][:40]!r}, not the id of a dead letter")
    return [RecordId(int(each[1]), int(each[2])) for each in found if each]
