"""``./rondo bench query --moved``: cost of a response where series have moved, compared with one where none ever has.

Each case is a database with its own API, on one PostgreSQL. All have the same series and values, and each
response must be the same in all of them.
"""

import json
import os
import platform
import statistics
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from tests import postgres
from tests.api_server import serve

from .cpu_time import processor_ms_by_database
from .series_data import (
    MINUTE,
    NOW,
    SIX_HOURS,
    TEN_SECONDS,
    WIDTH,
    Group,
    locations_of_names,
    six_hours,
    store_archive,
    store_series,
)
from .termination import temporary_folder
from .timed_requests import Client, TimedRequest

NEVER, AGAIN, OTHERS, MOVED = "never", "never, again", "others moved", "moved once"
CASES = (NEVER, AGAIN, OTHERS, MOVED)
GROUP = Group("raw", 500, archives=((TEN_SECONDS, 2160), (MINUTE, 720)))
QUERIED = GROUP.paths[:250]
MOVED_AT = NOW - SIX_HOURS // 2
DAY = 24 * 3600
STARTS, ROUNDS = 5, 6


@dataclass(frozen=True)
class Samples:
    """CPU of API and PostgreSQL for one response, ms, by round; milliseconds until each response had arrived."""

    processor: list[float]
    times: list[float]

    @property
    def p50(self) -> float:
        """Median of the times."""
        return statistics.median(self.times)

    def over(self, other: "Samples") -> tuple[float, float, float]:
        """10th percentile, median and 90th of the rounds' ratios of CPU. In a round other load affects both."""
        ratios = [own / max(one, 0.001) for own, one in zip(self.processor, other.processor, strict=True)]
        deciles = statistics.quantiles(ratios, n=10, method="inclusive")
        return deciles[0], deciles[4], deciles[8]


def requests(runs: int) -> list[TimedRequest]:
    """List the requests, all for series of ``QUERIED``; expensive ones are sent less often."""

    def render(name: str, target: str | list[str], share: float, **more: int) -> TimedRequest:
        return TimedRequest(name, "/render", six_hours(target, **more), int(runs * share))

    return [
        render("one series, 6 h of 10 s", "raw.007", 5),
        render("panel of 10 names, maxDataPoints=1000", QUERIED[:10], 2, maxDataPoints=1000),
        render("sumSeries of 50, 6 h of 10 s", "sumSeries(raw.0[0-4]*)", 1),
        render("250 series, maxDataPoints=1000", "raw.[01]*", 0.2, maxDataPoints=1000),
    ]


