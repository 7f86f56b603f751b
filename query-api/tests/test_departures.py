"""Disconnected clients are detected, even after a failure for an earlier one."""

import socket

import pytest

from rondo_query_api.errors import ClientGoneError
from rondo_query_api.limits.departures import Departures
from rondo_query_api.limits.request_budget import RequestBudget

from .waiting import wait_until


def is_abandoned(budget: RequestBudget) -> bool:
    try:
        budget.seconds_left()
    except ClientGoneError:
        return True
    return False


@pytest.mark.parametrize("error", [MemoryError(), OSError("cannot connect to cancel")], ids=repr)
def test_after_a_statement_that_cannot_be_cancelled(error: Exception) -> None:
    def cancel() -> None:
        raise error

    departures = Departures()
    first, second, third = RequestBudget(), RequestBudget(), RequestBudget()
    with first.running(cancel):
        pairs = [socket.socketpair() for _ in range(2)]
        (server, gone), (other_server, other_gone) = pairs
        gone.close()
        other_gone.close()
        with server, other_server, departures.watching(server, first), departures.watching(other_server, second):
            wait_until(lambda: is_abandoned(first) and is_abandoned(second), "both are noticed", bound_s=20)
        server, gone = socket.socketpair()
        with server, departures.watching(server, third):
            gone.close()
            wait_until(lambda: is_abandoned(third), "the next one is noticed", bound_s=20)
