"""Clients that send slowly, send nothing or do not read hold no threads, and connections for a time only."""

import http.client
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from gunicorn.config import Config
from gunicorn.http.errors import NoMoreData, ParseException
from gunicorn.http.message import Request
from gunicorn.http.unreader import IterUnreader
from hypothesis import given, settings
from hypothesis import strategies as st

from rondo_query_api.connections.received import MAX_HEAD_BYTES, Received, RefusedError

from .api_server import ApiClient, serve
from .examples import examples
from .waiting import wait_until

T = 1_700_006_400
HEAD = "POST /render HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
ASKED = b"GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n"
# More than the threads of the server, and more than its slots.
MANY = 12
ONE_PROCESS = {"RONDO_API_WORKERS": "1", "RONDO_API_THREADS": "2", "RONDO_API_MAX_WAITING": "2"}


class Clients:
    """Opens connections from any local address, with a small window, so that they soon accept nothing more."""

    def __init__(self, api: ApiClient, stack: ExitStack) -> None:
        parts = urlsplit(api.url)
        self._server = parts.hostname or "", parts.port or 0
        self._stack = stack

    def open(self, sent: bytes = b"", address: str = "127.0.0.2") -> socket.socket:
        connection = self._stack.enter_context(socket.socket())
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(120)
        connection.bind((address, 0))
        connection.connect(self._server)
        connection.sendall(sent)
        return connection


@pytest.fixture(scope="module")
def slow_api(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiClient]:
    with serve(tmp_path_factory.mktemp("slow"), database_url, **ONE_PROCESS) as api:
        yield api


@pytest.fixture
def clients(slow_api: ApiClient) -> Iterator[Clients]:
    with ExitStack() as stack:
        yield Clients(slow_api, stack)


def points(number: int) -> bytes:
    """Request for so many points, which are a response of 25 bytes each."""
    query = {"target": "time('t',1)", "from": T, "until": T + number, "now": T + number, "format": "json"}
    return f"GET /render?{urlencode(query)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


@pytest.mark.parametrize(
    "sent",
    ["", "GET /version HTTP/1.1\r\nHost: local", f"{HEAD}Content-Length: 100\r\n\r\ntarget="],
    ids=["silent", "half a head", "half a body"],
)
def test_a_client_that_does_not_send_holds_no_thread(slow_api: ApiClient, clients: Clients, sent: str) -> None:
    for _ in range(MANY):
        clients.open(sent.encode())
    assert slow_api.get("/version").status == 200


def test_a_client_that_does_not_read_holds_no_thread(slow_api: ApiClient, clients: Clients) -> None:
    for _ in range(MANY):
        assert clients.open(points(300_000)).recv(12) == b"HTTP/1.1 200"
    assert slow_api.get("/version").status == 200


def test_an_unread_streamed_response_gives_way(slow_api: ApiClient, clients: Clients) -> None:
    for connection in [clients.open(points(600_000), f"127.0.0.{n}") for n in (3, 4)]:
        assert connection.recv(12) == b"HTTP/1.1 200"
    assert slow_api.get("/render", target="a", format="json").status == 200


def test_a_client_that_does_not_read_many_responses_loses_some(database_url: str, api_directory: Path) -> None:
    """Together they would exhaust the memory of the process, which also serves other clients."""
    memory = {"RONDO_API_WORKER_MEMORY_BYTES": "320000000"}  # an eighth of it are four responses
    with serve(api_directory, database_url, **ONE_PROCESS, **memory) as api, ExitStack() as stack:
        clients = Clients(api, stack)
        another = clients.open(points(450_000), "127.0.0.3")
        assert another.recv(1) == b"H"
        many = [clients.open(points(450_000)) for _ in range(MANY)]
        assert [each.recv(1) for each in many] == [b"H"] * MANY
        wait_until(lambda: api.get("/version").status, "an answer", lambda status: status == 200)
        assert is_whole(another)
        assert 1 <= sum(map(is_whole, many)) <= 8  # sockets hold some of each, too


def is_whole(connection: socket.socket) -> bool:
    """Whether all of a response arrives, whose first byte was read."""
    received = bytearray()
    with suppress(ConnectionResetError):
        while not received.endswith(b"]]}]") and (part := connection.recv(1 << 20)):
            received += part
    return received.endswith(b"]]}]")


def test_a_slow_reader_gets_all(clients: Clients) -> None:
    connection = clients.open(points(300_000))
    response = http.client.HTTPResponse(connection)
    response.begin()
    assert len(response.read()) == int(response.headers["Content-Length"]) > 5_000_000


def test_connections_are_closed_in_time(database_url: str, api_directory: Path) -> None:
    timeout = {"RONDO_API_REQUEST_TIMEOUT_MS": "3000"}
    with serve(api_directory, database_url, **ONE_PROCESS, **timeout) as api, ExitStack() as stack:
        clients = Clients(api, stack)
        unread = clients.open(points(200_000))
        unfinished = ("", "GET / HTTP/1.1\r\nHost: l", f"{HEAD}Content-Length: 9\r\n\r\n")
        for connection in [clients.open(sent.encode()) for sent in unfinished]:
            assert connection.recv(1) == b""
        counted = 'rondo_query_refused_requests_total{setting="request_timeout_ms"} 3.0'
        wait_until(
            lambda: api.get("/prometheus").text, "head, body and response are given up", lambda text: counted in text
        )
        response = http.client.HTTPResponse(unread)
        response.begin()
        with pytest.raises((http.client.IncompleteRead, ConnectionResetError)):
            response.read()


