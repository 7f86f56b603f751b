"""Request slots: no client takes all, /health needs none, and a request ends when its client disconnects."""

import http.client
import socket
import threading
from collections.abc import Iterator
from functools import partial
from operator import lt
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from rondo_query_api.errors import BusyError, RequestTimeoutError, TooManyRequestsError
from rondo_query_api.limits.rates import Rates
from rondo_query_api.limits.request_slots import HALF_LIFE_S, SLOW_S, RequestSlots

from . import postgres
from .api_server import ApiClient, serve
from .waiting import wait_until


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def no_time() -> float:
    raise RequestTimeoutError("no time is left")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def slots(clock: Clock) -> RequestSlots:
    return RequestSlots(slots=4, per_client=3, most_waiting=4, rates=Rates(100, 100, clock), clock=clock)


def test_a_client_has_at_most_its_share(slots: RequestSlots) -> None:
    for _ in range(3):
        slots.acquire("a", no_time)
    with pytest.raises(RequestTimeoutError):
        slots.acquire("a", no_time)
    slots.acquire("b", no_time)


def test_slow_clients_leave_half_of_the_slots(slots: RequestSlots, clock: Clock) -> None:
    first = [slots.acquire(client, no_time) for client in "abcd"]
    clock.now += 3 * SLOW_S
    for slot in first:
        slots.release(slot)
    running = [slots.acquire(client, no_time) for client in "ab"]
    with pytest.raises(RequestTimeoutError):
        slots.acquire("c", no_time)
    slots.acquire("plain", no_time)
    slots.acquire("plain", no_time)
    for slot in running:
        slots.release(slot)
        slots.release(slot)
    slots.acquire("c", no_time)


def test_a_client_of_many_quick_requests_is_not_slow(slots: RequestSlots, clock: Clock) -> None:
    """Even if it had to wait for others once."""

    def ask(client: str, seconds: float) -> None:
        slot = slots.acquire(client, no_time)
        clock.now += seconds
        slots.release(slot)

    for _ in range(500):
        ask("plain", SLOW_S / 5)
    ask("plain", 20 * SLOW_S)
    for client in "ab":
        ask(client, 20 * SLOW_S)
    for client in ("a", "b", "plain", "plain"):
        slots.acquire(client, no_time)


def test_a_client_that_is_slow_now_is_slow(slots: RequestSlots, clock: Clock) -> None:
    for client in "abc":
        slots.acquire(client, no_time)
    clock.now += 3 * SLOW_S
    with pytest.raises(RequestTimeoutError):
        slots.acquire("a", no_time)
    slots.acquire("plain", no_time)


def test_what_a_client_has_used_is_forgotten(slots: RequestSlots, clock: Clock) -> None:
    for client in "abc":
        slot = slots.acquire(client, no_time)
        clock.now += 20 * SLOW_S
        slots.release(slot)
    clock.now += 5 * HALF_LIFE_S
    for client in "abc":
        slots.acquire(client, no_time)


def test_a_request_that_waits_gets_the_next_slot(slots: RequestSlots) -> None:
    running = [slots.acquire(client, no_time) for client in "abcd"]
    got: list[str] = []
    waiting = threading.Thread(target=lambda: got.append(slots.acquire("e", lambda: 120.0).client))
    waiting.start()
    slots.release(running[0])
    waiting.join(timeout=120)
    assert got == ["e"]


def test_a_client_that_waits_leaves_places_to_others(slots: RequestSlots) -> None:
    for client in "abcd":
        slots.acquire(client, no_time)
    stop = threading.Event()

    def left() -> float:
        if stop.is_set():
            raise RequestTimeoutError("no time is left")
        return 0.01

    def wait(client: str) -> None:
        with pytest.raises(RequestTimeoutError):
            slots.acquire(client, left)

    threads = [threading.Thread(target=wait, args=client) for client in "eefg"]
    try:
        for n, thread in enumerate(threads):
            thread.start()
            wait_until(lambda: len(slots._waiting), f"{n + 1} requests wait", partial(lt, n))
            if n == 1:
                with pytest.raises(BusyError, match="2 requests are already waiting"):
                    slots.acquire("e", left)
            if n == 2:
                with pytest.raises(BusyError, match="3 requests are already waiting"):
                    slots.acquire("f", left)
        with pytest.raises(BusyError, match="4 requests are already waiting"):
            slots.acquire("h", left)
    finally:
        stop.set()
        for thread in threads:
            thread.join(timeout=120)


def test_the_rate_of_a_client_is_limited(clock: Clock) -> None:
    slots = RequestSlots(slots=9, per_client=9, most_waiting=1, rates=Rates(2, 2, clock), clock=clock)
    for _ in range(2):
        slots.acquire("a", no_time)
    with pytest.raises(TooManyRequestsError) as error:
        slots.acquire("a", no_time)
    assert error.value.headers["Retry-After"] == "1"
    slots.acquire("b", no_time)
    clock.now += 0.5
    slots.acquire("a", no_time)


@pytest.fixture
def locked(server_url: str, api_directory: Path) -> Iterator[tuple[ApiClient, psycopg.Connection]]:
    """One process with two slots, whose statements about events wait for a lock."""
    settings = {"RONDO_API_WORKERS": "1", "RONDO_API_THREADS": "2", "RONDO_API_MAX_WAITING": "2"}
    with (
        postgres.fresh_database(server_url) as url,
        serve(api_directory, url, **settings) as api,
        psycopg.connect(url, autocommit=True) as watching,
        psycopg.connect(url) as locking,
    ):
        locking.execute("lock table event in access exclusive mode")
        yield api, watching


def waiting_statements(connection: psycopg.Connection) -> int:
    query = "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
    [(count,)] = connection.execute(query).fetchall()
    return int(count)


def await_statements(connection: psycopg.Connection, number: int) -> None:
    wait_until(
        lambda: waiting_statements(connection), f"{number} statements wait for a lock", lambda count: count == number
    )


def ask(api: ApiClient) -> http.client.HTTPConnection:
    address = urlsplit(api.url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=60)
    connection.request("GET", "/events/get_data")
    return connection


def test_health_is_served_and_requests_of_disconnected_clients_end(
    locked: tuple[ApiClient, psycopg.Connection],
) -> None:
    api, watching = locked
    asking = [ask(api) for _ in range(2)]
    await_statements(watching, 2)
    asking.append(ask(api))
    for path in ("/health", "/health/ready", "/health/live", "/prometheus", "/version"):
        assert api.get(path).status == 200
    for each in asking:
        assert each.sock is not None
        each.sock.shutdown(socket.SHUT_RDWR)
        each.close()
    await_statements(watching, 0)
    wait_until(api.log.read_text, "three requests are logged as 499", lambda text: text.count('"status": 499') >= 3)
