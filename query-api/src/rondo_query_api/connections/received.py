"""The bytes of a request as they arrive: whether it is complete, or why it is refused."""

import re

HEAD_END = b"\r\n\r\n"
MAX_HEAD_BYTES = 65_536
# With any value, because one that is not a length is refused.
LENGTHS = re.compile(rb"\r\ncontent-length[ \t]*:(.*?)(?=\r\n)", re.IGNORECASE | re.DOTALL)
LENGTH = re.compile(rb"[ \t]*([0-9]{1,18})[ \t]*")
CODED = re.compile(rb"\r\ntransfer-encoding[ \t]*:", re.IGNORECASE)
EXPECTS = re.compile(rb"\r\nexpect:[ \t]*100-continue[ \t]*\r\n", re.IGNORECASE)


class Received:
    """Bytes of a request, and perhaps of later ones; a body longer than ``most`` bytes is not awaited."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._begin()

    def _begin(self) -> None:
        self._bytes = bytearray()
        self._searched = self._body_begin = self._body_bytes = 0

    def __len__(self) -> int:
        """Count all bytes."""
        return len(self._bytes)

    def add(self, received: bytes) -> None:
        """Add bytes; raises :class:`RefusedError` if the head is too long or has no valid length of the body."""
        self._bytes += received
        if not self.has_head:
            self._find_head()

    def take(self) -> bytes:
        """Return all bytes and begin the next request."""
        taken = bytes(self._bytes)
        self._begin()
        return taken

    @property
    def has_head(self) -> bool:
        """Whether all header fields have been received."""
        return self._body_begin > 0

    @property
    def end(self) -> int:
        """Bytes of head and body, once the head has been received."""
        return self._body_begin + self._body_bytes

    @property
    def is_whole(self) -> bool:
        """Whether head and body have been received."""
        return self.has_head and len(self._bytes) >= self.end

    @property
    def is_ready(self) -> bool:
        """Whether a thread can answer the request: it is complete, or too long."""
        return self.is_whole or (self.has_head and self._body_bytes > self._most)

    @property
    def expects_continue(self) -> bool:
        """Whether the client waits for ``100 Continue`` before it sends the body."""
        return not self.is_ready and EXPECTS.search(self._bytes, 0, self._body_begin) is not None

    def _find_head(self) -> None:
        end = self._bytes.find(HEAD_END, max(0, self._searched - len(HEAD_END)))
        self._searched = len(self._bytes)
        if (self._searched if end < 0 else end) > MAX_HEAD_BYTES:
            raise RefusedError("431 Request Header Fields Too Large", f"the head exceeds {MAX_HEAD_BYTES} bytes")
        if end < 0:
            return
        self._body_begin = end + len(HEAD_END)
        is_coded = CODED.search(self._bytes, 0, self._body_begin)
        if lengths := LENGTHS.findall(self._bytes, 0, self._body_begin):
            length = LENGTH.fullmatch(lengths[0])
            if length is None or len(lengths) > 1 or is_coded:
                raise RefusedError("400 Bad Request", "the body has no single Content-Length of 1 to 18 digits")
            self._body_bytes = int(length[1])
        elif is_coded:
            raise RefusedError("411 Length Required", "the body has no Content-Length")


class RefusedError(Exception):
    """The request is refused before it is complete, with this status and a line of text."""

    def __init__(self, status: str, message: str) -> None:
        super().__init__(message)
        self.status = status

    def response(self) -> bytes:
        """Encode the response, after which the connection is closed."""
        body = f"{self}\n"
        head = f"HTTP/1.1 {self.status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
        return f"{head}Connection: close\r\n\r\n{body}".encode()
