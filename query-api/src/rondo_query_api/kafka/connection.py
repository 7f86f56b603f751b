"""Settings of librdkafka for the connection to Kafka, from a file and from variables, which override the file."""

from collections.abc import Mapping

from confluent_kafka import KafkaException, Producer

from ..settings import KAFKA_PREFIX, Settings, SettingsError, read_properties

SERVERS = "bootstrap.servers"
FILE = "RONDO_API_KAFKA_CONFIG"


def connection_settings(settings: Settings) -> dict[str, str]:
    """Return librdkafka's settings; empty without servers. Raises :class:`SettingsError` if librdkafka refuses one."""
    if not settings.kafka_bootstrap_servers:
        return {}
    given = _read(settings.kafka_config) if settings.kafka_config else {}
    given |= settings.kafka
    if given:
        _check(given, settings)
    return {**given, SERVERS: settings.kafka_bootstrap_servers}


def _check(given: Mapping[str, str], settings: Settings) -> None:
    try:
        Producer({**given, SERVERS: "", "log_level": 0})  # without servers it opens no connection
    except KafkaException as e:
        raise SettingsError(f"{_origin(settings)}: {e.args[0].str()}") from e


def needs(right: str, topic: str) -> str:
    """Name the missing right."""
    return f"the user of the API needs {right} on topic {topic}, see ./rondo acls"


def _read(name: str) -> dict[str, str]:
    given = read_properties(name, FILE)
    if SERVERS in given:
        raise SettingsError(f"{name} has {SERVERS}: set RONDO_API_KAFKA_BOOTSTRAP_SERVERS instead ({FILE})")
    return given


def _origin(settings: Settings) -> str:
    """Name the file and the variables that a refused setting may come from."""
    variables = [f"{KAFKA_PREFIX}{key.upper().replace('.', '_')}" for key in settings.kafka]
    return ", ".join([f"{FILE} {settings.kafka_config}"] * bool(settings.kafka_config) + sorted(variables))
