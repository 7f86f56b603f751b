"""Hostile texts for the four grammars of requests: ``python -m tests.fuzz --seconds=3600``.

Each text must be read, or refused by an error of the client, within ``MOST_S`` of CPU time and without keeping memory.
"""

import argparse
import itertools
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from rondo_query_api.errors import BadRequestError
from rondo_query_api.find import patterns
from rondo_query_api.find.tag_expressions import TagQuery
from rondo_query_api.functions import FUNCTIONS
from rondo_query_api.limits.worker_memory import resident_bytes
from rondo_query_api.targets import parse
from rondo_query_api.times import parse_time

MOST_S = 1.5
MOST_KEPT_BYTES = 200_000_000
MOST_LENGTH = 65_536
NOW = datetime(2026, 1, 31, 12, tzinfo=UTC)
PIECES: Mapping[str, list[str]] = {
    "target": [
        *(f"{name}(" for name in ("sumSeries", "template", "alias", "group", "seriesByTag")),
        *(")", ",", "|", "'", '"', "\\", "{", "}", "a.b", "*", "$x", "x=", " ", "\n", "1", "-1.5e9", "inf", "true"),
        *("9" * 500, "''", '""', "|sumSeries()", "\0", "é", "\U0010ffff", "(", "{a,", "[", "]", ";dc=ams"),
    ],
    "glob": [
        "{",
        "}",
        "[",
        "]",
        "[!",
        "*",
        "**",
        "?",
        ",",
        "-",
        ".",
        "a",
        "z",
        "\\",
        "{a,b}",
        "[a-z]",
        "é",
        "^",
        "(",
        "\n",
    ],
    "tags": [
        *("dc", "=", "!=", "=~", "!=~", ";", "(", "(?:", ")", "|", "*", "+", "?", "{", "}", "[", "]", "^", "$", "\\"),
        *("a", ".", "{1000}", "{,99999}", "{0}", "(?=", "(?!", "(?<=", "(?R)", "(?P<a>", "\\1", "(?i)", "\\p{L}", "é"),
        *("(?:|){26}", "(a|aa)+", "{e<=3}", "[[:alpha:]]", "(?#", "(?|", "\\N{DASH}", "(?(1)a|b)"),
    ],
    "time": [
        *(
            "-",
            "+",
            "1",
            "9" * 50,
            "h",
            "min",
            "mon",
            "y",
            "now",
            "noon",
            "_",
            " ",
            ":",
            "/",
            "am",
            "pm",
            "jan",
            "20260131",
        ),
        *("midnight", "yesterday", "monday", ",", "²", "٣", "e", ".", "\0", "today", "12:30", "1/31/26"),
    ],
}


def _time(text: str) -> object:
    return parse_time("from", text, ZoneInfo("Europe/Amsterdam"), NOW)


READERS: Mapping[str, Callable[[str], object]] = {
    "target": parse,
    "glob": patterns.nodes,
    "tags": lambda text: TagQuery.of([text]),
    "time": _time,
}


@dataclass
class Result:
    """Texts that were read and refused, and the longest CPU time of one, by grammar."""

    read: dict[str, int] = field(default_factory=lambda: dict.fromkeys(READERS, 0))
    refused: dict[str, int] = field(default_factory=lambda: dict.fromkeys(READERS, 0))
    longest_s: dict[str, float] = field(default_factory=lambda: dict.fromkeys(READERS, 0.0))


def text_of(choose: random.Random, grammar: str) -> str:
    """Text of a grammar: some pieces, one of them or all of them repeated, sometimes very often."""
    pieces = [*PIECES[grammar], choose.choice(sorted(FUNCTIONS)) + "("] if grammar == "target" else PIECES[grammar]
    parts = choose.choices(pieces, k=choose.randint(1, 12))
    match choose.randrange(6):
        case 0:
            at = choose.randrange(len(parts))
            parts[at] *= min(4 ** choose.randint(1, 7), 1 + MOST_LENGTH // len(parts[at]))
        case 1:
            parts *= min(4 ** choose.randint(1, 5), 1 + MOST_LENGTH // sum(map(len, parts)))
        case 2:
            parts = [*parts * choose.randint(1, 60), *reversed(parts * choose.randint(1, 60))]
    text = "".join(parts)
    return f"dc=~{text}"[:MOST_LENGTH] if grammar == "tags" and choose.random() < 0.7 else text[:MOST_LENGTH]


def fuzz(is_over: Callable[[int], bool], seed: int) -> Result:
    """Read texts until so many rounds are enough; raises :class:`AssertionError` with the seed and text of a fault."""
    result = Result()
    kept = 0
    for round_ in itertools.count():
        if is_over(round_):
            break
        for grammar, read in READERS.items():
            text = text_of(random.Random(f"{seed} {grammar}"), grammar)  # noqa: S311
            began = time.process_time()
            try:
                read(text)
                result.read[grammar] += 1
            except BadRequestError:
                result.refused[grammar] += 1
            except Exception as e:
                raise AssertionError(f"{grammar}, seed {seed}: {e!r} of {text[:200]!r}") from e
            took = time.process_time() - began
            result.longest_s[grammar] = max(result.longest_s[grammar], took)
            assert took < MOST_S, f"{grammar}, seed {seed}: {took:.1f} s for {len(text)} characters {text[:200]!r}"
        seed += 1
        kept = kept or resident_bytes()  # after the first round: modules and caches are loaded
        grown = resident_bytes() - kept
        assert grown < MOST_KEPT_BYTES, f"seed {seed}: {grown} bytes more"
    return result


def main() -> None:
    """Fuzz and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000_000)
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    until = time.monotonic() + options.seconds
    found = fuzz(lambda _: time.monotonic() > until, options.seed)
    for grammar in READERS:
        print(
            f"{grammar:8}read {found.read[grammar]}, refused {found.refused[grammar]},"
            f" longest {found.longest_s[grammar]:.3f} s of CPU"
        )


if __name__ == "__main__":
    main()
