"""``./rondo bench abuse``: eight clients abuse the API, while a ninth requests a plain dashboard.

First they hold connections: silent ones, slow heads and bodies, responses that they do not read. Then they send the
worst allowed requests. Each client has its own address (127.0.0.x). The exit code is 1 if in either part the p99
of the ninth is a second or more or one of its requests failed, or if a process of the server was killed.
"""

import argparse
import http.client
import json
import os
import platform
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import psycopg
from tests import postgres
from tests.api_server import serve

from .series_data import NOW, six_hours, store
from .slow_clients import Address
from .termination import clean_up_when_terminated, temporary_folder

CLIENTS = 8
PANELS = 6
LIMIT_MS = 1000.0
Request = tuple[str, dict[str, Any]]


def worst() -> list[Request]:
    """List requests that cost as much as one may."""
    year = {"from": NOW - 8_000_000, "until": NOW, "now": NOW, "noCache": "1"}

    def render(target: str, **more: Any) -> Request:
        return "/render", {**six_hours(target), "noCache": "1", **more}

    return [
        ("/tags/findSeries", {"expr": "name=~(?:|){26}(?=b)"}),
        ("/tags/findSeries", {"expr": ["name=~.", "host!=~(a|aa)+$"]}),
        ("/tags/autoComplete/values", {"tag": "name", "expr": "name=~.*9.*9.*9.*9"}),
        ("/metrics/index.json", {}),
        ("/metrics/find", {"query": "**.*9*"}),
        ("/metrics/expand", {"query": [f"names.*.*{n}*.*" for n in range(50)]}),
        render("seriesByTag('name=~.')"),
        render("movingMedian(raw.*,500)"),
        render("grep(raw.*,'(.*)*(.*)*(.*)*z|(a|aa)+$')"),
        render("aliasSub(raw.*,'(.*)','" + r"\1" * 40 + "')"),
        render("sortByTotal(" * 50 + "raw.*" + ")" * 50),
        render("holtWintersForecast(raw.*)"),
        render("group(" + ",".join(["raw.*"] * 90) + ")"),
        render("raw.*", format="rickshaw"),
        render("raw.*", format="csv"),
        render("raw.*", format="pickle"),
        render("raw.*", format="svg", width=4000, height=4000),
        ("/render", {**year, "target": "time('t',1)", "format": "json"}),
        ("/render", {**year, "target": "timeSlice(time('t',2),'-1d')", "format": "raw"}),
        ("/render", {**year, "target": "exponentialMovingAverage(sin('t',1,2),100)", "format": "json"}),
    ]


class Client:
    """A client with its own address: the statuses that it received, and the milliseconds of each response."""

    def __init__(self, url: str, number: int) -> None:
        parts = urlsplit(url)
        self._server = parts.hostname or "", parts.port
        self._source = f"127.0.0.{number + 2}", 0
        self.statuses: Counter[int | str] = Counter()
        self.times: list[float] = []

    def send(self, request: Request) -> float:
        """Milliseconds until the whole response has arrived; those without an answer count as ``lost``."""
        path, query = request
        began = time.perf_counter()
        connection = http.client.HTTPConnection(*self._server, timeout=120, source_address=self._source)
        try:
            body = urlencode(query, doseq=True)
            connection.request("POST", path, body, {"Content-Type": "application/x-www-form-urlencoded"})
            response = connection.getresponse()
            while response.read(1 << 20):
                pass
            self.statuses[response.status] += 1
        except (OSError, http.client.HTTPException):
            self.statuses["lost"] += 1
        finally:
            connection.close()
        took = (time.perf_counter() - began) * 1000
        self.times.append(took)
        return took


