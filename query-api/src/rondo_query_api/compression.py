"""Gzip compression of large and of streamed responses, for clients that accept it.

Flask-Compress is not used: it needs brotli and zstd, and does not stream gzip by default.
"""

import gzip
import zlib
from collections.abc import Iterable, Iterator

from flask import Flask, Response, request

# Below this size, compression saves less than one packet.
MIN_BYTES = 1_400
# Level 1 shrinks numbers to a fifth; a higher level, at a third of its speed, to a sixth.
LEVEL = 1
GZIP = 31  # zlib's largest window, with a gzip header
COMPRESSED_ALREADY = ("image/png", "application/x-pdf")


def compress_responses(app: Flask) -> None:
    """Compress responses that are large enough and not compressed already."""

    @app.after_request
    def compress(response: Response) -> Response:
        if response.mimetype in COMPRESSED_ALREADY or response.status_code != 200:  # noqa: PLR2004
            return response
        response.vary.add("Accept-Encoding")
        if not request.accept_encodings["gzip"]:
            return response
        if response.is_streamed:
            response.response = _compressed(response.iter_encoded())
        elif len(response.get_data()) >= MIN_BYTES:
            response.set_data(gzip.compress(response.get_data(), LEVEL, mtime=0))
        else:
            return response
        response.headers["Content-Encoding"] = "gzip"
        return response


def _compressed(parts: Iterable[bytes]) -> Iterator[bytes]:
    compressor = zlib.compressobj(LEVEL, wbits=GZIP)
    for part in parts:
        if compressed := compressor.compress(part):
            yield compressed
    yield compressor.flush()
