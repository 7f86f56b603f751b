"""Pages of which origins may ask from a browser; Grafana does so with access *Browser*."""

from typing import Any

from .settings import Settings, listed

# Browsers ask at most this often, seconds, whether they may.
MAX_AGE = 600


def options(settings: Settings) -> dict[str, Any]:
    """Options of Flask-CORS: any header may be sent; credentials only where origins are named."""
    origins = listed(settings.allowed_origins)
    return {
        "origins": origins,
        "methods": ["GET", "POST"],
        "expose_headers": ["X-Request-Id"],
        "send_wildcard": True,
        "supports_credentials": "*" not in origins,
        "max_age": MAX_AGE,
    }
