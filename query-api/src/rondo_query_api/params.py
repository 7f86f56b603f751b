"""Parameters of a request: from its JSON body, its form and its query string, the first that has it."""

import re
from typing import Any

import orjson
from flask import Request

from .errors import BadRequestError

# PostgreSQL's text holds neither.
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
FUNCTION_NAME = re.compile(r"[A-Za-z_$][\w$.]*", re.ASCII)


class Params:
    """Parameters by name, as text."""

    def __init__(self, request: Request) -> None:
        self._values: dict[str, list[Any]] = {**dict(request.args.lists()), **dict(request.form.lists())}
        if request.is_json:
            body = json_object(request.get_data())
            self._values |= {name: value if isinstance(value, list) else [value] for name, value in body.items()}

    def all(self, name: str) -> list[str]:
        """Every value of the parameter, in order; ``name[]`` is taken for ``name``."""
        for key in (name, f"{name}[]"):
            if key in self._values:
                return [text(key, each) for each in self._values[key]]
        return []

    def last(self, name: str) -> str | None:
        """Value of the parameter, None when it is not given."""
        values = self.all(name)
        return values[-1] if values else None

    def required(self, name: str) -> list[str]:
        """Every value of the parameter, at least one."""
        values = self.all(name)
        if not values:
            raise BadRequestError(f"the parameter {name} is required")
        return values

    def flag(self, name: str) -> bool:
        """Whether the parameter is 1 and not 0 or absent."""
        value = self.last(name)
        if value not in (None, "0", "1"):
            raise BadRequestError(f"{name} is {value!r}, not 0 or 1")
        return value == "1"

    def jsonp(self) -> str | None:
        """Name of the client's function that wants the JSON answer."""
        name = self.last("jsonp")
        if name is not None and not FUNCTION_NAME.fullmatch(name):
            raise BadRequestError(f"jsonp is {name!r}, not the name of a function")
        return name

    def every(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """All parameters and their values, by name: the same for requests that ask for the same."""
        return tuple((name, tuple(self.all(name))) for name in sorted(self.names()))

    def names(self) -> set[str]:
        """Names of all parameters."""
        return set(self._values)


def json_object(body: bytes) -> dict[str, Any]:
    """Object that the body of a request is; nothing where it is empty."""
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
    """Text of a parameter's value, a number's too; raises :class:`BadRequestError` for what PostgreSQL cannot hold."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadRequestError(f"{name} is {value!r}, not text or a number")
    written = str(value)
    if UNSTORABLE.search(written):
        raise BadRequestError(f"{name} is {written!r}, with a NUL or half a surrogate pair")
    return written
