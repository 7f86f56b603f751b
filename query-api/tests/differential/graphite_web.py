"""A real graphite-web 1.1.10 with real whisper files, as a server process."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .. import running
from ..api_server import FREE_ADDRESS, ApiClient, await_response
from ..postgres import REPOSITORY

HERE = Path(__file__).parent
LOCK = HERE / "graphite-web.lock"
ORACLE = HERE / "oracle"
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ORACLE), "PYTHONWARNINGS": "ignore"}


def python() -> Path:
    """Python of a virtual environment with the locked packages; created at the first use, then kept in target/."""
    key = hashlib.sha256(LOCK.read_bytes() + sys.version.encode()).hexdigest()[:16]
    venv = REPOSITORY / "target" / f"graphite-web-{key}"
    interpreter, stamp = venv / "bin" / "python", venv / "complete"
    if not stamp.exists():
        shutil.rmtree(venv, ignore_errors=True)
        _run(sys.executable, "-m", "venv", "--without-pip", str(venv))
        for requirements in (HERE / "setuptools.lock", LOCK):  # what comes as source is built with setuptools
            _run(
                *(sys.executable, "-m", "pip", "--python", str(interpreter), "install", "--quiet"),
                *("--disable-pip-version-check", "--no-compile", "--no-deps", "--no-build-isolation"),
                *("--require-hashes", "-r", str(requirements)),
                env=ENVIRONMENT,
            )
        stamp.touch()
    return interpreter


@contextmanager
def serve(directory: Path, series: list[dict[str, Any]]) -> Iterator[ApiClient]:
    """Load the series and start it on a free port; wait until it answers."""
    (directory / "log").mkdir()
    interpreter = python()
    env = ENVIRONMENT | {
        "DJANGO_SETTINGS_MODULE": "graphite.settings",
        "GRAPHITE_SETTINGS_MODULE": "oracle_settings",
        "ORACLE_DIRECTORY": str(directory),
        "TZ": "UTC",
    }
    _run(str(interpreter), str(ORACLE / "load.py"), env=env, input=json.dumps(series))
    options = f"--bind {FREE_ADDRESS} --preload --workers 2 --threads 2".split()
    command = [str(interpreter), "-m", "gunicorn", *options, "graphite.wsgi"]
    log = directory / "graphite-web.log"
    with (
        log.open("wb") as out,
        running.shown("graphite-web", lambda: {log.name: log}),
        subprocess.Popen(command, cwd=directory, env=env, stdout=out, stderr=subprocess.STDOUT) as process,
    ):
        try:
            yield await_response(log, process)
        finally:
            process.terminate()
            process.wait()


def _run(*command: str, **options: Any) -> None:
    """Run a command to its end; if it fails, the error has its output."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
