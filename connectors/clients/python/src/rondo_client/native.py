"""Records of the native format: Avro in single-object encoding, idents as differences."""

import math
import struct
from itertools import takewhile

HEADER = bytes.fromhex("c301 37426c7131a63e72")
MAX_POINTS = 900  # of the longest idents: below message.max.bytes

Point = tuple[bytes, int, float]


def records(points: list[Point]) -> list[tuple[bytes, int]]:
    """Return the records of points ``(ident, epoch ms, value)``, and the number of points in each.

    Values that are NaN or infinite are unknown, and skipped.
    """
    known = [point for point in points if math.isfinite(point[2])]
    batches = [known[at : at + MAX_POINTS] for at in range(0, len(known), MAX_POINTS)]
    return [(record(batch), len(batch)) for batch in batches]


def record(points: list[Point]) -> bytes:
    """Return one record."""
    base_ms = points[0][1]
    out = bytearray(HEADER) + number(base_ms) + number(len(points))
    previous = b""
    for ident, t_ms, value in points:
        head = common(previous, ident)
        tail = common(previous[head:][::-1], ident[head:][::-1])
        middle = ident[head : len(ident) - tail]
        out += number(head) + number(tail) + number(len(middle)) + middle + number(t_ms - base_ms)
        out += struct.pack("<d", value)
        previous = ident
    return bytes(out) + b"\0"


def common(one: bytes, other: bytes) -> int:
    """Return the length of the common prefix."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def number(value: int) -> bytes:
    """Return Avro's long: zigzag, seven bits a byte, the lowest first."""
    bits = (value << 1) ^ (value >> 63)
    out = bytearray()
    while bits > 0x7F:  # noqa: PLR2004
        out.append(bits & 0x7F | 0x80)
        bits >>= 7
    out.append(bits)
    return bytes(out)
