"""A series' ident: canonical name ``name;k=v;k2=v2`` (tags sorted) or JSON ``{"name": …, "k": "v"}``."""

from collections.abc import Mapping


def is_tagged(text: str) -> bool:
    """Whether the name is that of a tagged series."""
    return ";" in text


def parse(text: str) -> dict[str, str]:
    """Ident of the canonical name; raises :class:`ValueError` for a part that is not ``tag=value``."""
    name, *pairs = text.split(";")
    ident = {"name": name}
    for pair in pairs:
        tag, equals, value = pair.partition("=")
        if not tag or not equals or tag in ident:
            raise ValueError(f"{pair!r} in {text!r} is not tag=value, or repeats a tag")
        ident[tag] = value
    return ident


def text_of(ident: Mapping[str, str]) -> str:
    """Canonical name of the ident."""
    return ";".join([ident["name"], *(f"{tag}={ident[tag]}" for tag in sorted(ident) if tag != "name")])


def tags_of(text: str) -> dict[str, str]:
    """Tags that Graphite shows for a name: those of a tagged series, else ``name`` alone."""
    try:
        return parse(text)
    except ValueError:
        return {"name": text}
