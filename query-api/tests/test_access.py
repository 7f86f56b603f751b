"""Access by tokens and users, and the user name in the log."""

import base64
import json
from pathlib import Path

import pytest

from rondo_query_api.app import create_app
from rondo_query_api.settings import Settings, SettingsError

from .in_process import client

FIND = "/metrics/find?query=*"


def basic(user: str, password: str) -> dict[str, str]:
    return {"Authorization": "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()}


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, str]:
    tokens, users = tmp_path / "tokens", tmp_path / "users"
    tokens.write_text("# of Grafana\nt3\n\n  # of scripts\n  t4\n")
    users.write_text("eve:pässword:with colon\n")
    return {"tokens": "t1, t2", "tokens_file": str(tokens), "users": "ann:secret", "users_file": str(users)}


@pytest.mark.parametrize(
    "headers",
    [*map(bearer, ("t1", "t2", "t3", "t4")), basic("ann", "secret"), basic("eve", "pässword:with colon")],
    ids=str,
)
def test_known_credentials_are_accepted(database_url: str, settings: dict[str, str], headers: dict[str, str]) -> None:
    assert client(database_url, **settings).get(FIND, headers=headers).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        bearer("t5"),
        bearer(""),
        bearer("t1, t2"),
        bearer("# of Grafana"),
        bearer("# of scripts"),
        bearer("ann:secret"),
        basic("ann", "wrong"),
        basic("ann", ""),
        basic("", ""),
        basic("t1", ""),
        {"Authorization": "Basic !!!"},
        {"Authorization": "Digest username=ann"},
        {"Authorization": "t1"},
    ],
    ids=str,
)
def test_other_credentials_are_refused(database_url: str, settings: dict[str, str], headers: dict[str, str]) -> None:
    locked = client(database_url, **settings)
    for path in (FIND, "/render?target=a", "/version", "/nosuch", "/health/else"):
        response = locked.get(path, headers=headers)
        assert (response.status_code, response.text.count("\n")) == (401, 1)
        every = 'Bearer realm="rondo", Basic realm="rondo", charset="UTF-8"'
        # a browser asks for a password if it may, also where the page has sent a token
        sends_token = headers.get("Authorization", "").startswith("Bearer ")
        wanted = 'Bearer realm="rondo", error="invalid_token"' if sends_token else every
        assert response.headers["WWW-Authenticate"] == wanted
    assert locked.get("/health", headers=headers).status_code == 200


def test_the_page_is_open_if_only_tokens_are_accepted(database_url: str) -> None:
    for users, expected in (("", 200), ("ann:secret", 401)):
        locked = client(database_url, tokens="t1", users=users)
        assert [locked.get(path).status_code for path in ("/", "/page/app.js")] == [expected] * 2
        assert [locked.get(path).status_code for path in (FIND, "/nosuch", "/page")] == [401] * 3


@pytest.mark.parametrize("token", ["a=b", "a=b=", "=", "YWJj=ZGVm==", 'a="b"', "a b", "tökén", "a:b/c+d~e"])
def test_any_configured_token_is_accepted(database_url: str, tmp_path: Path, token: str) -> None:
    header = {"Authorization": f"Bearer {token.encode().decode('latin-1')}"}
    wrong = {"Authorization": f"Bearer {token.encode().decode('latin-1')}x"}
    scopes = tmp_path / "scopes.toml"
    scopes.write_text(f"[shop]\ntokens = ['{token}']\nprefixes = ['shop.']\n")
    for given in ({"tokens": token}, {"scopes_file": str(scopes)}, {"write_tokens": token, "tokens": "other"}):
        locked = client(database_url, **given)
        assert (locked.get(FIND, headers=header).status_code, locked.get(FIND, headers=wrong).status_code) == (200, 401)


def test_without_credentials_access_is_open(database_url: str) -> None:
    for headers in ({}, bearer("t"), basic("ann", "x")):
        assert client(database_url).get(FIND, headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"users": "ann"}, "RONDO_API_USERS or its file has 'ann' without a colon and a password"),
        ({"tokens_file": "/nosuch"}, "RONDO_API_TOKENS_FILE is '/nosuch', which cannot be read: "),
        ({"tokens_file": "/dev/null"}, "RONDO_API_TOKENS_FILE is '/dev/null', which has no entry"),
    ],
)
def test_wrong_settings_stop_the_start(given: dict[str, str], message: str) -> None:
    with pytest.raises(SettingsError, match=f"^{message}"):
        create_app(Settings(**given))  # type: ignore[arg-type]


def test_secrets_are_not_shown() -> None:
    assert "secret" not in repr(Settings(tokens="secret", users="ann:secret"))


@pytest.mark.parametrize(("proxies", "expected"), [("127.0.0.0/8", "carol"), ("10.0.0.0/8", "ann")])
def test_the_log_names_the_user(
    database_url: str, capsys: pytest.CaptureFixture[str], proxies: str, expected: str
) -> None:
    settings = {"user_header": "X-Forwarded-User", "trusted_proxies": proxies, "log_level": "info"}
    locked = client(database_url, users="ann:secret", **settings)
    assert locked.get(FIND, headers=basic("ann", "secret") | {"X-Forwarded-User": "carol"}).status_code == 200
    [line] = capsys.readouterr().out.splitlines()
    assert json.loads(line)["user"] == expected
    assert "secret" not in line
