"""Protects browsers: serves known host names only, and keeps browsers from running anything in a response.

Without the check of host names, a page whose DNS name changes to this server (DNS rebinding) could read responses that
need no credentials. Any Kafka producer chooses names of series, so every response treats them as text.
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
# Domains that do not exist in the public DNS.
PRIVATE = (".localhost", ".local", ".internal", ".svc")


def protect(app: Flask, settings: Settings, access: Access) -> None:
    """Refuse unknown hosts where everybody may read; add headers that keep browsers from running a response."""
    allowed = {each.lower() for each in split_list(settings.allowed_hosts)}

    @app.before_request
    def check_host() -> None:
        given = request.environ.get("HTTP_HOST", "")
        if access.is_open and given and "*" not in allowed and request.path not in PUBLIC_PATHS:
            name = PORT.sub("", given).lower().rstrip(".")
            if name not in allowed and not is_private(name):
                raise WrongHostError(f"host {name[:100]!r} is not allowed: add it to RONDO_API_ALLOWED_HOSTS")

    @app.after_request
    def restrict(response: Response) -> Response:
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response


def check_json(what: str) -> None:
    """Refuse a body that is not JSON: any page can send other types without a CORS preflight request."""
    if not request.is_json:
        raise UnsupportedTypeError(f"{what}: send Content-Type: application/json")


def is_private(host: str) -> bool:
    """Whether the host is not a public DNS name: an address, a name without a dot, or one below a private domain."""
    try:
        ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return "." not in host or host.endswith(PRIVATE)
    return True