def main() -> None:
    """Measure and print."""
    clean_up_when_terminated()
    options = _options()
    with temporary_folder("rondo-bench-abuse-") as folder:
        found = _measured(Path(folder), options)
    if options.json:
        print(json.dumps(found, indent=2))
    else:
        for name, value in found.items():
            print(f"{name:28}{value}")
    sys.exit(found["failed"])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./rondo bench abuse")
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--names", type=int, default=500_000)
    parser.add_argument("--connections", type=int, default=30, help="of each kind and address, held open")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def _measured(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    with postgres.server(folder / "postgres") as server, postgres.fresh_database(server) as url:
        with psycopg.connect(url, autocommit=True) as connection:
            store(connection, options.names)
        with serve(folder, url) as api:
            beside_slow, addresses = _beside_slow(api.url, options)
            beside_worst, abusers = _beside_worst(api.url, options)
            log = api.log.read_text()
    # A worker that exits by itself logs that; the arbiter logs it for a killed one.
    killed = log.count("was sent SIG")
    return {
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
        "names": options.names,
        "seconds": options.seconds,
        **_figures("beside_slow", beside_slow),
        "slow_opened": dict(sum((each.opened for each in addresses), Counter())),
        "slow_closed": dict(sum((each.closed for each in addresses), Counter())),
        **_figures("beside_worst", beside_worst),
        "worst_requests": sum(len(each.times) for each in abusers),
        "worst_p50_ms": _share([took for each in abusers for took in each.times], 0.5),
        "worst_max_ms": round(max(took for each in abusers for took in each.times), 1),
        "worst_statuses": dict(sum((each.statuses for each in abusers), Counter())),
        "replaced": log.count("and is replaced"),
        "killed": killed,
        "failed": killed > 0 or any(map(_is_slow_or_failed, (beside_slow, beside_worst))),
    }


def _figures(name: str, plain: Client) -> dict[str, Any]:
    return {
        f"{name}_requests": len(plain.times),
        f"{name}_p50_ms": _share(plain.times, 0.5),
        f"{name}_p99_ms": _share(plain.times, 0.99),
        f"{name}_max_ms": round(max(plain.times), 1),
        f"{name}_statuses": dict(plain.statuses),
    }


def _is_slow_or_failed(plain: Client) -> bool:
    return _share(plain.times, 0.99) >= LIMIT_MS or set(plain.statuses) != {http.client.OK}


Abuse = Callable[[int, Callable[[], bool], threading.Barrier], None]


def _beside_slow(url: str, options: argparse.Namespace) -> tuple[Client, Sequence[Address]]:
    """Let the clients hold connections; the ninth begins once each has been opened."""
    addresses = [Address(url, n, options.connections) for n in range(CLIENTS)]
    return _beside(url, options, lambda n, is_done, began: addresses[n].hold(is_done, began)), addresses


def _beside_worst(url: str, options: argparse.Namespace) -> tuple[Client, Sequence[Client]]:
    """Let the clients ask; the ninth begins once each of the others has had its first response."""
    abusers = [Client(url, n) for n in range(CLIENTS)]

    def abuse(n: int, is_done: Callable[[], bool], began: threading.Barrier) -> None:
        choose = random.Random(options.seed * 100 + n)
        requests = worst()
        abusers[n].send(choose.choice(requests))
        began.wait()
        while not is_done():
            abusers[n].send(choose.choice(requests))

    return _beside(url, options, abuse), abusers


def _beside(url: str, options: argparse.Namespace, abuse: Abuse) -> Client:
    """Ask for the plain dashboard once each client has begun its abuse; end the abuse afterwards."""
    began, done = threading.Barrier(CLIENTS + 1, timeout=300), threading.Event()
    with ThreadPoolExecutor(CLIENTS) as threads:
        abusing = [threads.submit(abuse, n, done.is_set, began) for n in range(CLIENTS)]
        try:
            began.wait()
            plain = _plain(url, options.seconds)
        finally:
            done.set()
        for each in abusing:
            each.result()
    return plain


def _plain(url: str, seconds: float) -> Client:
    """Ask for a dashboard repeatedly."""
    plain = Client(url, CLIENTS)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for n in range(PANELS):
            plain.send(("/render", {**six_hours(f"fifty.{n:03}"), "maxDataPoints": 1000}))
        time.sleep(0.2)  # a dashboard refreshes itself; the clients that abuse do not pause
    return plain


def _share(times: Sequence[float], share: float) -> float:
    ordered = sorted(times)
    return round(ordered[min(len(ordered) - 1, int(len(ordered) * share))], 1)


if __name__ == "__main__":
    main()
