"""Big answers travel as gzip where the client takes it."""

import gzip
import zlib
from collections.abc import Iterable, Iterator

from flask import Flask, Response, request

# Below, what is saved is less than a packet.
LEAST_BYTES = 1_400
# Numbers shrink to a fifth at the fastest level, to a sixth at a third of its speed.
LEVEL = 1
GZIP = 31  # zlib's largest window, in the form of gzip
COMPRESSED_ALREADY = ("image/png", "application/x-pdf")


def compress_answers(app: Flask) -> None:
    """Compress what is big enough and not compressed by its nature."""

    @app.after_request
    def compress(response: Response) -> Response:
        if response.mimetype in COMPRESSED_ALREADY or response.status_code != 200:  # noqa: PLR2004
            return response
        response.vary.add("Accept-Encoding")
        if not request.accept_encodings["gzip"]:
            return response
        if response.is_streamed:
            response.response = _compressed(response.iter_encoded())
        elif len(response.get_data()) >= LEAST_BYTES:
            response.set_data(gzip.compress(response.get_data(), LEVEL, mtime=0))
        else:
            return response
        response.headers["Content-Encoding"] = "gzip"
        return response


def _compressed(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Compress them as they come."""
    compressor = zlib.compressobj(LEVEL, wbits=GZIP)
    for part in parts:
        if compressed := compressor.compress(part):
            yield compressed
    yield compressor.flush()
