"""A dead letter is read and resent as by the commands: DeadLetterTest reads the same golden cases."""

import json
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Message

from rondo_query_api.dead_letters.dead_letter import DeadLetter

SCHEMAS = Path(__file__).parents[2] / "schemas"
WRITTEN_MS = 1_700_000_000_000
CASES = json.loads((SCHEMAS / "golden/dead-letters.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=[case["what"] for case in CASES])
def test_a_dead_letter(case: dict[str, Any]) -> None:
    value = None if case["value"] is None else case["value"].encode()
    headers: list[tuple[str, str | bytes | None]] = [(name, text.encode()) for name, text in case["headers"]]
    read = DeadLetter.of(
        Message(
            topic="rondo.dead-letters", partition=0, offset=9, value=value, headers=headers, timestamp=(2, WRITTEN_MS)
        )
    )
    if read is None:
        assert case["read"] is None
        return
    assert case["read"] == {
        "topic": read.topic,
        "partition": read.source.partition,
        "offset": read.source.offset,
        "reason": read.reason,
        "detail": read.detail,
        "count": read.count,
        "bytes": read.full_bytes,
        "resent": read.resent,
        "written": read.written_ms,
    }
    assert [[name, (text or b"").decode()] for name, text in read.headers_to_send] == case["sent"]
