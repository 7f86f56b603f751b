"""HTTP client for parts of Rondo: with limits on time and size, and without redirects."""

import socket
import time
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

from ..settings import SettingsError, split_list

TIMEOUT_S = 2.0
MAX_BYTES = 8 << 20
CHUNK_BYTES = 1 << 16


class NoAnswerError(Exception):
    """A part does not answer; the message says why, and after how long."""


@dataclass(frozen=True)
class PartUrl:
    """``http://host:port`` of a part; each address of the host is an instance."""

    host: str
    port: int

    @classmethod
    def parse_all(cls, text: str, variable: str) -> "list[PartUrl]":
        """Parse the comma separated URLs of a setting; raises :class:`SettingsError`."""
        return [cls._parse(each, variable) for each in split_list(text)]

    @classmethod
    def _parse(cls, text: str, variable: str) -> "PartUrl":
        wrong = SettingsError(f"{variable} has {text!r}, not a URL such as http://127.0.0.1:8889")
        try:
            url = urlsplit(text)
            host, port = url.hostname, url.port
        except ValueError as e:
            raise wrong from e
        if url.scheme != "http" or not host or not port or url.path.strip("/") or url.query or url.username:
            raise wrong
        return cls(host, port)

    def addresses(self) -> list[str]:
        """Addresses of the host; the host itself if it has none, so that a request to it fails with the reason."""
        try:
            found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            return [self.host]
        families = {family for family, *_ in found}
        family = socket.AF_INET if socket.AF_INET in families else socket.AF_INET6  # not the same instance twice
        return sorted({str(address[0]) for each, _, _, _, address in found if each == family})


def address_text(host: str, port: int) -> str:
    """``host:port``, an IPv6 address in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


@dataclass(frozen=True)
class Answer:
    """Status and body of an answer."""

    status: int
    body: bytes


def get(host: str, port: int, path: str, timeout_s: float = TIMEOUT_S, max_bytes: int = MAX_BYTES) -> Answer:
    """Send GET to a part; raises :class:`NoAnswerError` if the answer is late or longer than ``max_bytes``."""
    deadline = time.monotonic() + timeout_s
    connection = HTTPConnection(host, port, timeout=timeout_s)
    body = bytearray()
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        while chunk := response.read1(CHUNK_BYTES):
            body += chunk
            if len(body) > max_bytes:
                raise NoAnswerError(f"{path} is longer than {max_bytes} bytes")
            if time.monotonic() > deadline:
                raise TimeoutError
        return Answer(response.status, bytes(body))
    except TimeoutError as e:
        raise NoAnswerError(f"not within {timeout_s:g} s ({path})") from e
    except (OSError, HTTPException) as e:
        raise NoAnswerError(getattr(e, "strerror", None) or str(e) or type(e).__name__) from e
    finally:
        connection.close()
