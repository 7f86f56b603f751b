"""Big answers travel as gzip where the client takes it."""

import gzip

from flask import Flask, Response, request

# Below, what is saved is less than a packet.
LEAST_BYTES = 1_400
# Numbers shrink to a fifth at the fastest level, to a sixth at a third of its speed.
LEVEL = 1
COMPRESSED_ALREADY = ("image/png", "application/x-pdf")


def compress_answers(app: Flask) -> None:
    """Compress what is big enough and not compressed by its nature."""

    @app.after_request
    def compress(response: Response) -> Response:
        if response.mimetype in COMPRESSED_ALREADY or response.is_streamed or response.status_code != 200:  # noqa: PLR2004
            return response
        response.vary.add("Accept-Encoding")
        body = response.get_data()
        if len(body) >= LEAST_BYTES and request.accept_encodings["gzip"] > 0:
            response.set_data(gzip.compress(body, LEVEL, mtime=0))
            response.headers["Content-Encoding"] = "gzip"
        return response
