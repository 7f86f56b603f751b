"""Requests to the topology to delete series, as records of ``rondo.series-requests``."""

import json
from collections.abc import Iterator, Sequence

from ..errors import KafkaUnavailableError
from .sending import Record, Sender

RECORD_CHARACTERS = 200_000  # at most 800 KB as UTF-8, below the megabyte that brokers accept


class Deletions:
    """Requests deletions, if Kafka is configured."""

    def __init__(self, sender: Sender, topic: str) -> None:
        self._sender = sender
        self._topic = topic

    def request(self, by: str, idents: Sequence[str]) -> None:
        """Request on behalf of ``by`` to delete the series; returns once Kafka has acknowledged the request."""
        self._sender.check_kafka("to send the deletion to", "./rondo series delete")
        outcomes = self._sender.send([Record(self._topic, each.encode()) for each in requests(by, idents)])
        if failed := [error for error in outcomes if error]:
            raise KafkaUnavailableError(self._sender.reason(failed[0], self._topic, "the deletion"))


def requests(by: str, idents: Sequence[str]) -> list[str]:
    """Return the JSON of the records: ``SeriesRequest.schema.json``."""
    return [json.dumps({"by": by, "series": some}, ensure_ascii=False) for some in _divided(idents)]


def _divided(idents: Sequence[str]) -> Iterator[list[str]]:
    """Divide the idents so that each record fits."""
    some: list[str] = []
    length = 0
    for ident in idents:
        if some and length + len(ident) > RECORD_CHARACTERS:
            yield some
            some, length = [], 0
        some.append(ident)
        length += len(ident)
    if some:
        yield some