def test_an_address_has_its_limit_and_a_trusted_proxy_none(database_url: str, api_directory: Path) -> None:
    limits = {"RONDO_API_ADDRESS_CONNECTIONS": "3", "RONDO_API_REQUEST_TIMEOUT_MS": "600000"}
    with serve(api_directory, database_url, **ONE_PROCESS, **limits) as api, ExitStack() as stack:
        clients = Clients(api, stack)
        first, *others = [clients.open() for _ in range(4)]
        proxied = [clients.open(address="127.0.0.1") for _ in range(MANY)]
        assert first.recv(1) == b""
        for connection in [*others, *proxied]:
            connection.sendall(ASKED)
            assert connection.recv(4) == b"HTTP"
        assert 'rondo_query_refused_requests_total{setting="address_connections"} 1.0' in api.get("/prometheus").text


def test_a_connection_is_used_again(clients: Clients) -> None:
    connection = clients.open(ASKED * 3)
    for _ in range(3):
        assert answer(connection) == (200, b"1.1.10\n")
    connection.sendall(ASKED)
    assert answer(connection)[0] == 200


@pytest.mark.parametrize(
    ("sent", "status", "text"),
    [
        (f"{HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411, b"the body has no Content-Length\n"),
        (f"{HEAD}Content-Length: {49:025d}\r\n\r\nGET /version HTTP/1.1", 400, b"no single Content-Length"),
        (f"{HEAD}Content-Length: 999999999\r\n\r\ntarget=a", 413, b"RONDO_API_MAX_BODY_BYTES"),
        (f"GET / HTTP/1.1\r\nX: {'x' * MAX_HEAD_BYTES}", 431, b"the head exceeds"),
    ],
)
def test_a_request_without_a_usable_length_is_answered_at_once(
    clients: Clients, sent: str, status: int, text: bytes
) -> None:
    connection = clients.open(sent.encode())
    answered, body = answer(connection)
    assert (answered, text in body) == (status, True)
    assert connection.recv(1) == b""


def test_a_client_may_expect_continue_before_a_body(clients: Clients) -> None:
    body = b"target=a&format=json"
    connection = clients.open(f"{HEAD}Expect: 100-continue\r\nContent-Length: {len(body)}\r\n\r\n".encode())
    assert connection.recv(25) == b"HTTP/1.1 100 Continue\r\n\r\n"
    connection.sendall(body)
    assert answer(connection) == (200, b"[]")


def answer(connection: socket.socket) -> tuple[int, bytes]:
    # One byte at a time, so that nothing of the next response is read.
    head = b""
    while not head.endswith(b"\r\n\r\n") or head.startswith(b"HTTP/1.1 100"):
        head = b"" if head.endswith(b"\r\n\r\n") else head
        head += connection.recv(1)
    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
    body = b""
    while len(body) < length:
        body += connection.recv(length - len(body))
    return int(head.split()[1]), body


@settings(max_examples=examples(200))
@given(st.binary(max_size=300), st.lists(st.integers(1, 400), max_size=20), st.binary(max_size=50))
def test_a_request_is_whole_with_its_last_byte(body: bytes, cuts: list[int], after: bytes) -> None:
    whole = f"{HEAD}content-LENGTH:  {len(body)} \r\n\r\n".encode() + body
    received = Received(most=1000)
    begin = 0
    for end in [*sorted(cut for cut in cuts if cut < len(whole)), len(whole)]:
        received.add(whole[begin:end])
        assert received.is_ready == received.is_whole == (end == len(whole))
        begin = end
    received.add(after)
    assert received.take() == whole + after
    assert (len(received), received.has_head) == (0, False)


DIGITS = st.builds(lambda zeros, length: "0" * zeros + str(length), st.integers(0, 30), st.integers(0, 99))
LENGTHS = DIGITS | st.sampled_from(["+7", "-7", "7,7", "7 7", "0x7", "7_0", "", "²"])
NAMES = st.sampled_from(["Content-Length", "content-length", "Content-Length ", "Content_Length"])
SPACES = st.sampled_from(["", " ", "\t", "\r", "\v"])
LENGTH_FIELDS = st.tuples(NAMES, st.just(":"), SPACES, LENGTHS, SPACES).map("".join)
OTHER_FIELDS = st.sampled_from(["Transfer-Encoding: chunked", "Transfer-Encoding: identity", "X: a", "X:", " folded"])


@settings(max_examples=examples(500))
@given(st.lists(LENGTH_FIELDS | OTHER_FIELDS, max_size=2), st.sampled_from(["\r\n", "\n"]))
def test_a_request_ends_where_gunicorn_ends_it(fields: list[str], line_end: str) -> None:
    """Otherwise a body would be a separate request."""
    head = "\r\n".join(["POST /render HTTP/1.1", line_end.join(["Host: localhost", *fields])]) + "\r\n\r\n"
    sent = head.encode("latin-1") + b"7 bytes" + b"x" * 100
    received = Received(most=1000)
    with suppress(RefusedError):
        received.add(sent)
        assert not received.is_whole or gunicorn_ends(sent) in (None, received.end)


def gunicorn_ends(sent: bytes) -> int | None:
    """Bytes that gunicorn reads as one request, ``None`` if it refuses it."""
    unreader = IterUnreader(iter([sent]))
    try:
        message = Request(Config(), unreader, ("127.0.0.2", 1))
    except (ParseException, NoMoreData):
        return None
    message.body.read()
    return len(sent) - len(unreader.take_buffered())


def test_a_head_without_end_is_refused() -> None:
    received = Received(most=1000)
    received.add(b"x" * MAX_HEAD_BYTES)
    with pytest.raises(RefusedError, match="the head exceeds 65536 bytes"):
        received.add(b"x")
