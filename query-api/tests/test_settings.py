import re
from pathlib import Path

import pytest

from rondo_query_api.kafka.connection import connection_settings
from rondo_query_api.settings import FILE, KAFKA_PREFIX, PREFIX, Settings, SettingsError, variables

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


def test_variables_win_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "api.properties"
    file.write_text("# of the API\nworkers=3\ndatabase.url = postgresql://db/x?a=b\nkafka.sasl.username=ann\n")
    settings = Settings.from_environment({"RONDO_API_CONFIG": str(file), "RONDO_API_WORKERS": "5"})
    assert settings == Settings(workers=5, database_url="postgresql://db/x?a=b", kafka={"sasl.username": "ann"})
    assert Settings.from_environment({"RONDO_API_CONFIG": ""}) == Settings()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("worker=2", "worker in .*api.properties is not a setting; the nearest one is workers$"),
        ("max.points=many", "max.points in .*api.properties is 'many', not a whole number of at least 1"),
        ("workers", "line 1 of .*api.properties is not KEY=VALUE .RONDO_API_CONFIG."),
        (None, ".*api.properties cannot be read: .*No such file.* .RONDO_API_CONFIG."),
    ],
)
def test_names_key_and_file(tmp_path: Path, text: str | None, message: str) -> None:
    file = tmp_path / "api.properties"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=f"^{message}"):
        Settings.from_environment({"RONDO_API_CONFIG": str(file)})


def test_ignores_the_variables_of_a_service() -> None:
    """Kubernetes sets them for services that are named rondo-api and rondo-api-kafka."""
    of_service = {
        "RONDO_API_SERVICE_HOST": "10.0.0.1",
        "RONDO_API_SERVICE_PORT": "8888",
        "RONDO_API_SERVICE_PORT_HTTP": "8888",
        "RONDO_API_PORT": "tcp://10.0.0.1:8888",
        "RONDO_API_PORT_8888_TCP": "tcp://10.0.0.1:8888",
        "RONDO_API_PORT_8888_TCP_ADDR": "10.0.0.1",
        "RONDO_API_PORT_8888_TCP_PORT": "8888",
        "RONDO_API_PORT_8888_TCP_PROTO": "tcp",
        "RONDO_API_KAFKA_SERVICE_HOST": "10.0.0.2",
        "RONDO_API_KAFKA_PORT_9092_TCP_ADDR": "10.0.0.2",
    }
    assert Settings.from_environment(of_service) == Settings()
    for misspelled in ("RONDO_API_PORT", "RONDO_API_SERVICE"):
        with pytest.raises(SettingsError, match=f"^{misspelled} is not a setting"):
            Settings.from_environment({misspelled: "8888"})


def test_the_page_of_all_settings_is_current() -> None:
    """Else: .venv/bin/python -m tests.settings_page."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_readme_names_only_known_settings() -> None:
    known = {PREFIX + each.name.upper() for each in variables()} | {KAFKA_PREFIX + "SASL_PASSWORD", FILE}
    named = set(re.findall(r"RONDO_API_[A-Z_]*[A-Z]", (QUERY_API / "README.md").read_text(encoding="utf-8")))
    assert named
    assert named <= known


def test_variables_of_kafka_win_over_its_file(tmp_path: Path) -> None:
    file = tmp_path / "kafka.properties"
    file.write_text("# of librdkafka\n\nclient.id = me\nsasl.password=a=b\n", encoding="utf-8")
    environment = {
        "RONDO_API_KAFKA_BOOTSTRAP_SERVERS": "kafka:9092",
        "RONDO_API_KAFKA_CONFIG": str(file),
        "RONDO_API_KAFKA_CLIENT_ID": "other",
        "RONDO_API_KAFKA_SASL_USERNAME": "ann",
    }
    settings = Settings.from_environment(environment)
    assert connection_settings(settings) == {
        "bootstrap.servers": "kafka:9092",
        "client.id": "other",
        "sasl.username": "ann",
        "sasl.password": "a=b",
    }
    assert "ann" not in repr(settings)
    del environment["RONDO_API_KAFKA_BOOTSTRAP_SERVERS"]
    assert connection_settings(Settings.from_environment(environment)) == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bootstrap.servers=a:1", "has bootstrap.servers: set RONDO_API_KAFKA_BOOTSTRAP_SERVERS instead"),
        ("security.protocol", "line 1 of .* is not KEY=VALUE .RONDO_API_KAFKA_CONFIG."),
        ("security.protcol=SSL", '^RONDO_API_KAFKA_CONFIG .*: No such configuration property: "security.protcol"'),
        ("sasl.jaas.config=x", "^RONDO_API_KAFKA_CONFIG .*: Java JAAS configuration is not supported"),
        ("security.protocol=SSL\nssl.ca.location=/none", "^RONDO_API_KAFKA_CONFIG .*: .*ssl.ca.location failed"),
        (None, "cannot be read: .*No such file.* .RONDO_API_KAFKA_CONFIG."),
    ],
)
def test_refuses_settings_of_kafka(tmp_path: Path, text: str | None, message: str) -> None:
    file = tmp_path / "kafka.properties"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=message):
        connection_settings(Settings(kafka_bootstrap_servers="a:1", kafka_config=str(file)))


def test_names_the_variable_of_kafka_that_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"^RONDO_API_KAFKA_BOOTSTRAP_SERVER: No such configuration property"):
        connection_settings(Settings(kafka_bootstrap_servers="a:1", kafka={"bootstrap.server": "b"}))
