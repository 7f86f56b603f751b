"""Shapes of answers that several endpoints give."""

from collections.abc import Mapping

from flask import Response


def json_answer(body: bytes, jsonp: str | None = None, status: int = 200) -> Response:
    """JSON, or the call of the client's function with it."""
    if jsonp is None:
        return Response(body, status, mimetype="application/json")
    return Response(f"{jsonp}(".encode() + body + b")", status, mimetype="text/javascript")


def text_answer(line: str, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """One line of plain text."""
    return Response(" ".join(line.splitlines()) + "\n", status, headers, mimetype="text/plain")
