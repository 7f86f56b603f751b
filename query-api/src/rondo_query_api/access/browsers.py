"""Protection of browsers: only known host names are served, and browsers run nothing that a response contains.

Without the check of names, a page whose DNS name is changed to this server (DNS rebinding) could read responses that
need no credentials. Names of series, which any writer to Kafka chooses, are text in every response.
"""

import re
from ipaddress import ip_address

from flask import Flask, Response, request

from ..errors import UnsupportedTypeError, WrongHostError
from ..settings import Settings, split_list
from .guard import PUBLIC_PATHS, Access

# Policy of all responses except the explorer: images may have styles, nothing else loads or runs.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox"
PORT = re.compile(r":[0-9]*$")
# Names that nobody can own in the public DNS.
PRIVATE = (".localhost", ".local", ".internal", ".svc")


def protect(app: Flask, settings: Settings, access: Access) -> None:
    """Refuse unknown hosts where access is open; add headers that keep browsers from running a response."""
    allowed = {each.lower() for each in split_list(settings.allowed_hosts)}

    @app.before_request
    def check_host() -> None:
        given = request.environ.get("HTTP_HOST", "")
        if access.is_open and given and "*" not in allowed and request.path not in PUBLIC_PATHS:
            name = PORT.sub("", given).lower().rstrip(".")
            if name not in allowed and not is_private(name):
                raise WrongHostError(f"the request is for host {name[:100]!r}, which RONDO_API_ALLOWED_HOSTS lacks")

    @app.after_request
    def restrict(response: Response) -> Response:
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response


def check_json(what: str) -> None:
    """Refuse a body that is not JSON: other types are sent by any page, without asking the server first."""
    if not request.is_json:
        raise UnsupportedTypeError(f"{what}: send Content-Type: application/json")


def is_private(host: str) -> bool:
    """Whether no public DNS name leads here: an address, a name without a dot, or one below a private domain."""
    try:
        ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return "." not in host or host.endswith(PRIVATE)
    return True
