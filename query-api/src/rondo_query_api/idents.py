"""A series' ident: its canonical text ``name;k=v;k2=v2`` (tags sorted) and its JSON ``{"name": …, "k": "v"}``."""

from collections.abc import Mapping


def is_tagged(text: str) -> bool:
    """Whether the text is that of a series with tags."""
    return ";" in text


def parse(text: str) -> dict[str, str]:
    """Ident of the text; raises :class:`ValueError` for a part that is no ``tag=value``."""
    name, *pairs = text.split(";")
    ident = {"name": name}
    for pair in pairs:
        tag, equals, value = pair.partition("=")
        if not tag or not equals or tag in ident:
            raise ValueError(f"{pair!r} in {text!r} is not a new tag=value")
        ident[tag] = value
    return ident


def text_of(ident: Mapping[str, str]) -> str:
    """Canonical text."""
    return ";".join([ident["name"], *(f"{tag}={ident[tag]}" for tag in sorted(ident) if tag != "name")])


def tags_of(text: str) -> dict[str, str]:
    """Tags that Graphite shows for a name: those of a tagged series, else the name alone."""
    try:
        return parse(text)
    except ValueError:
        return {"name": text}
