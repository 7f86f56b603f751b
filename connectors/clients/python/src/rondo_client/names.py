"""The idents of a client's series: ``prefix.name;k=v;k2=v2``, tags sorted by key.

Raises ``ValueError`` for idents that the topology would change.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

MAX_BYTES = 1024  # the defaults of the topology's ident.max.bytes and ident.max.tags
MAX_TAGS = 64
SUFFIX_BYTES = 6  # the longest text that a metric appends to its name


@dataclass(frozen=True)
class Names:
    """Nodes before every name, and tags of every series."""

    prefix: str
    tags: Mapping[str, str]

    def __post_init__(self) -> None:
        """Check both."""
        if self.prefix:
            check_name(self.prefix)
        check_tags(self.tags)

    def key(self) -> str:
        """Return the common part of all series; as a record key, it never moves a series to another partition."""
        return join(self.prefix, self.tags)

    def ident(self, name: str, own: Mapping[str, str]) -> str:
        """Return the ident of a series."""
        check_name(name)
        check_tags(own)
        for key in own:
            if key in self.tags:
                raise ValueError(
                    f"tag '{key}' of '{name}' is already a tag of all series of the client (rondo.client.tags)"
                )
        tags = {**self.tags, **own}
        ident = join(f"{self.prefix}.{name}" if self.prefix else name, tags)
        size = len(ident.encode()) + SUFFIX_BYTES
        if size > MAX_BYTES:
            raise ValueError(f"series of {size} bytes, more than {MAX_BYTES}: '{ident[:80]}…'")
        if len(tags) > MAX_TAGS:
            raise ValueError(f"series of {len(tags)} tags, more than {MAX_TAGS}: '{ident[:80]}…'")
        return ident


def tags_of(text: str) -> dict[str, str]:
    """Parse ``k=v;k2=v2``."""
    tags: dict[str, str] = {}
    for tag in text.split(";") if text.strip() else ():
        key, equals, value = (part.strip() for part in tag.partition("="))
        if not equals:
            raise ValueError(f"'{tag}' is not a tag k=v")
        if key in tags:
            raise ValueError(f"tag '{key}' occurs twice in '{text}'")
        tags[key] = value
    return tags


def join(name: str, tags: Mapping[str, str]) -> str:
    """Return the canonical text."""
    return name + "".join(f";{key}={tags[key]}" for key in sorted(tags))


def series(ident: str, suffix: str) -> bytes:
    """Return a series of a metric, with a suffix after the name: ``shop.pay.p99;host=web01``."""
    name, semicolon, tags = ident.partition(";")
    return f"{name}{suffix}{semicolon}{tags}".encode()


def check_name(name: str) -> None:
    """Raise if the topology would change the name."""
    if not all(name.split(".")):
        raise ValueError(f"name '{name}' has an empty node")
    check_characters("name", name, ";", spaces=False)


def check_tags(tags: Mapping[str, str]) -> None:
    """Raise if the topology would change one of the tags."""
    for key, value in tags.items():
        if not key or key == "name":
            raise ValueError(f"a tag with value '{value}' has the invalid key '{key}'")
        check_characters("key of a tag", key, ";=!^", spaces=False)
        if not value:
            raise ValueError(f"tag '{key}' has no value")
        if value.startswith("~"):
            raise ValueError(f"value of tag '{key}' '{value}' begins with ~")
        check_characters(f"value of tag '{key}'", value, ";", spaces=True)


def check_characters(what: str, text: str, forbidden: str, *, spaces: bool) -> None:
    """Raise at a control character, an unpaired surrogate, a forbidden character, or white space unless allowed."""
    for at, c in enumerate(text):
        if c in forbidden or unicodedata.category(c) in {"Cc", "Cs"} or (c.isspace() and not spaces):
            raise ValueError(f"{what} {text!r} has the invalid character U+{ord(c):04X} at {at}")
