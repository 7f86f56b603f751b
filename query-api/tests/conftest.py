import json
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from hypothesis import settings
from playwright.sync_api import Browser

from rondo_query_api import db
from rondo_query_api.limits import request_budget

from . import postgres, tenants, writable
from .api_server import ApiClient, serve
from .archive_rows import Policy
from .browser import CHROMIUM, chromium
from .differential import data, whole_rondo

pytest_plugins = ["tests.reports"]

# The speed of the machine is not under test. Without the long tests, each run has the same examples; with them, four
# times as many, and others each time.
settings.register_profile("long", deadline=None, print_blob=True)
settings.register_profile("short", settings.get_profile("long"), derandomize=True, max_examples=25)

MakePolicy = Callable[..., Policy]


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("short" if "not long" in config.option.markexpr else "long")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Reset the budget of this thread, which a request of the previous test has left, before any fixture."""
    request_budget.begin(request_budget.RequestBudget())


@pytest.fixture(scope="session")
def server_url() -> Iterator[str]:
    with postgres.folder() as folder, postgres.server(folder) as url:
        yield url


@pytest.fixture(scope="session")
def database_url(server_url: str) -> Iterator[str]:
    with postgres.fresh_database(server_url) as url:
        yield url


@pytest.fixture(scope="session")
def connection(database_url: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(database_url, autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="session")
def session(database_url: str) -> Iterator[psycopg.Connection]:
    """A database session as the query API uses it."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        db.prepare(connection, statement_timeout_ms=10_000)
        yield connection


@pytest.fixture(scope="session")
def tenant_urls(server_url: str) -> Iterator[dict[str, str]]:
    """Databases of the tenants, which no test changes: with all series (key: empty), and with those of each alone."""
    with tenants.databases(server_url) as urls:
        yield urls


@pytest.fixture(scope="session")
def api(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiClient]:
    # Tests store new values between two equal requests.
    settings = {"RONDO_API_CACHE_SECONDS": "0", "RONDO_API_EVENT_RATE": "100000", "RONDO_API_JSONP": "1"}
    with serve(tmp_path_factory.mktemp("api"), database_url, **settings) as client:
        yield client


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for the whole run; each page has its own context."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed (apt install chromium-headless-shell)")
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def begun_rondo() -> Iterator[whole_rondo.Start]:
    """A whole Rondo without series, which starts beside tests that do not use it: see reports.HEAD_START."""
    policies = json.dumps({"policies": [*data.policies(), writable.POLICY]})
    with whole_rondo.begun(policies, RONDO_API_WRITE_TOKENS=writable.WRITER, RONDO_API_JSONP="1") as start:
        yield start


@pytest.fixture(scope="session")
def new_rondo(begun_rondo: whole_rondo.Start) -> Iterator[ApiClient]:
    """A whole Rondo without series."""
    with begun_rondo.ready() as api:
        yield api


@pytest.fixture(scope="session")
def whole(new_rondo: ApiClient) -> ApiClient:
    """A whole Rondo, in which tests write by its API."""
    whole_rondo.store(new_rondo, writable.SERIES)
    return new_rondo


@pytest.fixture(scope="session")
def make_policy(connection: psycopg.Connection) -> MakePolicy:
    """Creates policies that no other test uses."""
    return lambda **properties: Policy(connection, f"policy-{uuid4().hex}", **properties)


@pytest.fixture
def root() -> str:
    """A first node that no other test uses."""
    return f"root{uuid4().hex}"


@pytest.fixture
def api_directory(tmp_path: Path) -> Path:
    """Folder of a process of the API that the test starts."""
    return tmp_path
