"""Admits requests: each has a slot until its response is built or, if it is streamed, sent, or its client has gone."""

from collections.abc import Callable
from contextlib import ExitStack

from flask import Flask, Response, g, request

from . import request_budget
from .access import PAGE, SERVICE_PATHS
from .departures import Departures
from .turns import Turns


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
        return response

    @app.teardown_request
    def end(_: BaseException | None) -> None:
        if "slot" in g:
            g.pop("slot").close()
