"""A PgBouncer that gives each transaction any of its two connections, which other clients use too."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest

from .api_server import ApiClient, serve
from .conftest import MakePolicy
from .waiting import wait_until

PROGRAM = shutil.which("pgbouncer") or ""
pytestmark = pytest.mark.skipif(not PROGRAM, reason="no pgbouncer here; apt install pgbouncer")
T = 1_700_006_400
REQUESTS = 60
PORT = 6432  # only a part of the socket's name


class Pooler:
    """PgBouncer in front of the server of ``database_url``."""

    def __init__(self, folder: Path, database_url: str) -> None:
        server = urlsplit(database_url)
        # A socket in a separate folder: another server might take a port before PgBouncer listens on it.
        self.url = f"postgresql://{server.username}@{server.path}?host={folder}&port={PORT}"
        self.settings = folder / "pgbouncer.ini"
        users = folder / "users.txt"
        with psycopg.connect(database_url) as connection:
            users.write_text(f'"{server.username}" "{connection.info.password}"\n')
        self.settings.write_text(f"""
[databases]
* = host={server.hostname} port={server.port}
[pgbouncer]
listen_addr =
listen_port = {PORT}
unix_socket_dir = {folder}
pool_mode = transaction
default_pool_size = 2
auth_type = trust
auth_file = {users}
""")
        self.start()

    def start(self) -> None:
        """Start it and wait until it answers."""
        user = ["--user", "nobody"] if os.geteuid() == 0 else []  # it refuses to run as root
        self.process = subprocess.Popen([PROGRAM, *user, str(self.settings)], stderr=subprocess.DEVNULL)
        wait_until(self.answers, "PgBouncer answers", not_yet=(psycopg.OperationalError,))

    def answers(self) -> bool:
        assert self.process.poll() is None, f"PgBouncer ended with {self.process.returncode}"
        with psycopg.connect(self.url):
            return True

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture(scope="module")
def pooler(database_url: str) -> Iterator[Pooler]:
    with TemporaryDirectory(prefix="rondo-pgbouncer-") as folder:
        Path(folder).chmod(0o755 if os.geteuid() else 0o777)  # for PgBouncer's user
        pooler = Pooler(Path(folder), database_url)
        yield pooler
        pooler.kill()


@pytest.fixture(scope="module")
def api(pooler: Pooler, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiClient]:
    settings = {"RONDO_API_CACHE_SECONDS": "0", "RONDO_API_WORKERS": "2"}
    with serve(tmp_path_factory.mktemp("pooled"), pooler.url, **settings) as api:
        yield api


def test_answers_of_many_requests(api: ApiClient, pooler: Pooler, make_policy: MakePolicy, root: str) -> None:
    policy = make_policy().archive(10, 360)
    policy.series({"name": f"{root}.a", "host": root}).slots(10, {T: 1.0})
    policy.series(f"{root}.b").slots(10, {T: 2.0})

    def ask(request: int) -> None:
        if request % 3 == 0:
            assert [node["text"] for node in api.get("/metrics/find", query=f"{root}.*").json] == ["b"]
        elif request % 3 == 1:
            assert api.get("/tags/findSeries", expr=f"host={root}").json == [f"{root}.a;host={root}"]
        else:
            rendered = api.render([f"{root}.b", f"seriesByTag('host={root}')"], T - 10, T)
            assert sorted(series["datapoints"][-1] for series in rendered) == [[1.0, T], [2.0, T]]

    def ask_all() -> None:
        with ThreadPoolExecutor(8) as threads:
            for answer in [threads.submit(ask, request) for request in range(REQUESTS)]:
                answer.result()

    ask_all()
    pooler.kill()
    assert api.get("/health").status == 503
    pooler.start()
    ask_all()
    assert api.get("/health").json["ok"]
    with psycopg.connect(pooler.url, autocommit=True, prepare_threshold=None) as other:
        for setting, default in (
            ("default_transaction_read_only", "off"),
            ("enable_seqscan", "on"),
            ("statement_timeout", "0"),
        ):
            assert other.execute(f"show {setting}".encode()).fetchone() == (default,)


def test_events_are_stored(api: ApiClient) -> None:
    tag = f"tag{uuid4().hex}"
    posted = api.post_json("/events/", {"what": "deploy", "tags": [tag], "when": T})
    assert posted.status == 200, posted.text
    assert [event["what"] for event in api.get("/events/get_data", tags=tag).json] == ["deploy"]


def test_statement_timeout(pooler: Pooler, api_directory: Path, database_url: str) -> None:
    with serve(api_directory, pooler.url, RONDO_API_STATEMENT_TIMEOUT_MS="1000") as api:
        assert api.get("/health").json["ok"]
        with psycopg.connect(database_url) as other:
            other.execute("lock table ds")
            assert "took longer than 1000 ms" in api.get("/health").json["reason"]
