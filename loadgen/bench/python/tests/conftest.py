from collections.abc import Iterator

import pytest
from tests import postgres

pytest_plugins = ["tests.reports"]


@pytest.fixture(scope="session")
def server_url() -> Iterator[str]:
    with postgres.folder() as folder, postgres.server(folder) as url:
        yield url
