"""Parameters of a request: from its JSON body, its form and its query string; the first that has a name wins."""

import re
from typing import Any

import orjson
from flask import Request

from .errors import BadRequestError

# NUL and lone surrogates cannot be stored as text in PostgreSQL.
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
FUNCTION_NAME = re.compile(r"[A-Za-z_$][\w$.]*", re.ASCII)


class Params:
    """Parameters by name."""

    def __init__(self, request: Request) -> None:
        self._values: dict[str, list[Any]] = {**dict(request.args.lists()), **dict(request.form.lists())}
        if request.is_json:
            body = json_object(request.get_data())
            self._values |= {name: value if isinstance(value, list) else [value] for name, value in body.items()}

    def all(self, name: str) -> list[str]:
        """Every value of the parameter, in order; ``name[]`` is an alias of ``name``."""
        for key in (name, f"{name}[]"):
            if key in self._values:
                return [text(key, each) for each in self._values[key]]
        return []

    def last(self, name: str) -> str | None:
        """Last value of the parameter; None if it is absent."""
        values = self.all(name)
        return values[-1] if values else None

    def required(self, name: str) -> list[str]:
        """Every value of the parameter; raises :class:`BadRequestError` if there is none."""
        values = self.all(name)
        if not values:
            raise BadRequestError(f"the parameter {name} is required")
        return values

    def flag(self, name: str) -> bool:
        """Whether the parameter is 1; 0 and absent are false, anything else raises :class:`BadRequestError`."""
        value = self.last(name)
        if value not in (None, "0", "1"):
            raise BadRequestError(f"{name} is {value!r}, not 0 or 1")
        return value == "1"

    def jsonp(self) -> str | None:
        """Name of the JSONP callback, None if the client wants plain JSON."""
        name = self.last("jsonp")
        if name is not None and not FUNCTION_NAME.fullmatch(name):
            raise BadRequestError(f"jsonp is {name!r}, not the name of a function")
        return name

    def every(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """All parameters with their values, sorted by name: equal for equivalent requests."""
        return tuple((name, tuple(self.all(name))) for name in sorted(self.names()))

    def names(self) -> set[str]:
        """Names of all parameters."""
        return set(self._values)


def json_object(body: bytes) -> dict[str, Any]:
    """JSON object in the body; an empty body is an empty object."""
    if not body.strip():
        return {}
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError as e:
        raise BadRequestError(f"the body is not JSON: {e}") from e
    if not isinstance(document, dict):
        raise BadRequestError("the body is not a JSON object")
    return document


def text(name: str, value: object) -> str:
    """Text of a parameter's value, which may be a number; raises :class:`BadRequestError` if it cannot be stored."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadRequestError(f"{name} is {value!r}, not text or a number")
    written = str(value)
    if UNSTORABLE.search(written):
        raise BadRequestError(f"{name} is {written!r}, which contains NUL or a lone surrogate")
    return written
