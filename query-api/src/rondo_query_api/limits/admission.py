"""Gives each request a slot until its response is built or, if streamed, sent, or until its client disconnects."""

import errno
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial

import structlog
from flask import Flask, Response, g, request

from ..access.guard import PAGE, SERVICE_PATHS
from ..errors import ApiError, ClientGoneError
from . import request_budget
from .departures import Departures
from .request_budget import RequestBudget
from .request_slots import RequestSlots

log = structlog.get_logger()
# How long a streamed response waits for its client while other requests wait for its slot.
MAX_WAIT_S = 1.0


def limit_concurrency(app: Flask, slots: RequestSlots, client: Callable[[], str]) -> None:
    """Require a slot for each request, except for service paths and files of the explorer."""
    departures = Departures()

    @app.before_request
    def begin() -> None:
        if request.path in SERVICE_PATHS or request.blueprint == PAGE or request.method == "OPTIONS":
            return
        budget = request_budget.current()
        with ExitStack() as slot:
            slot.enter_context(departures.watching(request.environ.get("gunicorn.socket"), budget))
            slot.callback(slots.release, slots.acquire(client(), budget.seconds_left))
            g.slot = slot.pop_all()

    @app.after_request
    def keep_while_streaming(response: Response) -> Response:
        if response.is_streamed and "slot" in g:
            response.call_on_close(g.pop("slot").close)
            if (connection := request.environ.get("gunicorn.socket")) is not None:
                connection.keep_waiting = partial(_keep_waiting, slots, request_budget.current())
        return response

    @app.teardown_request
    def end(_: BaseException | None) -> None:
        if "slot" in g:
            g.pop("slot").close()


def _keep_waiting(slots: RequestSlots, budget: RequestBudget, waited_s: float) -> None:
    """Cut a streamed response if its client reads too slowly, as if the client had closed the connection."""
    try:
        budget.seconds_left()
        if waited_s > MAX_WAIT_S and slots.is_wanted():
            raise ClientGoneError("the client does not read it, and other requests wait for its slot")
    except ApiError as e:
        log.warning("response cut", reason=str(e))
        raise BrokenPipeError(errno.EPIPE, str(e)) from e
