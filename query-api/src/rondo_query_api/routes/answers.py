"""Shapes of answers that several endpoints give."""

from collections.abc import Mapping

from flask import Response


def json_answer(body: bytes, jsonp: str | None = None, status: int = 200) -> Response:
    """JSON, or the call of the client's function with it."""
    body, media_type = json_body(body, jsonp)
    return Response(body, status, mimetype=media_type)


def json_body(body: bytes, jsonp: str | None) -> tuple[bytes, str]:
    """Body and media type of the same."""
    if jsonp is None:
        return body, "application/json"
    return f"{jsonp}(".encode() + body + b")", "text/javascript"


def text_answer(line: str, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """One line of plain text."""
    return Response(" ".join(line.splitlines()) + "\n", status, headers, mimetype="text/plain")
