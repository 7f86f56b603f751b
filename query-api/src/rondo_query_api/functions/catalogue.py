"""The table of functions: names, parameters and implementations.

It defines ``/functions``, the checks of arguments, the reference page, and which archives are read inside a call.
"""

import difflib
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from ..errors import BadRequestError
from ..fetch.choose import Wanted
from .keeping import Keeps, KeepsBy, Selects
from .types import SERIES_LIST, Type

Implementation = TypeVar("Implementation", bound=Callable[..., Any])


@dataclass(frozen=True)
class Param:
    """A parameter, as Graphite publishes it.

    ``multiple``, only for the last parameter, takes all remaining arguments. ``shown`` is its text in the signature,
    if that is not its name and default. ``absent`` is the value for a missing argument, if that is not the default.
    """

    name: str
    type: Type
    required: bool = False
    default: Any = None
    multiple: bool = False
    options: Sequence[Any] = ()
    suggestions: Sequence[Any] = ()
    shown: str = ""
    absent: Any = ...

    @property
    def names(self) -> tuple[str, str]:
        """Names for keyword arguments."""
        return self.name, self.signature.lstrip("*").partition("=")[0]

    @property
    def signature(self) -> str:
        """The parameter's text in the signature of its function."""
        if self.shown:
            return self.shown
        if self.multiple:
            return f"*{self.name}"
        return self.name if self.required else f"{self.name}={self.default!r}"

    @property
    def if_absent(self) -> Any:
        """Value for a missing argument."""
        return self.default if self.absent is ... else self.absent

    def checked(self, function: str, value: Any) -> Any:
        """Converted argument; raises :class:`BadRequestError` that names the function, the parameter and the value."""
        if value is None and not self.required:
            return self.if_absent
        try:
            checked = self.type.check(value)
        except (ValueError, TypeError, OverflowError) as e:
            raise BadRequestError(f"{function}: {self.name} is {_shown(value)}, not {self._wanted()}") from e
        if self.options and checked not in self.options:
            raise BadRequestError(f"{function}: {self.name} is {_shown(value)}, not {self._wanted()}")
        return checked

    def _wanted(self) -> str:
        options = [str(each) for each in self.options or self.type.options]
        return f"one of {', '.join(options)}" if options else self.type.wanted


@dataclass(frozen=True)
class Function:
    """An entry of the table. An alias is an entry with another name and the same implementation.

    ``keeps`` says what it keeps of its arguments' slots.
    """

    name: str
    group: str
    params: Sequence[Param]
    implementation: Callable[..., Any]
    keeps: Keeps | Selects | KeepsBy
    aggregator: bool = False

    @cached_property
    def takes_call(self) -> bool:
        """Whether the implementation takes the context as its parameter ``call``."""
        return "call" in inspect.signature(self.implementation).parameters

    @property
    def signature(self) -> str:
        """Signature, such as ``scale(seriesList, factor)``."""
        return f"{self.name}({', '.join(param.signature for param in self.params)})"

    @property
    def description(self) -> str:
        """Docstring of the implementation."""
        return inspect.getdoc(self.implementation) or ""

    def inside(self, wanted: Wanted, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Wanted:
        """Archives that the arguments are read from; an argument that is not known yet is None."""
        return self.kept(args, kwargs).inside(wanted)

    def kept(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Keeps | Selects:
        """What a call with these arguments keeps."""
        if not isinstance(self.keeps, KeepsBy):
            return self.keeps
        [(n, param)] = [(n, each) for n, each in enumerate(self.params) if each.name == self.keeps.param]
        given = args[n] if n < len(args) else _take(dict(kwargs), param)
        return self.keeps.of(param.if_absent if given is ... else given)

    def bind(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """Checked arguments for the implementation; raises :class:`BadRequestError` for an invalid one."""
        variable = bool(self.params) and self.params[-1].multiple
        single = self.params[:-1] if variable else self.params
        if len(args) > len(single) and not variable:
            raise BadRequestError(f"{self.name}: {len(args)} arguments, at most {len(single)}: {self.signature}")
        by_name = dict(kwargs)
        bound = []
        for n, param in enumerate(single):
            given = args[n] if n < len(args) else _take(by_name, param)
            if given is ... and param.required:
                raise BadRequestError(f"{self.name}: {param.name} is missing: {self.signature}")
            bound.append(param.if_absent if given is ... else param.checked(self.name, given))
        if variable:
            bound += self._rest(args[len(single) :], by_name)
        if by_name:
            raise BadRequestError(f"{self.name}: unknown parameter {next(iter(by_name))}: {self.signature}")
        return bound

    def _rest(self, args: Sequence[Any], by_name: dict[str, Any]) -> list[Any]:
        param = self.params[-1]
        if not args and (given := _take(by_name, param)) is not ...:
            args = [given]
        if not args and param.required:
            raise BadRequestError(f"{self.name}: {param.name} is missing: {self.signature}")
        return [param.checked(self.name, each) for each in args]


FUNCTIONS: dict[str, Function] = {}

SERIES = Param("seriesList", SERIES_LIST, required=True)
SERIES_LISTS = Param("seriesLists", SERIES_LIST, required=True, multiple=True)


def function(
    name: str,
    group: str,
    *params: Param,
    keeps: Keeps | Selects | KeepsBy,
    aliases: Sequence[str] = (),
    aggregator: bool = False,
) -> Callable[[Implementation], Implementation]:
    """Register the decorated implementation under the name and its aliases."""

    def add(implementation: Implementation) -> Implementation:
        for each in (name, *aliases):
            FUNCTIONS[each] = Function(each, group, params, implementation, keeps, aggregator)
        return implementation

    return add


def nearest(name: str) -> str:
    """Suggestion of the function with the most similar name; empty if there is none."""
    found = difflib.get_close_matches(name, FUNCTIONS, n=1)
    return f"; did you mean {found[0]}?" if found else ""


def _take(by_name: dict[str, Any], param: Param) -> Any:
    for name in param.names:
        if name in by_name:
            return by_name.pop(name)
    return ...


def _shown(value: Any) -> str:
    return "a list of series" if isinstance(value, list) else repr(value)
