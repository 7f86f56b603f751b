import re
from dataclasses import fields

import pytest

from rondo_query_api.settings import PREFIX, Settings, SettingsError

from .api_server import QUERY_API
from .settings_page import PAGE, page


def test_reads_typed_values_and_ignores_others() -> None:
    settings = Settings.from_environment({"RONDO_API_WORKERS": "7", "RONDO_OTHER": "x", "HOME": "/"})
    assert settings == Settings(workers=7)


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("RONDO_API_WORKER", "2", "RONDO_API_WORKER is not a setting; the nearest one is RONDO_API_WORKERS"),
        ("RONDO_API_X", "2", "RONDO_API_X is not a setting"),
        ("RONDO_API_WORKERS", "0", "RONDO_API_WORKERS is '0', not a whole number of at least 1"),
        ("RONDO_API_THREADS", "²", "RONDO_API_THREADS is '²', not a whole number"),
        ("RONDO_API_BIND", "8888", "RONDO_API_BIND is '8888', not host:port"),
        ("RONDO_API_LOG_LEVEL", "loud", "RONDO_API_LOG_LEVEL is 'loud', not one of debug, info"),
        ("RONDO_API_TIME_ZONE", "Mars/Base", "RONDO_API_TIME_ZONE is 'Mars/Base', not an IANA time zone"),
    ],
)
def test_refuses(variable: str, value: str, message: str) -> None:
    with pytest.raises(SettingsError, match=f"^{message}"):
        Settings.from_environment({variable: value})


def test_the_page_of_all_settings_is_current() -> None:
    """Else: .venv/bin/python -m tests.settings_page."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_readme_names_only_known_settings() -> None:
    known = {PREFIX + each.name.upper() for each in fields(Settings)}
    named = set(re.findall(r"RONDO_API_[A-Z_]*[A-Z]", (QUERY_API / "README.md").read_text(encoding="utf-8")))
    assert named
    assert named <= known
