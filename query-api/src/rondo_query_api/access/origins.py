"""Pages of other origins that may read responses: those of RONDO_API_ALLOWED_ORIGINS."""

from urllib.parse import urlsplit

from flask import Flask, Request, Response, current_app, request

from ..errors import ForbiddenError
from ..settings import Settings, split_list

ORIGINS, JSONP = "RONDO_ALLOWED_ORIGINS", "RONDO_JSONP"


def restrict(app: Flask, settings: Settings) -> None:
    """Set the header by which browsers load a response without CORS, such as an image, only into pages of this site."""
    app.config[ORIGINS] = split_list(settings.allowed_origins)
    app.config[JSONP] = settings.jsonp == 1

    @app.after_request
    def set_header(response: Response) -> Response:
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin" if _is_allowed(request) else "same-site"
        if app.config[ORIGINS]:
            response.vary.update(("Origin", "Referer"))
        return response


def check_jsonp() -> None:
    """Raise :class:`ForbiddenError` unless the page that asks may get a script: any page can load one."""
    if not current_app.config[JSONP]:
        raise ForbiddenError("jsonp is not allowed (RONDO_API_JSONP=1 allows it)")
    if request.headers.get("Sec-Fetch-Site") == "cross-site" and not _is_allowed(request):
        raise ForbiddenError(f"jsonp is not allowed to {_origin(request)!r}, which RONDO_API_ALLOWED_ORIGINS lacks")


def _is_allowed(asking: Request) -> bool:
    origins = current_app.config[ORIGINS]
    return "*" in origins or _origin(asking) in origins


def _origin(asking: Request) -> str:
    """Origin of the page; a request for a script or an image has it only in its Referer."""
    if origin := asking.headers.get("Origin"):
        return origin
    try:
        page = urlsplit(asking.headers.get("Referer", ""))
    except ValueError:
        return ""
    return f"{page.scheme}://{page.netloc}" if page.netloc else ""
