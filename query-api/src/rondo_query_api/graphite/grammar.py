r"""Names in targets: the base's grammar takes ASCII names without ``=`` only.

Here a name may hold any character; one that the grammar itself uses, or a space, is written after a backslash.
Tagged series read as they stand: ``disk.used;dc=ams``.
"""

import re
from typing import Any

from graphite_render.render import grammar as base
from pyparsing import Group, Literal, Optional, ParseBaseException, Regex

from ..errors import BadRequestError

# An element is made of escaped characters, plain ones, and alternatives in braces, which may hold commas and dots.
ELEMENT = r"(?:\\.|[^\s(){},.'\"\\]|\{(?:\\.|[^\s(){}'\"\\])*\})+"
PATH = re.compile(rf"{ELEMENT}(?:\.{ELEMENT})*", re.DOTALL)


def parse(target: str) -> Any:
    """Tokens of the whole target; raises :class:`BadRequestError` that names the column where it ends to make sense."""
    try:
        return base.grammar.parse_string(target, parse_all=True)
    except ParseBaseException as e:
        raise BadRequestError(f"target {target!r} cannot be read from column {e.column} on") from e
    except RecursionError as e:
        raise BadRequestError("the target is nested too deeply") from e


def escape(name: str) -> str:
    """Write a name or pattern so that the grammar reads it back as it is."""
    return re.sub(r"[\\(){},'\"\s]", r"\\\g<0>", name)


def mend() -> None:
    """Make the base read these names wherever it reads a target."""
    base.grammar.parse_with_tabs()
    path = Regex(PATH).set_parse_action(lambda tokens: re.sub(r"(?s)\\(.)", r"\1", tokens[0]))("pathExpression")
    template = Group(
        Literal("template")
        + base.leftParen
        + (base.call | path)
        + Optional(base.comma + (base.litargs | base.litkwargs))
        + base.rightParen
    )("template")
    base.expression <<= Group(template | base.call | path)("expression")
