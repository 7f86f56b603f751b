"""The PostgreSQL of the tests."""

import subprocess
import sys
from pathlib import Path

import psycopg

ANOTHER_RUN = "def test_folder(tmp_path): tmp_path.touch()"


def test_it_survives_the_start_of_another_pytest_run(server_url: str, tmp_path: Path) -> None:
    (tmp_path / "test_another.py").write_text(ANOTHER_RUN, encoding="utf-8")
    subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tmp_path], check=True, timeout=60)
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute("create table written (n int)")
        connection.execute("drop table written")
        connection.execute("checkpoint")
