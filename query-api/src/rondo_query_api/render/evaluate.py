"""Series of a request's targets."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

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
    targets = [_Target.read(text) for text in request.targets]
    # Targets that name no consolidation function read the same archives: what they share is fetched once.
    shared_context = _context(request, {})
    shared = _fetch(shared_context, [target for target in targets if not target.functions])
    evaluated: list[TimeSeries] = []
    for target in targets:
        if target.functions:
            context = _context(request, target.functions)
            evaluated += _evaluate(context, target, _fetch(context, [target]))
        else:
            evaluated += _evaluate(shared_context, target, shared)
    return evaluated


@dataclass(frozen=True)
class _Target:
    text: str
    tokens: Any
    functions: Mapping[str, str]
    """Pattern → the archive function that a consolidateBy around it names."""

    @classmethod
    def read(cls, text: str) -> Self:
        tokens = parse(text)
        return cls(text, tokens, dict(_functions(tokens)))


def _context(request: RenderRequest, functions: Mapping[str, str]) -> dict[str, Any]:
    return {
        "startTime": request.start,
        "endTime": request.end,
        "now": request.now,
        "tzinfo": request.zone,
        "template": request.template,
        "data": [],
        PLAN: ReadPlan(request.max_points, functions),
    }


def _fetch(context: dict[str, Any], targets: list[_Target]) -> Any:
    paths: list[str] = []
    for target in targets:
        try:
            paths += pathsFromTokens(context, target.tokens)
        except ValueError as e:
            raise _unusable(target, e) from e
    return fetchData(context, paths)


def _evaluate(context: dict[str, Any], target: _Target, data: Any) -> list[TimeSeries]:
    try:
        result = evaluateTokens(context, target.tokens, data)
    except ApiError:
        raise
    except Exception as e:  # the base checks no arguments: a wrong one fails wherever it is used
        log.info("target failed", target=target.text, exc_info=True)
        raise _unusable(target, e) from e
    series_list = [result] if isinstance(result, TimeSeries) else result
    if not isinstance(series_list, list) or not all(isinstance(each, TimeSeries) for each in series_list):
        raise BadRequestError(f"target {target.text!r} is not a list of series")
    return series_list


def _unusable(target: _Target, error: Exception) -> BadRequestError:
    reason = " ".join(str(error).split()) or type(error).__name__
    return BadRequestError(f"target {target.text!r} cannot be evaluated: {reason}")


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