def measure(runs: int, names: int, only: str, as_json: bool) -> None:
    """Measure and print."""
    with temporary_folder("rondo-bench-query-") as folder, ExitStack() as stack:
        server = stack.enter_context(postgres.server(Path(folder) / "postgres"))
        databases = {case: stack.enter_context(postgres.fresh_database(server)) for case in CASES}
        for case, database in databases.items():
            with psycopg.connect(database, autocommit=True) as connection:
                _store(connection, case, names)
        selected = [each for each in requests(runs) if only in each.name]
        samples = {each.name: {case: Samples([], []) for case in CASES} for each in selected}
        names_of = {case: urlsplit(url).path[1:] for case, url in databases.items()}
        starts = max(1, min(STARTS, runs // 20))  # processes of equal work differ by some percent
        for _ in range(starts):
            with _clients(Path(folder), databases) as clients:
                for each in selected:
                    _sample(each, max(1, each.runs // (starts * ROUNDS)), clients, names_of, samples[each.name])
    _print(names, samples, as_json)


def _store(connection: psycopg.Connection, case: str, names: int) -> None:
    """Store the series; those that have moved did so three hours ago, from a policy with the same archives."""
    queried = set(QUERIED)
    for policy, locations in ((GROUP.name, GROUP.locations()), ("names", locations_of_names(names))):
        others = [path for path in locations if path not in queried]
        moved = {AGAIN: set(), NEVER: set(), OTHERS: set(others[::2]), MOVED: queried}[case]
        store_series(connection, policy, {path: at for path, at in locations.items() if path not in moved})
        store_series(connection, f"former {policy}", {path: at for path, at in locations.items() if path in moved})
    for step, size in GROUP.archives:
        store_archive(connection, GROUP.name, GROUP.locations(), step, size)
        if case in (OTHERS, MOVED):
            store_archive(connection, f"former {GROUP.name}", GROUP.locations(), step, size)
    connection.execute(
        "update rra_bundle set first = to_timestamp(%(now)s - size * step_ms / 1000 + step_ms / 1000),"
        " latest = to_timestamp(case when policy like 'former %%' then %(moved)s else %(now)s end)",
        {"now": NOW, "moved": MOVED_AT},
    )
    if case in (OTHERS, MOVED):
        _change_policy(connection)
        connection.execute(
            "update ds set policy = substr(policy, length('former ') + 1), starts_at = to_timestamp(%s)"
            " where policy like 'former %%'",
            (MOVED_AT,),
        )
    connection.execute("vacuum analyze")


def _change_policy(connection: psycopg.Connection) -> None:
    """Give the policy a former archive that can still be read: its last slots are eight hours old."""
    connection.execute(
        "insert into rra_bundle (policy, cf, step_ms, size, width, xff, first, latest)"
        " values (%s, 'wmean', %s, %s, %s, 0.5, to_timestamp(%s), to_timestamp(%s))",
        (GROUP.name, MINUTE * 1000, 2 * DAY // MINUTE, WIDTH, NOW - DAY, NOW - 8 * 3600),
    )


@contextmanager
def _clients(folder: Path, databases: Mapping[str, str]) -> Iterator[dict[str, Client]]:
    with ExitStack() as stack:
        yield {
            case: Client(stack.enter_context(serve(folder, url, RONDO_API_CACHE_SECONDS="0")).url)
            for case, url in databases.items()
        }


def _sample(
    request: TimedRequest,
    in_round: int,
    clients: Mapping[str, Client],
    names_of: Mapping[str, str],
    samples: Mapping[str, Samples],
) -> None:
    """Add rounds of ``in_round`` requests to each case, in turn, each round in another order."""
    for _ in range(8):  # both processes of each API know the names then, and have connections
        if len({client.send(request)[1] for client in clients.values()}) != 1:
            raise RuntimeError(f"{request.name}: responses differ")
    order = list(clients)
    for n in range(ROUNDS):
        order = order[::-1] if n % 2 else order[1:] + order[:1]
        before = processor_ms_by_database(names_of)
        for _ in range(in_round):
            for case in order:
                samples[case].times.append(clients[case].send(request)[0])
        after = processor_ms_by_database(names_of)
        for case in order:
            samples[case].processor.append((after[case] - before[case]) / in_round)


def _print(names: int, found: Mapping[str, Mapping[str, Samples]], as_json: bool) -> None:
    about = {
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
        "names": names,
        "series": GROUP.count,
    }
    if as_json:
        results = {
            name: {case: _described(samples, by_case[NEVER]) for case, samples in by_case.items()}
            for name, by_case in found.items()
        }
        print(json.dumps({**about, "questions": results}, indent=2))
        return
    print(", ".join(f"{name} {value}" for name, value in about.items()))
    print("ms: p50 until the client has the whole response; CPU: ms of API and PostgreSQL for one response")
    print("ratio: CPU over that of the first, median of the rounds (10th to 90th percentile); p50 over its p50\n")
    print(f"{'':40}{'never moved':^14}" + "".join(f"{case:^31}" for case in CASES[1:]))
    print(f"{'':40}{'p50':>7}{'CPU':>7}" + f"{'CPU ratio':>24}{'p50':>7}" * len(CASES[1:]))
    for name, by_case in found.items():
        never = by_case[NEVER]
        line = f"{name:40}{never.p50:7.1f}{statistics.median(never.processor):7.1f}"
        for case in CASES[1:]:
            low, median, high = by_case[case].over(never)
            line += f"{f'{median:.3f} ({low:.3f} to {high:.3f})':>24}{by_case[case].p50 / never.p50:7.2f}"
        print(line)


def _described(samples: Samples, never: Samples) -> dict[str, Any]:
    low, median, high = samples.over(never)
    return {
        "p50": samples.p50,
        "processor": statistics.median(samples.processor),
        "p50_ratio": samples.p50 / never.p50,
        "processor_ratio": {"p10": low, "p50": median, "p90": high},
    }
