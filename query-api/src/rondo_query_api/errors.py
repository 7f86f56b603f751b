"""Failures that the client is told of: a status and one line of text."""

from collections.abc import Mapping


class ApiError(Exception):
    """An answer that is not the wanted one; the message is its body."""

    status = 500

    def __init__(self, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.headers = headers or {}


class BadRequestError(ApiError):
    """The request cannot be answered as it stands, now or later."""

    status = 400


class LimitError(BadRequestError):
    """More than a setting allows."""

    def __init__(self, message: str, setting: str) -> None:
        super().__init__(message)
        self.setting = setting


class UnauthorizedError(ApiError):
    """Who asks is not known; ``challenge`` says how to be."""

    status = 401

    def __init__(self, message: str, challenge: str) -> None:
        super().__init__(message, {"WWW-Authenticate": challenge})


class ForbiddenError(ApiError):
    """Nobody may do this here."""

    status = 403


class NotFoundError(ApiError):
    """There is nothing of that name."""

    status = 404


class NotDrawableError(ApiError):
    """Images need a library that this machine does not have."""

    status = 501


class NotSupportedError(ApiError):
    """Graphite does it, and Rondo does not."""

    status = 501


class DatabaseUnavailableError(ApiError):
    """PostgreSQL does not answer, or not in time; the same request may succeed later."""

    status = 503


class RequestTimeoutError(ApiError):
    """The request took too long and was ended."""

    status = 504
