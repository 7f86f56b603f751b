"""Parameters of a request: from its JSON body, its form and its query string; the first that has a name wins."""

import re
from reprlib import repr as short
from typing import Any

import orjson
from flask import Request

from .access import origins
from .errors import BadRequestError

# NUL and lone surrogates cannot be stored as text in PostgreSQL.
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
WHOLE = re.compile(r"-?[0-9]{1,18}", re.ASCII)
# Limits of all parameters: characters of those that hold names, targets or expressions, and of all others.
MAX_LENGTH, MAX_OTHER_LENGTH = 65_536, 8_192
LONG = ("target", "query", "expr", "path", "filter", "template")
MAX_NAMES = 1_000
MAX_VALUES = 20_000
FUNCTION_NAME = re.compile(r"[A-Za-z_$][\w$.]*", re.ASCII)


class Params:
    """Parameters by name."""

    def __init__(self, request: Request) -> None:
        if request.get_data(parse_form_data=False).count(b"&") > MAX_VALUES:
            raise BadRequestError(f"the form has more than {MAX_VALUES} values")
        self._values: dict[str, list[Any]] = {**dict(request.args.lists()), **dict(request.form.lists())}
        if request.is_json:
            body = json_object(request.get_data())
            self._values |= {name: value if isinstance(value, list) else [value] for name, value in body.items()}
        if len(self._values) > MAX_NAMES:
            raise BadRequestError(f"the request has {len(self._values)} parameters, at most {MAX_NAMES}")

    def all(self, name: str) -> list[str]:
        """Every value of the parameter, in order; ``name[]`` is an alias of ``name``."""
        for key in (name, f"{name}[]"):
            if key in self._values:
                values = self._values[key]
                if len(values) > MAX_VALUES:
                    raise BadRequestError(f"{key} has {len(values)} values, at most {MAX_VALUES}")
                return [_bounded(key, text(key, each)) for each in values]
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

    def whole(self, name: str, default: int, least: int, most: int) -> int:
        """Whole number from ``least`` to ``most``; raises :class:`BadRequestError` for anything else."""
        value = self.last(name)
        if not value:
            return default
        number = int(value) if WHOLE.fullmatch(value) else None
        if number is None or not least <= number <= most:
            raise BadRequestError(f"{name} is {value!r}, not a whole number from {least} to {most}")
        return number

    def jsonp(self) -> str | None:
        """Name of the JSONP callback, None if the client wants plain JSON.

        Raises :class:`BadRequestError` if it is no name, :class:`ForbiddenError` if the page may not load scripts.
        """
        name = self.last("jsonp")
        if name is not None:
            if not FUNCTION_NAME.fullmatch(name):
                raise BadRequestError(f"jsonp is {name!r}, not the name of a function")
            origins.check_jsonp()
        return name

    def every(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """All parameters with their values, sorted by name: equal for equivalent requests."""
        return tuple((name, tuple(self.all(name))) for name in sorted(self.names()))

    def names(self) -> set[str]:
        """Names of all parameters."""
        return set(self._values)


def _bounded(name: str, value: str) -> str:
    most = MAX_LENGTH if name.startswith(LONG) else MAX_OTHER_LENGTH
    if len(value) > most:
        raise BadRequestError(f"{name[:40]} has {len(value)} characters, at most {most}")
    return value


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
        raise BadRequestError(f"{name} is {short(value)}, not text or a number")
    written = str(value)
    if UNSTORABLE.search(written):
        raise BadRequestError(f"{name} is {written!r}, which contains NUL or a lone surrogate")
    return written
