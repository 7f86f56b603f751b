"""Whether Kafka answers, asked by the API's own connection."""

from collections.abc import Mapping
from functools import cached_property

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from .model import Instance, Problem, State, runbook
from .part_client import TIMEOUT_S

SOURCES = "sources"


class Brokers:
    """Asks for the brokers; ``connection``, the settings of librdkafka, is empty if the API knows no Kafka."""

    def __init__(self, connection: Mapping[str, str]) -> None:
        self._connection = connection

    @cached_property
    def _client(self) -> AdminClient:
        """Connect at the first look: after the fork of the worker."""
        return AdminClient({"client.id": "rondo-query-api", "log_level": 0, **self._connection})

    def instances(self) -> list[Instance]:
        """Kafka, unless the API does not know it. The request needs no right."""
        if not self._connection:
            return []
        servers = self._connection["bootstrap.servers"]
        try:
            count = len(self._client.describe_cluster(request_timeout=TIMEOUT_S).result().nodes)
        except KafkaException as e:
            text = f"Kafka at {servers} does not answer: {e.args[0].str()}. Senders keep or lose what they send"
            down = Problem(State.CRITICAL, SOURCES, text, runbook("RondoBrokerDown"))
            return [Instance(f"Kafka {servers}", False, problems=[down])]
        return [Instance(f"Kafka {servers}, {count} broker{'s' if count > 1 else ''}", True)]
