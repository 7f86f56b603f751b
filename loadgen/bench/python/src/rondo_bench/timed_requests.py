"""Timed HTTP requests."""

import http.client
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from .cpu_time import processor_ms


@dataclass(frozen=True)
class TimedRequest:
    """A named request, and how often it is sent to each server."""

    name: str
    path: str
    query: dict[str, str | int | list[str]]
    runs: int


class Client:
    """A client with one persistent connection."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=120)

    def send(self, request: TimedRequest) -> tuple[float, bytes]:
        """Milliseconds until the whole response has arrived, and its body."""
        target = f"{request.path}?{urlencode(request.query, doseq=True)}"
        began = time.perf_counter()
        try:
            body = self._get(target)
        except (http.client.RemoteDisconnected, ConnectionError):  # the server has closed the idle connection
            self._connection.close()
            began = time.perf_counter()
            body = self._get(target)
        return (time.perf_counter() - began) * 1000, body

    def _get(self, target: str) -> bytes:
        self._connection.request("GET", target)
        response = self._connection.getresponse()
        body = response.read()
        if response.status != http.client.OK:
            raise RuntimeError(f"{target} returned {response.status}: {body[:300]!r}")
        return body


@dataclass(frozen=True)
class Figures:
    """Milliseconds until the response has arrived, CPU time of the servers for it (ms), and its size (bytes)."""

    p50: float
    p99: float
    processor: float
    size: int
    per_second: float | None = None


def figures(times: Sequence[float], processor: float, size: int, seconds: float | None = None) -> Figures:
    """Figures from the durations (ms) and the total CPU time (ms).

    With the total elapsed seconds, also the number of requests in one second.
    """
    ordered = sorted(times)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return Figures(ordered[len(ordered) // 2], p99, processor / len(times), size, seconds and len(times) / seconds)


def alternately(request: TimedRequest, clients: Mapping[str, Client]) -> dict[str, Figures]:
    """Figures of each server; requests alternate between them, so that other load affects all of them."""
    times: dict[str, list[float]] = {name: [] for name in clients}
    sizes = {name: [len(client.send(request)[1]) for _ in range(3)][-1] for name, client in clients.items()}
    before = processor_ms()
    for _ in range(request.runs):
        for name, client in clients.items():
            times[name].append(client.send(request)[0])
    after = processor_ms()
    return {name: figures(times[name], after[name] - before[name], sizes[name]) for name in clients}


def dashboard(panels: Sequence[TimedRequest], urls: Mapping[str, str], rounds: int) -> dict[str, Figures]:
    """Figures of each server for a page whose panels are all requested at once, each over a new connection.

    A duration is that of the whole page, from its first request to its last response. Pages alternate between servers.
    """
    times: dict[str, list[float]] = {name: [] for name in urls}
    sizes = dict.fromkeys(urls, 0)
    before = processor_ms()
    for _ in range(rounds):
        for name, url in urls.items():
            clients = [Client(url) for _ in panels]
            began = time.perf_counter()
            with ThreadPoolExecutor(len(panels)) as threads:
                bodies = list(threads.map(lambda client, panel: client.send(panel)[1], clients, panels))
            times[name].append((time.perf_counter() - began) * 1000)
            sizes[name] = sum(map(len, bodies))
    after = processor_ms()
    return {name: figures(times[name], after[name] - before[name], sizes[name]) for name in urls}


def at_once(request: TimedRequest, server: str, url: str, clients: int) -> Figures:
    """Figures of ``clients`` concurrent clients without pauses, ``request.runs`` requests in total, at least ten each.

    Each client has sent one request before, so that no server opens connections meanwhile.
    """
    times: list[float] = []
    sizes: list[int] = []
    ready = threading.Barrier(clients + 1, timeout=120)

    def ask() -> None:
        client = Client(url)
        client.send(request)
        ready.wait()
        for _ in range(max(10, request.runs // clients)):
            taken, body = client.send(request)
            times.append(taken)
            sizes.append(len(body))

    with ThreadPoolExecutor(clients) as threads:
        running = [threads.submit(ask) for _ in range(clients)]
        ready.wait()
        before, began = processor_ms()[server], time.perf_counter()
        for each in running:
            each.result()
        seconds = time.perf_counter() - began
    return figures(times, processor_ms()[server] - before, max(sizes, default=0), seconds)
