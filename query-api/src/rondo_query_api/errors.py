"""Failures that the client is told of: a status and one line of text."""


class ApiError(Exception):
    """An answer that is not the wanted one; the message is its body."""

    status = 500


class BadRequestError(ApiError):
    """The request cannot be answered as it stands, now or later."""

    status = 400


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
