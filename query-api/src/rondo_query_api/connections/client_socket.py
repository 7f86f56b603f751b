"""A client's socket, on which a thread never waits for what the client sends, and seldom for what it reads."""

import errno
import select
import socket
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

# Milliseconds between two questions whether the thread may still wait.
ASK_AGAIN_MS = 250


class ClientSocket(socket.socket):
    """Leaves in ``unsent`` what the client does not take at once: the event loop sends it after the response's end.

    Only before the next part of a response the thread waits until the client has taken the one before; ``keep_waiting``
    gets the seconds that it has waited so far in this response, and raises :class:`OSError` to cut it.
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
        """Nothing more: a thread gets a request when it is whole."""
        return b""

    def sendall(self, data: "ReadableBuffer", _flags: int = 0, /) -> None:
        """Send what the client takes now; first all that it has not taken before."""
        while self.unsent:
            self._wait()
            self.send_more()
        self.unsent = memoryview(data).cast("B")
        self.send_more()

    def send_more(self) -> None:
        """Send what the client takes now."""
        try:
            while self.unsent:
                self.unsent = self.unsent[self.send(self.unsent, socket.MSG_DONTWAIT) :]
        except BlockingIOError:
            pass

    def _wait(self) -> None:
        poll = select.poll()
        poll.register(self.fileno(), select.POLLOUT)
        began = time.monotonic()
        while not poll.poll(ASK_AGAIN_MS):
            self.keep_waiting(self.waited_s + time.monotonic() - began)
        self.waited_s += time.monotonic() - began


def _never(_: float) -> None:
    raise BrokenPipeError(errno.EPIPE, "the client does not read the response")
