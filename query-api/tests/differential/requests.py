"""The requests to both servers, from targets.txt, and the intended differences, from exceptions.toml."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl

from rondo_query_api.errors import BadRequestError
from rondo_query_api.functions import FUNCTIONS
from rondo_query_api.targets import Call, Template, Tree, parse

from .data import NOW

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Request:
    """A line of targets.txt."""

    line: str

    @property
    def target(self) -> str:
        return self.line.partition(" & ")[0]

    @property
    def query(self) -> dict[str, str]:
        own = dict(parse_qsl(self.line.partition(" & ")[2], strict_parsing=True)) if " & " in self.line else {}
        return {"target": self.target, "format": "json", "now": str(NOW), "from": "-6h", "until": "now"} | own

    @property
    def functions(self) -> set[str]:
        """Functions that it calls, or means to."""
        try:
            return {name for name in _called(parse(self.target)) if name in FUNCTIONS}
        except BadRequestError:
            return set()


@dataclass(frozen=True)
class Difference:
    """Requests with an intended difference; ``kind`` is what differs first in the response.

    ``functions`` are those for which the reference page names it.
    """

    name: str
    kind: str
    reason: str
    targets: tuple[str, ...]
    functions: tuple[str, ...]


def requests() -> list[Request]:
    """All of them, in order."""
    lines = (HERE / "targets.txt").read_text(encoding="utf-8").splitlines()
    return [Request(line) for line in lines if line and not line.startswith("#")]


def quick(every: list[Request]) -> set[Request]:
    """Requests that call a function for the first time, and the first of each kind of difference."""
    chosen, called = set(), set[str]()
    for request in every:
        if not request.functions <= called:
            called |= request.functions
            chosen.add(request)
    lines = {each.line: each for each in every}
    return chosen | {lines[line] for each in exceptions() for line in each.targets[:1]}


def exceptions() -> list[Difference]:
    """All of them, in order."""
    tables = tomllib.loads((HERE / "exceptions.toml").read_text(encoding="utf-8"))
    return [
        Difference(
            name, each["kind"], " ".join(each["reason"].split()), tuple(each["targets"]), tuple(each["functions"])
        )
        for name, each in tables.items()
    ]


def _called(tree: Tree) -> Iterator[str]:
    if isinstance(tree, Template):
        yield from _called(tree.body)
    elif isinstance(tree, Call):
        yield tree.name
        for argument in [*tree.args, *tree.kwargs.values()]:
            yield from _called(argument)
