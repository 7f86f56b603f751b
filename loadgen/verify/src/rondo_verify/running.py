"""What is used where nothing is given: the newest plan, and what the running ``./rondo up`` uses."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import policies
from .errors import InputError
from .policies import Policy


@dataclass(frozen=True)
class Running:
    """The data folder of a Rondo."""

    folder: Path

    def plan(self) -> Path:
        """Plan that was written last."""
        plans = sorted((self.folder / "loadgen").glob("*.json"), key=lambda file: file.stat().st_mtime)
        if not plans:
            raise InputError(
                f"there is no plan in {self.folder / 'loadgen'}: run ./rondo loadgen, or name one (--plan)"
            )
        return plans[-1]

    def policies(self) -> list[Policy]:
        """Policies of the topology that was started last."""
        settings = self.folder / "topology" / "topology.properties"
        if not settings.exists():
            raise InputError(f"no Rondo has run in {self.folder}: name the policies file (--policies)")
        for line in settings.read_text(encoding="iso-8859-1").splitlines():
            key, _, value = line.partition("=")
            if key == "policies.file":
                return policies.read(Path(value.replace("\\:", ":").replace("\\=", "=").replace("\\\\", "\\")))
        return policies.parse(policies.DEFAULT_YAML)

    def postgres(self) -> str:
        """URL of PostgreSQL."""
        url = self._state().get("postgres")
        if not url:
            raise InputError(f"no Rondo has run in {self.folder}: name the database (--postgres)")
        return str(url)

    def api(self) -> str | None:
        """URL of the query API; None where nothing is known to run."""
        return self._state().get("api")

    def _state(self) -> dict[str, Any]:
        try:
            state = json.loads((self.folder / "rondo.json").read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as e:
            raise InputError(f"{self.folder / 'rondo.json'} cannot be read: {e} (--dir)") from e
        return state if isinstance(state, dict) else {}
