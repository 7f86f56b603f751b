"""Evaluation of a request's targets to series."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import structlog

from ..db import Database
from ..errors import ApiError, BadRequestError
from ..events import EventStore
from ..fetch.choose import AS_STORED, Wanted, Window
from ..fetch.fetch import Fetch
from ..find.series import SeriesFinder
from ..functions import FUNCTIONS, Call, Context, Function, nearest
from ..limits import request_budget, substitution
from ..targets import Call as CallTree
from ..targets import Literal, Path, Scalar, Template, Tree, parse, too_deep
from ..timeseries import TimeSeries
from .reader import Reader
from .request import RenderRequest

log = structlog.get_logger()

NUMBER = re.compile(r"-?[\d.]+", re.ASCII)


def evaluate(request: RenderRequest, finder: SeriesFinder, database: Database, events: EventStore) -> list[TimeSeries]:
    """Evaluate the targets in order; raises :class:`BadRequestError` if one is invalid."""
    now = int(request.now.timestamp())
    reader = Reader(finder, Fetch(database, now, request.max_points), events)
    context = Context(
        start=int(request.start.timestamp()),
        end=int(request.end.timestamp()),
        now=now,
        zone=request.zone,
        reader=reader,
        x_files_factor=request.x_files_factor,
        template=request.template,
    )
    trees = [(target, parse(target)) for target in request.targets]
    reader.prepare(
        (path, Window(context.start, context.end, wanted))
        for _, tree in trees
        for path, wanted in _paths(tree, AS_STORED)
    )
    return [series for target, tree in trees for series in evaluated(replace(context), target, tree)]


def _paths(tree: Tree, wanted: Wanted) -> Iterator[tuple[str, Wanted]]:
    """Patterns that the tree reads directly, with the archives that the calls around each want."""
    match tree:
        case Path(text):
            yield text, wanted
        case CallTree():
            inside = _inside_call(wanted, tree, {})
            for argument in (*tree.args, *tree.kwargs.values()):
                yield from _paths(argument, inside)


def evaluated(context: Context, target: str, tree: Tree) -> list[TimeSeries]:
    """Series of one target; raises :class:`BadRequestError` if it is invalid."""
    try:
        result = _value(context, tree)
    except (ApiError, MemoryError):
        raise
    except RecursionError as e:
        raise too_deep() from e
    except Exception as e:  # arithmetic that a function does not expect
        log.info("target failed", target=target, exc_info=True)
        reason = " ".join(str(e).split()) or type(e).__name__
        raise BadRequestError(f"target {target!r} cannot be evaluated: {reason}") from e
    if not isinstance(result, list) or not all(isinstance(each, TimeSeries) for each in result):
        raise BadRequestError(f"target {target!r} is not a list of series")
    return result


def _value(context: Context, tree: Tree) -> Any:
    """Series of a path or call, value of a literal; raises when the request has no time left."""
    request_budget.current().seconds_left()
    match tree:
        case Literal(value):
            return value
        case Path(text):
            return _of_path(context, text)
        case Template(body, values):
            return _inside(context, body, template={**values, **context.template}, in_template=True)
        case CallTree():
            return _of_call(context, tree)


def _inside(context: Context, tree: Tree, **changes: Any) -> Any:
    """Value in a changed context; a minimum known share that is set there also holds in the outer context."""
    inner = replace(context, **changes)
    value = _value(inner, tree)
    context.x_files_factor = inner.x_files_factor
    return value


def _of_path(context: Context, text: str) -> list[TimeSeries] | Scalar:
    """Series of the pattern. Inside a template ``$name`` is replaced; a path that is only ``$name`` is its value."""
    if context.in_template:
        for name, value in context.template.items():
            if text == f"${name}":
                return float(value) if isinstance(value, str) and NUMBER.fullmatch(value) else value
            text = substitution.replaced("a path of template()", text, f"${name}", str(value))
    return context.read(text)


def _of_call(context: Context, tree: CallTree) -> Any:
    wanted = _inside_call(context.wanted, tree, context.template if context.in_template else {})
    args = [_inside(context, argument, wanted=wanted) for argument in tree.args]
    kwargs = {name: _inside(context, argument, wanted=wanted) for name, argument in tree.kwargs.items()}
    return _apply(context, wanted, _function(tree.name), args, kwargs, tree)


def _inside_call(wanted: Wanted, tree: CallTree, template: Mapping[str, Scalar]) -> Wanted:
    """Return which archives the call wants for its arguments; ``template`` has the values of ``$name``."""

    def known(argument: Tree) -> Scalar:
        match argument:
            case Literal(value):
                return value
            case Path(text):
                return template.get(text.removeprefix("$")) if text.startswith("$") else None
        return None

    args = [known(argument) for argument in tree.args]
    return _function(tree.name).inside(wanted, args, {name: known(each) for name, each in tree.kwargs.items()})


def _function(name: str) -> Function:
    if name not in FUNCTIONS:
        raise BadRequestError(f"unknown function {name}{nearest(name)}; in a name, ( is written \\(")
    return FUNCTIONS[name]


def _apply(
    context: Context,
    wanted: Wanted,
    function: Function,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    tree: CallTree,
) -> Any:
    bound = function.bind(args, kwargs)
    if not function.takes_call:
        return function.implementation(*bound)
    call = Call(
        context,
        wanted,
        tree.args,
        tree.text,
        evaluate=_value,
        evaluate_text=lambda inner, text: evaluated(inner, text, parse(text)),
        call_function=lambda inner, name, lists: _apply(inner, wanted, _function(name), lists, {}, tree),
    )
    return function.implementation(call, *bound)
