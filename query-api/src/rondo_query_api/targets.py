r"""Targets of /render as trees: Graphite's grammar, with pipes and ``template()``.

::

    a.b.c                        a path: a pattern of names
    scale(a.b.*,10)              a call; arguments are trees, numbers, strings, true, false, none, inf, name=argument
    a.b.*|scale(10)|sum()        pipes: the same as sum(scale(a.b.*,10))
    template(scale($x,$y),x='a.*',y=10)

A path may contain any character; a space and ``( ) { } , ' " \ |`` are escaped with a backslash.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from .errors import BadRequestError
from .find import globs

MAX_DEPTH = 100
MAX_DIGITS = 400  # a float has at most 309 before its point
Scalar = str | int | float | bool | None

# An element consists of escaped characters, plain ones, and alternatives in braces, which may contain commas and dots.
ELEMENT = r"(?:\\.|[^\s(){},.'\"\\|]|\{(?:\\.|[^\s(){}'\"\\])*\})+"
PATH = re.compile(rf"{ELEMENT}(?:\.{ELEMENT})*", re.DOTALL)
# A word or a number must end the argument; else it is the beginning of a path.
ENDS = r"(?=\s*(?:[,)|]|$))"
NUMBER = re.compile(rf"-?\d+(?P<fraction>\.\d+)?(?P<exponent>[eE]-?\d+)?{ENDS}", re.ASCII)
WORD = re.compile(rf"(true|false|none|inf){ENDS}", re.IGNORECASE)
WORDS: dict[str, Scalar] = {"true": True, "false": False, "none": None, "inf": float("inf")}
STRING = re.compile(r'"(?:[^"\n\r\\]|""|\\.)*"|' + r"'(?:[^'\n\r\\]|''|\\.)*'", re.DOTALL)
CALL = re.compile(r"([A-Za-z_]\w*)\s*\(", re.ASCII)
KEYWORD = re.compile(r"([A-Za-z_]\w*)\s*=\s*", re.ASCII)
SPACE = re.compile(r"\s*")


@dataclass(frozen=True)
class Path:
    """A pattern of names, with the backslashes of the target removed."""

    text: str


@dataclass(frozen=True)
class Literal:
    """A number, a string without its quotes, true, false, none or inf."""

    value: Scalar


@dataclass(frozen=True)
class Call:
    """A function call; ``text`` is its source text, ``depth`` the number of nested calls, with itself."""

    name: str
    args: tuple["Tree", ...]
    kwargs: Mapping[str, "Tree"]
    text: str = field(compare=False)
    depth: int = field(default=1, compare=False)


@dataclass(frozen=True)
class Template:
    """A tree whose paths contain ``$name``, and the values by name; positional values have the names 1, 2, …."""

    body: "Tree"
    values: Mapping[str, Scalar]
    depth: int = field(default=1, compare=False)


Tree = Path | Literal | Call | Template


def parse(target: str) -> Tree:
    """Tree of the whole target; raises :class:`BadRequestError` that names the column of the error."""
    try:
        parser = _Parser(target)
        tree = parser.expression()
        parser.skip_space()
        if parser.at < len(target):
            raise parser.unreadable()
        return tree
    except RecursionError as e:
        raise too_deep() from e


def too_deep() -> BadRequestError:
    """Error of a target with too many nested calls or pipes."""
    return BadRequestError(f"the target is nested too deeply: at most {MAX_DEPTH} calls and pipes")


def first_path(name: str) -> str | None:
    """First path in the text of a call, such as the name of a computed series; None if there is none."""
    try:
        tree = _Parser(name).expression()
    except (BadRequestError, RecursionError):
        return None
    while isinstance(tree, Call) and tree.args:
        tree = tree.args[0]
    return tree.text if isinstance(tree, Path) else None


def escape(name: str) -> str:
    """Name or pattern, escaped so that it parses to the same path."""
    return re.sub(r"[\\(){},'\"|\s]", r"\\\g<0>", name)


def exactly(name: str) -> str:
    """Target of the series with this name, or part of a target for part of a name: without wildcards."""
    return escape(globs.exactly(name))


class _Parser:
    """Recursive descent parser; ``at`` is the offset of the next character."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def expression(self) -> Tree:
        self.skip_space()
        tree = self._call() or self._path()
        while self._take("|"):
            self.skip_space()
            call = self._call()
            if not isinstance(call, Call):
                raise self.unreadable()
            tree = replace(call, args=(tree, *call.args), depth=max(call.depth, _depth(tree)))
        return tree

    def skip_space(self) -> None:
        if match := SPACE.match(self.text, self.at):
            self.at = match.end()

    def unreadable(self) -> BadRequestError:
        error = f"target {self.text!r} has a syntax error at column {self.at + 1}"
        if self.at >= len(self.text):
            return BadRequestError(f"{error}: it ends too early")
        character = self.text[self.at]
        special = escape(character) != character
        hint = f"; in a name, write \\{character}; quote other texts" if special else ""
        return BadRequestError(f"{error}: {character!r} is not expected here{hint}")

    def _path(self) -> Path:
        match = PATH.match(self.text, self.at)
        if not match:
            raise self.unreadable()
        self.at = match.end()
        return Path(re.sub(r"(?s)\\(.)", r"\1", match[0]))

    def _call(self) -> Call | Template | None:
        match = CALL.match(self.text, self.at)
        if not match:
            return None
        began, self.at = self.at, match.end()
        args: list[Tree] = []
        kwargs: dict[str, Tree] = {}
        for keyword, argument in self._arguments():
            if keyword is not None:
                kwargs[keyword] = argument
            elif kwargs:
                raise self.unreadable()
            else:
                args.append(argument)
        if match[1] == "template":
            return _template(args, kwargs)
        return Call(match[1], tuple(args), kwargs, self.text[began : self.at], _depth(*args, *kwargs.values()))

    def _arguments(self) -> Iterator[tuple[str | None, Tree]]:
        """Arguments up to and including the closing parenthesis."""
        if self._take(")"):
            return
        while True:
            self.skip_space()
            keyword = None
            if match := KEYWORD.match(self.text, self.at):
                keyword, self.at = match[1], match.end()
            yield keyword, self._argument()
            if self._take(")"):
                return
            if not self._take(","):
                raise self.unreadable()

    def _argument(self) -> Tree:
        text, at = self.text, self.at
        if match := WORD.match(text, at):
            self.at = match.end()
            return Literal(WORDS[match[1].lower()])
        if match := NUMBER.match(text, at):
            if len(match[0]) > MAX_DIGITS:
                raise BadRequestError(f"the number {match[0][:20]}… has {len(match[0])} digits, at most {MAX_DIGITS}")
            self.at = match.end()
            return Literal(float(match[0]) if match["fraction"] or match["exponent"] else int(match[0]))
        if match := STRING.match(text, at):
            self.at = match.end()
            return Literal(match[0][1:-1])
        return self.expression()

    def _take(self, character: str) -> bool:
        self.skip_space()
        if self.text.startswith(character, self.at):
            self.at += 1
            return True
        return False


def _template(args: list[Tree], kwargs: Mapping[str, Tree]) -> Template:
    if not args:
        raise BadRequestError("template() has no expression")
    values: dict[str, Scalar] = {}
    named = [*((str(n), each) for n, each in enumerate(args[1:], 1)), *kwargs.items()]
    for name, value in named:
        if not isinstance(value, Literal):
            raise BadRequestError(f"template(): the value of {name} is not a number or a string")
        values[name] = value.value
    return Template(args[0], values, _depth(args[0]))


def _depth(*nested: Tree) -> int:
    """Depth of a call with these trees in it; raises :class:`BadRequestError` if it is too large."""
    depth = 1 + max((tree.depth for tree in nested if isinstance(tree, Call | Template)), default=0)
    if depth > MAX_DEPTH:
        raise too_deep()
    return depth
