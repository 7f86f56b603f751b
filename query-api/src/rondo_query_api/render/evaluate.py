"""Series of a request's targets."""

from collections.abc import Iterator
from typing import Any

import structlog

from ..archives import WMEAN
from ..errors import ApiError, BadRequestError
from ..fetch import PLAN, ReadPlan
from ..graphite import TimeSeries, evaluateTokens, fetchData, pathsFromTokens
from ..graphite.grammar import parse
from .request import RenderRequest

log = structlog.get_logger()

ARCHIVE_FUNCTIONS = {"average": WMEAN, "avg": WMEAN, "max": "max", "min": "min", "sum": "sum", "last": "last"}


def evaluate(request: RenderRequest) -> list[TimeSeries]:
    """Evaluate the targets in order; raises :class:`BadRequestError` for one that cannot be."""
    parsed = [(target, parse(target)) for target in request.targets]
    # Targets that name no consolidation function read the same archives: what they share is fetched once.
    plain = [(target, tokens) for target, tokens in parsed if not dict(_functions(tokens))]
    shared_context = _context(request, {})
    shared = _fetch(shared_context, plain)
    evaluated: list[TimeSeries] = []
    for target, tokens in parsed:
        functions = dict(_functions(tokens))
        context = _context(request, functions) if functions else shared_context
        data = _fetch(context, [(target, tokens)]) if functions else shared
        evaluated += _evaluate(context, target, tokens, data)
    return evaluated


def _context(request: RenderRequest, functions: dict[str, str]) -> dict[str, Any]:
    return {
        "startTime": request.start,
        "endTime": request.end,
        "now": request.now,
        "tzinfo": request.zone,
        "template": request.template,
        "data": [],
        PLAN: ReadPlan(request.max_points, functions),
    }


def _fetch(context: dict[str, Any], parsed: list[tuple[str, Any]]) -> Any:
    paths: list[str] = []
    for target, tokens in parsed:
        try:
            paths += pathsFromTokens(context, tokens)
        except ValueError as e:
            raise _unusable(target, e) from e
    return fetchData(context, paths)


def _evaluate(context: dict[str, Any], target: str, tokens: Any, data: Any) -> list[TimeSeries]:
    try:
        result = evaluateTokens(context, tokens, data)
    except ApiError:
        raise
    except Exception as e:  # the base checks no arguments: a wrong one fails wherever it is used
        log.info("target failed", target=target, exc_info=True)
        raise _unusable(target, e) from e
    series_list = [result] if isinstance(result, TimeSeries) else result
    if not isinstance(series_list, list) or not all(isinstance(each, TimeSeries) for each in series_list):
        raise BadRequestError(f"target {target!r} is not a list of series")
    return series_list


def _unusable(target: str, error: Exception) -> BadRequestError:
    reason = " ".join(str(error).split()) or type(error).__name__
    return BadRequestError(f"target {target!r} cannot be evaluated: {reason}")


def _functions(tokens: Any, function: str | None = None) -> Iterator[tuple[str, str]]:
    """(pattern, archive function) for each pattern inside a consolidateBy."""
    if tokens.template:
        yield from _functions(tokens.template, function)
    elif tokens.expression:
        yield from _functions(tokens.expression, function)
    elif tokens.pathExpression:
        if function:
            yield tokens.pathExpression, function
    elif tokens.call:
        arguments = list(tokens.call.args)
        if tokens.call.funcname == "consolidateBy" and len(arguments) > 1 and arguments[1].string:
            function = ARCHIVE_FUNCTIONS.get(arguments[1].string[1:-1])
        for argument in [*arguments, *(each.args[0] for each in tokens.call.kwargs)]:
            yield from _functions(argument, function)
