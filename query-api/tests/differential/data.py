"""Series for both servers: as whisper files, and as points for policies in Whisper mode."""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

# 2023-11-15 13:00 UTC, a Wednesday: the time of all requests, and of the newest point of each series.
NOW = 1_700_053_200
MINUTE, HOUR, DAY = 60, 3600, 86_400
Value = Callable[[int], float | None]
Archives = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Stored:
    """A series with a point each step of its finest archive; archives are (step s, slots), finest first.

    ``aggregate`` is the function of the others, by its name in both servers.
    """

    path: str
    archives: Archives
    points: dict[int, float]
    aggregate: str = "average"

    @property
    def name(self) -> str:
        """Path without tags."""
        return self.path.partition(";")[0]

    def whisper(self) -> dict[str, Any]:
        """As graphite-web's loader takes it."""
        return {
            "path": self.path,
            "archives": with_room(self.archives),
            "points": self.sent(),
            "aggregate": self.aggregate,
        }

    def sent(self) -> list[tuple[int, float]]:
        """Points in order; an additional one, after the time of all requests, closes slots."""
        return [*sorted(self.points.items()), (NOW + coarsest(self.archives), 0.0)]

    def lines(self) -> Iterator[bytes]:
        """As Graphite's collectors send it."""
        return (f"{self.path} {value!r} {time}".encode() for time, value in self.sent())

    def known_slots(self) -> int:
        """How many slots of all archives, without their room, are known."""
        return sum(
            len({time // step for time in self.points if time >= NOW - step * size + step})
            for step, size in self.archives
        )


# Events, as they are posted.
EVENTS = [
    {"what": "deploy of web", "tags": ["deploy", "web"], "data": "by ann", "when": NOW - 7200},
    {"what": "deploy of db", "tags": "deploy db", "data": "", "when": NOW - 1800},
    {"what": "again", "tags": ["deploy", "web"], "data": "", "when": NOW - 1800},
    {"what": "quake", "tags": [], "data": "5.1", "when": NOW - 900},
]


def coarsest(archives: Archives) -> int:
    """Seconds from the newest point to one that shares no slot with it."""
    return archives[-1][0]


def with_room(archives: Archives) -> Archives:
    """Lengthen archives, so that the additional point overwrites no other one."""
    return tuple((step, size + coarsest(archives) // step) for step, size in archives)


MINUTES = ((MINUTE, 36 * 60),)
TEN_SECONDS = ((10, 8 * 360),)
FIVE_MINUTES = ((300, 11 * 288),)
HOURS = ((HOUR, 40 * 24),)
TWO_ARCHIVES = ((MINUTE, 12 * 60), (300, 3 * 288))
THREE_ARCHIVES = ((MINUTE, 2 * 60), (300, 8 * 12), (900, 2 * 96))
AGGREGATES = ("average", "sum", "min", "max", "last")


def series(
    path: str,
    value: Value,
    archives: Archives = MINUTES,
    unknown: float = 0.0,
    aggregate: str = "average",
    length: int | None = None,
) -> Stored:
    """Points up to now by their number, counted back from the last, 0; a share of them is unknown.

    They go back by ``length`` seconds, as far as the finest archive by default.
    """
    random = Random(f"unknown {path}")  # noqa: S311
    step, slots = archives[0]
    points: dict[int, float] = {}
    for n in range((length // step if length else slots) - 1, -1, -1):
        known = random.random() >= unknown
        result = value(n)
        if known and result is not None:
            points[NOW - n * step] = result
    return Stored(path, archives, points, aggregate)


def wave(seed: str, mean: float, swing: float, period: int, noise: float) -> Value:
    """A wave of so many points, with noise."""
    random = Random(seed)  # noqa: S311
    phase = random.random() * math.tau
    return lambda n: round(mean + swing * math.sin(n / period * math.tau + phase) + noise * (random.random() - 0.5), 6)


def counter(seed: str, rate: int, resets: int | None = None, wraps: int | None = None) -> Value:
    """A counter that grows by about the rate, starts again every so many points, or wraps beyond a number."""
    random = Random(seed)  # noqa: S311
    count = 0

    def value(n: int) -> float:
        nonlocal count
        count = 0 if resets and n % resets == 0 else count + int(rate * (0.5 + random.random()))
        count = count - wraps - 1 if wraps and count > wraps else count
        return float(count)

    return value


def every() -> list[Stored]:
    """All series."""
    hosts = ["db01", "web01", "web02", "web10"]
    return [
        *(
            series(f"server.{host}.cpu.{kind}", wave(f"{host}{kind}", 20.0 * m + n, 10, 360, 8))
            for n, host in enumerate(hosts)
            for m, kind in enumerate(("user", "system", "idle"), 1)
        ),
        *(
            series(f"server.{host}.load", wave(f"{host}load", n + 1, 1.5, 120, 1), unknown=0.06 * n)
            for n, host in enumerate(hosts)
        ),
        *(series(f"server.{host}.mem.used", wave(f"{host}mem", 4e9, 1e9, 1440, 1e8)) for host in hosts),
        *(series(f"server.{host}.mem.total", lambda n: 8_589_934_592.0) for host in hosts),
        series("net.eth0.rx", counter("eth0", 1000)),
        series("net.eth1.rx", counter("eth1", 5000, resets=200)),
        series("net.eth2.rx", counter("eth2", 40_000, wraps=4_294_967)),
        *(series(f"fast.{name}", wave(f"fast{name}", 50, 30, 720, 10), TEN_SECONDS) for name in "abc"),
        series("step.s10", wave("s10", 100, 50, 1440, 20), TEN_SECONDS),
        series("step.s60", wave("s60", 100, 50, 240, 20)),
        series("step.s300", wave("s300", 100, 50, 48, 20), FIVE_MINUTES),
        series("gaps.few", wave("few", 50, 20, 120, 5), unknown=0.3),
        series("gaps.many", wave("many", 50, 20, 120, 5), unknown=0.7),
        series("gaps.blocks", lambda n: float(n % 50) if n // 30 % 2 else None),
        series("gaps.old", lambda n: float(n % 10) if n > 900 else None),
        series("gaps.rhythm", lambda n: float(n % 7 + 1) if n % 5 == 0 else None),
        series("gaps.end", lambda n: float(n % 10) if n > 20 else None),
        series("fast.gaps", wave("gapsfast", 5, 3, 360, 1), TEN_SECONDS, unknown=0.4),
        series("const.zero", lambda n: 0.0),
        series("const.five", lambda n: 5.0),
        series("neg.swing", wave("neg", 0, 100, 60, 10)),
        series("big.bytes", wave("big", 5e15, 1e15, 120, 1e13)),
        series("tiny.ratio", wave("tiny", 0.5, 0.4, 120, 0.01)),
        series("stairs.seven", lambda n: float(n // 60 % 7)),
        series("flag.onoff", lambda n: float(n // 45 % 2)),
        *(
            series(f"names.{name}", wave(name, 10, 5, 120, 1))
            for name in ("with-dash_under", "with:colon", "UPPER", "1digit", "a+b", "50%", "x@y", "#hash", "a2", "a10")
        ),
        series("names", wave("names", 10, 5, 120, 1)),
        series("two.archives", wave("two", 10, 5, 120, 1), TWO_ARCHIVES),
        series("two.gaps", wave("twogaps", 10, 5, 120, 1), TWO_ARCHIVES, unknown=0.3),
        *(
            series(f"whole.{aggregate}", wave("whole", 10, 5, 120, 4), THREE_ARCHIVES, 0.0, aggregate, 2 * DAY)
            for aggregate in AGGREGATES
        ),
        *(
            series(f"holes.{aggregate}", wave("holes", 10, 5, 120, 4), THREE_ARCHIVES, 0.4, aggregate, 2 * DAY)
            for aggregate in AGGREGATES
        ),
        series("long.daily", wave("daily", 100, 40, 288, 5), FIVE_MINUTES),
        series("long.gaps", wave("dailygaps", 100, 40, 288, 5), FIVE_MINUTES, unknown=0.1),
        series("long.weekly", wave("weekly", 100, 40, 168, 5), HOURS),
        *(
            series(f"disk.used;dc={dc};host={host}", wave(dc + host, 500, 100, 720, 10))
            for dc in ("ams", "fra")
            for host in ("a1", "a2", "b1")
        ),
        *(
            series(f"disk.total;dc={dc};host={host}", lambda n: 1000.0)
            for dc in ("ams", "fra")
            for host in ("a1", "a2", "b1")
        ),
        *(
            series(f"http.requests;code={code};env=prod;method=GET", counter(f"http{code}", rate))
            for code, rate in ((200, 900), (404, 30), (500, 4))
        ),
        series("http.requests;code=200;method=PUT", counter("put", 90), unknown=0.1),
    ]


def policies() -> list[dict[str, Any]]:
    """Rondo's policies: one in Whisper mode for each kind of series, with room for the point ahead."""
    kinds: dict[tuple[Archives, str], set[str]] = {}
    for each in every():
        kinds.setdefault((each.archives, each.aggregate), set()).add(each.name)
    return [
        {
            "name": f"n{n}",
            "match": _any_of(names),
            "step": f"{archives[0][0]}s",
            "heartbeat": 0,
            "aggregate": {"average": "avg"}.get(aggregate, aggregate),
            "archives": [f"{step}s:{step * size}s:0" for step, size in with_room(archives)],
        }
        for n, ((archives, aggregate), names) in enumerate(sorted(kinds.items()))
    ]


def _any_of(names: set[str]) -> str:
    """A regular expression that is found in these names only."""
    return f"^(?:{'|'.join(map(re.escape, sorted(names)))})$"
