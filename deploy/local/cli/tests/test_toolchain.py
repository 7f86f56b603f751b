import os
import shutil
import subprocess
from pathlib import Path

import pytest

TOOLCHAIN = Path(__file__).parents[1] / "toolchain.sh"


def find_unzip(path: Path, home: Path) -> subprocess.CompletedProcess[str]:
    command = [shutil.which("bash") or "bash", "-c", f"set -eu; source '{TOOLCHAIN}'; find_unzip"]
    environment = {name: value for name, value in os.environ.items() if name != "MAVEN_USER_HOME"}
    environment |= {"PATH": str(path), "HOME": str(home)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_missing_unzip_is_named_before_maven_is_fetched(tmp_path: Path) -> None:
    (tmp_path / ".m2/wrapper/dists/apache-maven-3.9.16").mkdir(parents=True)  # left by a failed download
    run = find_unzip(tmp_path, tmp_path)
    assert run.returncode == 1
    assert run.stderr == "rondo: Rondo's build needs unzip on the PATH. On Debian: sudo apt install unzip\n"


def test_unzip_is_not_needed_once_maven_is_installed(tmp_path: Path) -> None:
    maven = tmp_path / ".m2/wrapper/dists/apache-maven-3.9.16/56ba1f9f/bin/mvn"
    maven.parent.mkdir(parents=True)
    maven.touch()
    assert find_unzip(tmp_path, tmp_path).returncode == 0


@pytest.mark.parametrize("language", [{}, {"LC_ALL": "C"}, {"LANG": "C.UTF-8"}])
def test_java_receives_names_with_any_characters(language: dict[str, str], tmp_path: Path) -> None:
    """Without a locale, as in a container or a systemd unit, Java would read such characters as U+FFFD."""
    program = tmp_path / "Letters.java"
    program.write_text(
        "class Letters { public static void main(String[] a) { System.out.print(a[0].length() + a[0]); }}"
    )
    script = f"set -eu; source '{TOOLCHAIN}'; find_java; use_utf8; \"$JAVA_HOME/bin/java\" '{program}' 'größe'"
    environment = {name: os.environ[name] for name in ("PATH", "HOME", "JAVA_HOME") if name in os.environ}
    run = subprocess.run(
        [shutil.which("bash") or "bash", "-c", script], env=environment | language, capture_output=True, check=True
    )
    assert run.stdout.decode() == "5größe"
