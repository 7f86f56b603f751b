"""Restricts which other origins may embed responses or load them as scripts: those of RONDO_API_ALLOWED_ORIGINS."""

from urllib.parse import urlsplit

from flask import Flask, Response, current_app, request

from ..errors import ForbiddenError
from ..settings import Settings, split_list

ORIGINS, JSONP = "RONDO_ALLOWED_ORIGINS", "RONDO_JSONP"


def restrict(app: Flask, settings: Settings) -> None:
    """Set the header that keeps browsers from embedding a response, such as an image, in pages of other sites."""
    app.config[ORIGINS] = split_list(settings.allowed_origins)
    app.config[JSONP] = settings.jsonp == 1

    @app.after_request
    def set_header(response: Response) -> Response:
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin" if _is_allowed() else "same-site"
        if app.config[ORIGINS]:
            response.vary.update(("Origin", "Referer"))
        return response


def check_jsonp() -> None:
    """Raise :class:`ForbiddenError` unless the requesting page may load a script, which CORS does not prevent."""
    if not current_app.config[JSONP]:
        raise ForbiddenError("jsonp is not allowed (RONDO_API_JSONP=1 allows it)")
    if request.headers.get("Sec-Fetch-Site") == "cross-site" and not _is_allowed():
        raise ForbiddenError(f"jsonp is not allowed for {_origin()!r}: add it to RONDO_API_ALLOWED_ORIGINS")


def _is_allowed() -> bool:
    origins = current_app.config[ORIGINS]
    return "*" in origins or _origin() in origins


def _origin() -> str:
    """Origin of the requesting page; requests for scripts and images have it only in their Referer."""
    if origin := request.headers.get("Origin"):
        return origin
    try:
        page = urlsplit(request.headers.get("Referer", ""))
    except ValueError:
        return ""
    return f"{page.scheme}://{page.netloc}" if page.netloc else ""
