"""Responses that several endpoints return."""

from collections.abc import Mapping

from flask import Response

MAX_LINE = 2_000


def json_response(body: bytes, jsonp: str | None = None, status: int = 200) -> Response:
    """JSON, or with ``jsonp`` a call of that function with the JSON."""
    body, media_type = json_body(body, jsonp)
    return Response(body, status, mimetype=media_type)


def json_body(body: bytes, jsonp: str | None) -> tuple[bytes, str]:
    """Body and media type of :func:`json_response`."""
    if jsonp is None:
        return body, "application/json"
    return f"{jsonp}(".encode() + body + b")", "text/javascript"


def text_response(line: str, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """One line of plain text, at most ``MAX_LINE`` characters: an error may quote a parameter."""
    shown = " ".join(line[: MAX_LINE + 1].splitlines())
    shown = shown if len(shown) <= MAX_LINE else f"{shown[:MAX_LINE]}…"
    return Response(shown + "\n", status, headers, mimetype="text/plain")
