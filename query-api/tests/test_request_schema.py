"""The JSON Schema of requests about series accepts what the topology accepts, and what the API sends."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rondo_query_api.kafka.deletions import requests

SCHEMAS = Path(__file__).parents[2] / "schemas"
GOLDEN = json.loads((SCHEMAS / "golden/series-requests.json").read_text())
SCHEMA = Draft202012Validator(json.loads((SCHEMAS / "messages/SeriesRequest.schema.json").read_text()))


@pytest.mark.parametrize("body", GOLDEN["valid"], ids=json.dumps)
def test_valid(body: object) -> None:
    SCHEMA.validate(body)


@pytest.mark.parametrize("body", GOLDEN["invalid"], ids=json.dumps)
def test_invalid(body: object) -> None:
    assert not SCHEMA.is_valid(body)


def test_requests_of_the_api() -> None:
    idents = [f"load;host=web{n};dc=ü" for n in range(20_000)]
    sent = [json.loads(request) for request in requests("alice", idents)]
    assert len(sent) > 1
    assert [ident for request in sent for ident in request["series"]] == idents
    for request in sent:
        SCHEMA.validate(request)
