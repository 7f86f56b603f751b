"""Defaults: the newest plan, and the settings of the running ``./rondo up``."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import policies, sources
from .api import Api
from .errors import InputError
from .limits import PARTITIONS
from .policies import Policy
from .sources import Source


@dataclass(frozen=True)
class Running:
    """The data folder of a Rondo."""

    folder: Path

    def plan(self) -> Path:
        """Return the plan written last."""
        plans = sorted((self.folder / "loadgen").glob("*.json"), key=lambda file: file.stat().st_mtime)
        if not plans:
            raise InputError(
                f"there is no plan in {self.folder / 'loadgen'}: run ./rondo loadgen, or name one (--plan)"
            )
        return plans[-1]

    def policies(self) -> list[Policy]:
        """Policies of the topology started last."""
        if not self._settings_file.exists():
            raise InputError(f"no Rondo has run in {self.folder}: name the policies file (--policies)")
        file = self._setting("policies.file")
        return policies.read(Path(file)) if file else policies.parse(policies.DEFAULT_YAML)

    def sources(self) -> list[Source]:
        """List the sources of the topology started last, if it has a sources file."""
        file = self._setting("sources.file")
        return sources.read(Path(file)) if file else []

    def partitions(self) -> int:
        """Return the number of partitions of the series."""
        return int(self._setting("partitions") or PARTITIONS)

    @property
    def _settings_file(self) -> Path:
        return self.folder / "topology" / "topology.properties"

    def _setting(self, name: str) -> str | None:
        """Return a setting of the topology; None if it is not set, or no topology has run here."""
        if not self._settings_file.exists():
            return None
        for line in self._settings_file.read_text(encoding="iso-8859-1").splitlines():
            key, _, value = line.partition("=")
            if key == name:
                return value.replace("\\:", ":").replace("\\=", "=").replace("\\\\", "\\")
        return None

    def postgres(self) -> str:
        """URL of PostgreSQL."""
        url = self._state().get("postgres")
        if not url:
            raise InputError(f"no Rondo has run in {self.folder}: name the database (--postgres)")
        return str(url)

    def api(self, token_file: Path | None) -> Api | None:
        """Return the query API; None if no Rondo is known to run.

        The token is that of ``token_file``, by default that of the running Rondo.
        """
        state = self._state()
        own = Path(state["apiToken"]) if state.get("apiToken") else None
        return Api.of(state["api"], token_file or own) if state.get("api") else None

    def _state(self) -> dict[str, Any]:
        try:
            state = json.loads((self.folder / "rondo.json").read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as e:
            raise InputError(f"{self.folder / 'rondo.json'} cannot be read: {e} (--dir)") from e
        return state if isinstance(state, dict) else {}
