"""CORS: origins whose pages may call the API from a browser, as Grafana does with access *Browser*."""

from typing import Any

from ..settings import Settings, split_list

# Seconds for which a browser may cache the response to a preflight request.
MAX_AGE = 600


def options(settings: Settings) -> dict[str, Any]:
    """Options of Flask-CORS: any request header is allowed; credentials only where the origins are listed."""
    origins = split_list(settings.allowed_origins)
    return {
        "origins": origins,
        "methods": ["GET", "POST"],
        "expose_headers": ["X-Request-Id"],
        "send_wildcard": True,
        "supports_credentials": "*" not in origins,
        "max_age": MAX_AGE,
    }
