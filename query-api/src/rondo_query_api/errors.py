"""Errors that the client sees: an HTTP status and one line of text."""

import math
from collections.abc import Mapping


class ApiError(Exception):
    """An error response; the message is its body."""

    status = 500

    def __init__(self, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.headers = headers or {}


class BadRequestError(ApiError):
    """The request is wrong; repeating it does not help."""

    status = 400


class LimitError(BadRequestError):
    """The request exceeds the limit of the named setting."""

    def __init__(self, message: str, setting: str) -> None:
        super().__init__(message)
        self.setting = setting


class UnauthorizedError(ApiError):
    """The request has no valid credentials; ``challenge`` is the ``WWW-Authenticate`` header."""

    status = 401

    def __init__(self, message: str, challenge: str) -> None:
        super().__init__(message, {"WWW-Authenticate": challenge})


class ForbiddenError(ApiError):
    """The operation is not allowed on this server."""

    status = 403


class WrongHostError(ApiError):
    """The request is for a host name that this server does not serve."""

    status = 421


class UnsupportedTypeError(ApiError):
    """The endpoint does not accept the content type of the body."""

    status = 415


class TooManyRequestsError(ApiError):
    """The client sends too many requests; it may retry after ``seconds``."""

    status = 429

    def __init__(self, message: str, seconds: float) -> None:
        super().__init__(message, {"Retry-After": str(math.ceil(seconds))})


class NotFoundError(ApiError):
    """The named object does not exist."""

    status = 404


class NotDrawableError(ApiError):
    """Images need a library that is not installed on this machine."""

    status = 501


class NotSupportedError(ApiError):
    """Graphite supports the operation, Rondo does not."""

    status = 501


class DatabaseUnavailableError(ApiError):
    """PostgreSQL does not answer, or not in time; the same request may succeed later.

    ``reason`` is the error of PostgreSQL or its library. Clients do not see it: it may name hosts, users and values.
    """

    status = 503

    def __init__(self, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason

    @property
    def with_reason(self) -> str:
        """The message and the reason, for operators."""
        return f"{self}: {self.reason}" if self.reason else str(self)


class KafkaUnavailableError(ApiError):
    """Kafka does not answer, or not in time; the same request may succeed later."""

    status = 503


class BusyError(ApiError):
    """The server has no room for the request; the same request may succeed later."""

    status = 503

    def __init__(self, message: str) -> None:
        super().__init__(f"the server is busy: {message}", {"Retry-After": "1"})


class ClientGoneError(ApiError):
    """The client has disconnected; only the log has this status, which is nginx's."""

    status = 499


class RequestTimeoutError(ApiError):
    """The request exceeded its time limit and was cancelled."""

    status = 504
