"""Client of the query API's /render."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from .errors import InputError

TIMEOUT_S = 30
UNAUTHORIZED = 401


@dataclass(frozen=True)
class Api:
    """A query API at ``url``; ``token`` is None if it requires none."""

    url: str
    token: str | None = field(default=None, repr=False)

    @classmethod
    def of(cls, url: str, token_file: Path | None) -> "Api":
        """Return the query API at a URL, with the token of a file if there is one."""
        return cls(url.rstrip("/"), _token(token_file) if token_file else None)

    def render(self, query: dict[str, Any]) -> list[tuple[float | None, int]]:
        """Values and times, epoch seconds, of the first series in the response; none without a series."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        request = Request(f"{self.url}/render", data=urlencode(query).encode(), headers=headers)  # noqa: S310 the user's own URL
        try:
            with urlopen(request, timeout=TIMEOUT_S) as response:  # noqa: S310
                found = json.loads(response.read())
        except (URLError, TimeoutError, ValueError) as e:
            option = "--api"
            if isinstance(e, HTTPError):
                e.close()
                option = "--token-file" if e.code == UNAUTHORIZED else option
            raise InputError(f"the query API at {self.url}/render does not answer: {e} ({option})") from e
        return [(value, time) for value, time in found[0]["datapoints"]] if found else []


def _token(file: Path) -> str:
    """Return the first token of a file in the format of RONDO_API_TOKENS_FILE."""
    try:
        lines = [line.strip() for line in file.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError) as e:
        raise InputError(f"token file {file} cannot be read: {getattr(e, 'strerror', None) or e} (--token-file)") from e
    tokens = [line for line in lines if line and not line.startswith("#")]
    if not tokens:
        raise InputError(f"token file {file} has no token (--token-file)")
    return tokens[0]
