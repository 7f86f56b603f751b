"""A client's socket: a thread never waits for the client to send, and rarely for it to read."""

import errno
import select
import socket
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

CHECK_EVERY_MS = 250


class ClientSocket(socket.socket):
    """Keeps in ``unsent`` what the client does not read at once: the event loop sends it after the response's end.

    A thread waits only to send the next part of a response before the client has read the previous one. Every
    ``CHECK_EVERY_MS`` it passes the seconds waited in this response to ``keep_waiting``, which raises :class:`OSError`
    to cut the response.
    """

    keep_waiting: Callable[[float], None]

    @classmethod
    def of(cls, accepted: socket.socket) -> Self:
        """Take over the socket."""
        taken = cls(accepted.family, accepted.type, accepted.proto, fileno=accepted.detach())
        taken.begin_response()
        return taken

    def begin_response(self) -> None:
        """Forget the previous response."""
        self.unsent = memoryview(b"")
        self.waited_s = 0.0
        self.keep_waiting = _never

    def receive(self, size: int) -> bytes:
        """Bytes that have arrived, none at the end; raises :class:`BlockingIOError` if there are none yet."""
        return super().recv(size, socket.MSG_DONTWAIT)

    def recv(self, _size: int, _flags: int = 0, /) -> bytes:
        """Return nothing: a thread gets a request only once it is complete."""
        return b""

    def sendall(self, data: "ReadableBuffer", _flags: int = 0, /) -> None:
        """Send all previous parts, then as much of this one as the client reads now."""
        while self.unsent:
            self._wait()
            self.send_more()
        self.unsent = memoryview(data).cast("B")
        self.send_more()

    def send_more(self) -> None:
        """Send as much as the client reads now."""
        try:
            while self.unsent:
                self.unsent = self.unsent[self.send(self.unsent, socket.MSG_DONTWAIT) :]
        except BlockingIOError:
            pass

    def _wait(self) -> None:
        poll = select.poll()
        poll.register(self.fileno(), select.POLLOUT)
        began = time.monotonic()
        while not poll.poll(CHECK_EVERY_MS):
            self.keep_waiting(self.waited_s + time.monotonic() - began)
        self.waited_s += time.monotonic() - began


def _never(_: float) -> None:
    raise BrokenPipeError(errno.EPIPE, "the client does not read the response")
