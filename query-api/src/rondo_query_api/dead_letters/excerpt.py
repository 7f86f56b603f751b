r"""Shows the beginning of arbitrary bytes on one line: text as text with line ends as ``\n``, anything else as hex."""

import codecs
import unicodedata

HEX_BYTES = 32
MAX_BYTES_PER_CHARACTER = 4
ESCAPES = str.maketrans({"\r": r"\r", "\n": r"\n", "\t": r"\t"})
# Control, format, surrogate, private use, unassigned; separators of lines and paragraphs.
NOT_TEXT = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def excerpt(value: bytes, most: int) -> str:
    """At most ``most`` characters of text, or ``HEX_BYTES`` bytes; no control characters."""
    head = value[: most * MAX_BYTES_PER_CHARACTER]
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(head, final=len(head) == len(value))
    except UnicodeDecodeError:
        return _hex(value)
    if any(each not in "\r\n\t" and unicodedata.category(each) in NOT_TEXT for each in text):
        return _hex(value)
    line = text.translate(ESCAPES)
    return line if len(line) <= most else f"{line[:most]}…"


def _hex(value: bytes) -> str:
    return f"hex {value[:HEX_BYTES].hex(' ')}{' …' if len(value) > HEX_BYTES else ''}"
