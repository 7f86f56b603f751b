"""Names as Graphite's clients write them: carbon's ``disk.used;dc=ams``, OpenMetrics' ``disk.used{dc="ams"}``.

As in graphite-web 1.1.10, the last of several values of a tag counts, and the name is never a tag.
"""

import re

from . import idents

OPENMETRICS = re.compile(r'([^{]*)\{(.*")\}', re.DOTALL)
LABEL = re.compile(r'([^=]+)="((?:\\["\\]|[^"\\])+)"(?:,|$)')
ESCAPED = re.compile(r'\\(["\\])')


def canonical(path: str) -> str:
    """Canonical name of the path; raises :class:`ValueError` for what Graphite refuses."""
    openmetrics = OPENMETRICS.fullmatch(path)
    name, pairs = _openmetrics(*openmetrics.groups()) if openmetrics else _carbon(path)
    name = name.lstrip("~")
    if not name or ";" in name:
        raise ValueError(f"{path!r} has no name, or one that contains ;")
    for tag, value in pairs:
        _check(tag, value)
    return idents.text_of({**dict(pairs), "name": name})


def _carbon(path: str) -> tuple[str, list[tuple[str, str]]]:
    name, *tags = path.split(";")
    for each in tags:
        if "=" not in each:
            raise ValueError(f"{each!r} in {path!r} is not tag=value")
    return name, [(tag, value) for tag, _, value in (each.partition("=") for each in tags)]


def _openmetrics(name: str, labels: str) -> tuple[str, list[tuple[str, str]]]:
    pairs = []
    at = 0
    while at < len(labels):
        label = LABEL.match(labels, at)
        if label is None:
            raise ValueError(f'{labels[at:]!r} is not tag="value"')
        pairs.append((label[1], ESCAPED.sub(r"\1", label[2])))
        at = label.end()
    return name, pairs


def _check(tag: str, value: str) -> None:
    if not tag or any(character in tag for character in ";!^="):
        raise ValueError(f"the tag {tag!r} is empty, or contains one of ; ! ^ =")
    if not value or ";" in value or value.startswith("~"):
        raise ValueError(f"the value {value!r} of the tag {tag} is empty, contains ; or begins with ~")
