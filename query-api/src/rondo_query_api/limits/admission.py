"""Admits requests: each has a slot until its response is built or, if it is streamed, sent, or its client has gone."""

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
from .turns import Turns

log = structlog.get_logger()
# How long a streamed response may wait for its client while others wait for its slot.
PATIENCE_S = 1.0


def take_turns(app: Flask, turns: Turns, client: Callable[[], str]) -> None:
    """Let all requests but those for the service's own paths and the explorer's files wait for a slot."""
    departures = Departures()

    @app.before_request
    def begin() -> None:
        if request.path in SERVICE_PATHS or request.blueprint == PAGE or request.method == "OPTIONS":
            return
        budget = request_budget.current()
        with ExitStack() as slot:
            slot.enter_context(departures.watching(request.environ.get("gunicorn.socket"), budget))
            slot.callback(turns.end, turns.begin(client(), budget.seconds_left))
            g.slot = slot.pop_all()

    @app.after_request
    def keep_while_streaming(response: Response) -> Response:
        if response.is_streamed and "slot" in g:
            response.call_on_close(g.pop("slot").close)
            if (connection := request.environ.get("gunicorn.socket")) is not None:
                connection.keep_waiting = partial(_keep_waiting, turns, request_budget.current())
        return response

    @app.teardown_request
    def end(_: BaseException | None) -> None:
        if "slot" in g:
            g.pop("slot").close()


def _keep_waiting(turns: Turns, budget: RequestBudget, waited_s: float) -> None:
    """Cut a streamed response, as if the client had closed the connection, if the client reads too slowly."""
    try:
        budget.seconds_left()
        if waited_s > PATIENCE_S and turns.is_wanted():
            raise ClientGoneError("the client does not read it, and others wait for its slot")
    except ApiError as e:
        log.warning("response cut", reason=str(e))
        raise BrokenPipeError(errno.EPIPE, str(e)) from e
