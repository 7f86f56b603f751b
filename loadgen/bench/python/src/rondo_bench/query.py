"""``./rondo bench query``: duration of /render and /metrics/find, compared with a graphite-web on whisper files.

With ``--moved`` the cost of series that have moved, compared with those that have not: ``moved.py``.
"""

import argparse
import json
import os
import platform
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psycopg
from tests import postgres
from tests.api_server import serve
from tests.differential import graphite_web

from . import moved
from .series_data import GROUPS, six_hours, store, whisper
from .termination import clean_up_when_terminated, temporary_folder
from .timed_requests import Client, Figures, TimedRequest, alternately, at_once, dashboard

CLIENTS = 16
PANELS, SERIES_OF_PANEL = 20, 10
DASHBOARD = f"dashboard of {PANELS} x {SERIES_OF_PANEL} series"


def requests(runs: int) -> list[TimedRequest]:
    """List the requests and how often each is sent; expensive ones less often."""

    def render(name: str, target: str, share: float = 1.0, **more: str | int) -> TimedRequest:
        return _render(name, target, max(5, int(runs * share)), **more)

    return [
        render("one series, 6 h of 10 s", "fifty.007"),
        render("sumSeries of 24, 6 h of 60 s", "sumSeries(minutes.*)"),
        render("sumSeries of 50, 6 h of 10 s", "sumSeries(fifty.*)", 0.5),
        render("the same, each in a separate segment", "sumSeries(apart.*)", 0.5),
        render("movingAverage of 50, 6 h of 10 s", "movingAverage(fifty.*,10)", 0.1),
        render("500 series, maxDataPoints=1000", "raw.*", 0.05, maxDataPoints=1000),
        render("500 series, 6 h of 10 s", "raw.*", 0.05),
        TimedRequest("find of a level of 100", "/metrics/find", {"query": "names.r00.*"}, runs),
    ]


def panels() -> list[TimedRequest]:
    """List the requests of a dashboard as Grafana sends them: one for each panel, with a target for each series."""
    paths = next(group.paths for group in GROUPS if group.name == "raw")
    firsts = range(0, PANELS * SERIES_OF_PANEL, SERIES_OF_PANEL)
    return [_render(DASHBOARD, paths[n : n + SERIES_OF_PANEL], 1, maxDataPoints=1000) for n in firsts]


def _render(name: str, target: str | list[str], runs: int, **more: str | int) -> TimedRequest:
    return TimedRequest(name, "/render", six_hours(target, **more), runs)


def main() -> None:
    """Measure and print."""
    clean_up_when_terminated()
    options = _options()
    if options.moved:
        moved.measure(options.runs, options.names, options.only, options.json)
        return
    with temporary_folder("rondo-bench-query-") as folder, ExitStack() as stack:
        urls = {"rondo": stack.enter_context(_rondo(Path(folder), options))}
        if not options.alone:
            urls["graphite-web"] = stack.enter_context(_graphite_web(Path(folder), options.names))
        _print(options, _measured(options, urls))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./rondo bench query")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--names", type=int, default=500_000)
    parser.add_argument("--only", default="")
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--alone", action="store_true")
    kinds.add_argument("--moved", action="store_true")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


@contextmanager
def _rondo(folder: Path, options: argparse.Namespace) -> Iterator[str]:
    with ExitStack() as stack:
        server = stack.enter_context(postgres.server(folder / "postgres"))
        database = stack.enter_context(postgres.fresh_database(server))
        with psycopg.connect(database, autocommit=True) as connection:
            store(connection, options.names)
        yield stack.enter_context(serve(folder, database, RONDO_API_CACHE_SECONDS="0")).url  # compute each response


@contextmanager
def _graphite_web(folder: Path, names: int) -> Iterator[str]:
    """Start graphite-web with a file for each name; the files of ``names`` are empty, since find does not open them."""
    directory = folder / "graphite-web"
    directory.mkdir()
    for n in range(0, names, 50):
        host = directory / "whisper" / "names" / f"r{n // 5000:02}" / f"h{n // 50 % 100:02}"
        host.mkdir(parents=True)
        for m in range(min(50, names - n)):
            (host / f"m{m:02}.wsp").touch()
    with graphite_web.serve(directory, list(whisper())) as client:
        yield client.url


def _measured(options: argparse.Namespace, urls: dict[str, str]) -> dict[str, dict[str, Figures]]:
    found: dict[str, dict[str, Figures]] = {}
    if options.only in DASHBOARD:
        for label, rounds in ((f"{DASHBOARD}, cold", 1), (f"{DASHBOARD}, again", max(5, options.runs // 10))):
            found[label] = dashboard(panels(), urls, rounds)
    clients = {name: Client(url) for name, url in urls.items()}
    selected = [each for each in requests(options.runs) if options.only in each.name]
    for request in selected:
        found[request.name] = alternately(request, clients)
    for request in selected[:3]:
        found[f"{CLIENTS} clients: {request.name}"] = {
            name: at_once(request, name, url, CLIENTS) for name, url in urls.items()
        }
    return found


def _print(options: argparse.Namespace, found: dict[str, dict[str, Figures]]) -> None:
    about = {
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "names": options.names,
        "series": sum(group.count for group in GROUPS),
    }
    if options.json:
        results: dict[str, Any] = {
            name: {server: asdict(figures) for server, figures in by_server.items()}
            for name, by_server in found.items()
        }
        print(json.dumps({**about, "questions": results}, indent=2))
        return
    print(", ".join(f"{name} {value}" for name, value in about.items()))
    print("ms until the client has the whole response; CPU: ms of all processes of the server for one response\n")
    print(f"{'':50}{'Rondo':^30}{'graphite-web 1.1.10':^30}{'that / Rondo':>14}")
    print(
        f"{'':43}{'KB':>7}{'p50':>8}{'p99':>8}{'CPU':>7}{'/s':>7}{'p50':>8}{'p99':>8}{'CPU':>7}{'/s':>7}{'p50':>7}{'CPU':>7}"
    )
    for name, by_server in found.items():
        own, other = by_server["rondo"], by_server.get("graphite-web")
        line = f"{name:43}{own.size / 1000:7.0f}{_columns(own)}"
        if other:
            line += f"{_columns(other)}{other.p50 / own.p50:7.1f}{other.processor / max(own.processor, 0.01):7.1f}"
        print(line)


def _columns(figures: Figures) -> str:
    rate = "" if figures.per_second is None else f"{figures.per_second:.0f}"
    return f"{figures.p50:8.1f}{figures.p99:8.1f}{figures.processor:7.1f}{rate:>7}"


if __name__ == "__main__":
    main()
