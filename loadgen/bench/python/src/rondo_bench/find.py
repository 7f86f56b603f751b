"""``./rondo bench find``: cost of finding names and tags, over HTTP, with a dedicated PostgreSQL."""

import argparse
import http.client
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import psycopg
from tests import api_server, postgres

from . import names
from .termination import clean_up_when_terminated, temporary_folder

Query = dict[str, str | list[str]]


@dataclass(frozen=True)
class TimedRequest:
    """A request; its query is for another machine each time, where it has one."""

    what: str
    path: str
    query: Callable[[str], Query]
    may_be_refused: bool = False


REQUESTS = [
    TimedRequest("top level", "/metrics/find", lambda m: {"query": "*"}),
    TimedRequest("machine", "/metrics/find", lambda m: {"query": f"load.{m}.*"}),
    TimedRequest("group of a machine", "/metrics/find", lambda m: {"query": f"load.{m}.cpu.*"}),
    TimedRequest("one name", "/metrics/find", lambda m: {"query": f"load.{m}.cpu.user"}),
    TimedRequest("2 500 leaves", "/metrics/find", lambda m: {"query": "shop.orders.*"}),
    TimedRequest("5 000 leaves", "/metrics/find", lambda m: {"query": "shop.carts.*"}),
    TimedRequest("5 000 branches", "/metrics/find", lambda m: {"query": "load.*"}),
    TimedRequest("10 of 5 000 branches", "/metrics/find", lambda m: {"query": f"load.{m[:-1]}*"}),
    TimedRequest("load.*.cpu.user", "/metrics/find", lambda m: {"query": "load.*.cpu.user", "format": "json"}),
    TimedRequest("load.m.**", "/metrics/find", lambda m: {"query": f"load.{m}.**", "format": "json"}),
    TimedRequest("**, refused", "/metrics/find", lambda m: {"query": "**"}, may_be_refused=True),
    TimedRequest("tags", "/tags/autoComplete/tags", lambda m: {"tagPrefix": ""}),
    TimedRequest("tags with expr", "/tags/autoComplete/tags", lambda m: {"expr": [f"host={m}"]}),
    TimedRequest("values", "/tags/autoComplete/values", lambda m: {"tag": "host", "valuePrefix": m[:-2]}),
    TimedRequest("values with expr", "/tags/autoComplete/values", lambda m: {"tag": "code", "expr": [f"host={m}"]}),
    TimedRequest(
        "values with wide expr", "/tags/autoComplete/values", lambda m: {"tag": "host", "expr": ["name=http.errors"]}
    ),
    TimedRequest(
        "values with wide regex", "/tags/autoComplete/values", lambda m: {"tag": "host", "expr": ["name=~http.*"]}
    ),
    TimedRequest("tags with wide expr", "/tags/autoComplete/tags", lambda m: {"expr": ["name=http.errors"]}),
    TimedRequest("findSeries", "/tags/findSeries", lambda m: {"expr": [f"host={m}", "code!=200"]}),
    TimedRequest("findSeries by regex", "/tags/findSeries", lambda m: {"expr": [f"host=~{m[:-1]}."]}),
    TimedRequest("all names", "/metrics/index.json", lambda m: {}),
]


@dataclass(frozen=True)
class Figure:
    """Milliseconds from the request to the last byte of its answer."""

    what: str
    bytes: int
    p50_ms: float
    p99_ms: float
    runs: int


class Client:
    """A client with one persistent connection."""

    def __init__(self, url: str) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=120)

    def send(self, path: str, query: Query, may_be_refused: bool = False) -> bytes:
        """Body of the response; raises :class:`RuntimeError` for an unexpected status."""
        self._connection.request("GET", f"{path}?{urlencode(query, doseq=True)}")
        response = self._connection.getresponse()
        body = response.read()
        if response.status != 200 and not (may_be_refused and response.status == 400):
            raise RuntimeError(f"{path} returned {response.status}: {body.decode()}")
        return body

    def figure(self, request: TimedRequest, machines: int, runs: int) -> Figure:
        """Send the request ``runs`` times, after two unmeasured ones."""
        choice = random.Random(request.what)
        durations_ms, length = [], 0
        for n in range(runs + 2):
            query = request.query(names.machine(choice.randrange(machines)))
            began = time.perf_counter()
            length = len(self.send(request.path, query, request.may_be_refused))
            if n > 1:
                durations_ms.append((time.perf_counter() - began) * 1000)
        return Figure(
            request.what,
            length,
            statistics.median(durations_ms),
            sorted(durations_ms)[len(durations_ms) * 99 // 100],
            len(durations_ms),
        )


def main() -> None:
    """Measure and print."""
    clean_up_when_terminated()
    parser = argparse.ArgumentParser(prog="./rondo bench find")
    parser.add_argument("--machines", type=int, default=names.MACHINES)
    parser.add_argument("--tagged", type=int, default=names.TAGGED)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with (
        temporary_folder("rondo-bench-find-") as folder,
        postgres.server(Path(folder)) as server,
        postgres.fresh_database(server) as url,
        psycopg.connect(url, autocommit=True) as connection,
    ):
        show_progress("writing series")
        began = time.perf_counter()
        series = names.fill(connection, arguments.machines, arguments.tagged)
        filled = time.perf_counter() - began
        with api_server.serve(Path(folder), url, RONDO_API_WORKERS="1") as api:
            client = Client(api.url)
            figures = []
            for request in REQUESTS:
                show_progress(request.what)
                runs = max(3, arguments.runs // 40) if request.what == "all names" else arguments.runs
                figures.append(client.figure(request, arguments.machines, runs))
            fresh = list(freshness(connection, client, series, 20))
    report(arguments.json, series, filled, figures, fresh)


def freshness(connection: psycopg.Connection, client: Client, series: int, times: int) -> Iterator[float]:
    """Milliseconds from the commit of a series below a new branch until a response contains it."""
    for n in range(times):
        names.add(connection, [{"name": f"new.branch{n}.leaf"}], series + n)
        committed = time.perf_counter()
        while f"branch{n}".encode() not in client.send("/metrics/find", {"query": "new.*"}):
            pass
        yield (time.perf_counter() - committed) * 1000


def show_progress(what: str) -> None:
    """Show progress on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\033[K{what} ...", end="", file=sys.stderr, flush=True)


def report(as_json: bool, series: int, filled: float, figures: list[Figure], fresh: list[float]) -> None:
    """Print the measurements and the load of the machine."""
    show_progress("")
    load = os.getloadavg()[0]
    if as_json:
        found = [figure.__dict__ for figure in figures]
        whole = {"series": series, "filled_s": filled, "load": load, "figures": found, "visible_ms": fresh}
        print(json.dumps(whole, indent=2))
        return
    print(f"{series} series, written in {filled:.1f} s; load of the machine {load:.1f}")
    print(f"{'what':24}{'bytes':>12}{'p50 ms':>10}{'p99 ms':>10}{'runs':>7}")
    for each in figures:
        print(f"{each.what:24}{each.bytes:12}{each.p50_ms:10.1f}{each.p99_ms:10.1f}{each.runs:7}")
    print(f"a new series is found after its commit: p50 {statistics.median(fresh):.1f} ms, most {max(fresh):.1f} ms")


if __name__ == "__main__":
    main()
