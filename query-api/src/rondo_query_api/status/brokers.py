"""Status of the brokers, by the connection of the API to Kafka."""

from collections.abc import Mapping
from functools import cached_property

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient

from .model import Instance
from .part_client import TIMEOUT_S
from .rules import BROKER_DOWN

SOURCES = "sources"
MAX_REASON = 300


class Brokers:
    """Describes the cluster; ``connection``, the settings of librdkafka, is empty if no Kafka is configured."""

    def __init__(self, connection: Mapping[str, str]) -> None:
        self._connection = connection
        self._error = ""  # of the last failed connection: a failed request only says that it timed out

    @cached_property
    def _client(self) -> AdminClient:
        """Connect at the first request, which is after the fork of the worker."""
        return AdminClient(
            {"client.id": "rondo-query-api", "log_level": 0, "error_cb": self._keep, **self._connection}  # type: ignore[dict-item]
        )

    def _keep(self, error: KafkaError) -> None:
        if error.code() != KafkaError._ALL_BROKERS_DOWN:
            self._error = error.str()[:MAX_REASON]

    def instances(self) -> list[Instance]:
        """Return Kafka as one instance, none if it is not configured. The request needs no right."""
        if not self._connection:
            return []
        servers = self._connection["bootstrap.servers"]
        self._error = ""
        try:
            count = len(self._client.describe_cluster(request_timeout=TIMEOUT_S).result().nodes)
        except KafkaException as e:
            self._client.poll(0)  # calls _keep
            reason = self._error or e.args[0].str()
            text = f"Kafka at {servers} does not answer: {reason}. Producers buffer or lose their records"
            return [Instance(f"Kafka {servers}", False, problems=[BROKER_DOWN.problem(SOURCES, text)])]
        return [Instance(f"Kafka {servers}, {count} broker{'s' if count > 1 else ''}", True)]
