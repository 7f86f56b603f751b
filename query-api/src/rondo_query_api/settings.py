"""Settings from the environment and a file: read once, typed; an unknown name is an error."""

import difflib
import math
import os
import re
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

PREFIX = "RONDO_API_"
KAFKA_PREFIX = PREFIX + "KAFKA_"
FILE = PREFIX + "CONFIG"
# Kubernetes sets these in every pod for each service of its namespace, such as one with the name rondo-api.
SERVICE_VARIABLE = re.compile(r".+_(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT_\d+_(TCP|UDP|SCTP)(_(ADDR|PORT|PROTO))?)")
SERVICE_ADDRESS = re.compile(r"(tcp|udp|sctp)://\S+:\d+")
PATH_PREFIX = re.compile(r"(/[\w.~-]+)+", re.ASCII)
DOCS_URL = re.compile(r"https?://[^\s\"'<>]+/")
LOG_LEVELS = ("debug", "info", "warning", "error")


class SettingsError(ValueError):
    """A setting is invalid; the message names the variable, its value and its bounds."""


def _setting(default: object, doc: str, minimum: int = 1, maximum: float = math.inf) -> Any:
    return field(default=default, metadata={"doc": doc, "minimum": minimum, "maximum": maximum})


def _secret(doc: str) -> Any:
    return field(default="", repr=False, metadata={"doc": doc})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Each field is one setting: ``database_url`` is ``RONDO_API_DATABASE_URL``, in the file ``database.url``."""

    database_url: str = _setting(
        "postgresql://rondo@127.0.0.1:5432/rondo", "PostgreSQL with the archives, as a libpq URI."
    )
    kafka_bootstrap_servers: str = _setting(
        "",
        "Kafka of the topology, as host:port, comma separated: `/tags/delSeries` sends deletions there, and"
        " `/dead-letters` reads there.",
    )
    kafka_series_requests_topic: str = _setting(
        "rondo.series-requests", "Topic that takes deletions; its name begins with the `rondo.prefix` of the topology."
    )
    kafka_dead_letters_topic: str = _setting(
        "rondo.dead-letters", "Topic of dead letters; its name begins with the `rondo.prefix` of the topology."
    )
    kafka_config: str = _setting(
        "",
        "File with settings of the connection to Kafka, `key=value`:"
        " [those of librdkafka](https://github.com/confluentinc/librdkafka/blob/master/CONFIGURATION.md),"
        " such as `security.protocol` and `ssl.ca.location`. A variable such as `RONDO_API_KAFKA_SASL_PASSWORD`"
        " wins over the file.",
    )
    kafka: Mapping[str, str] = field(default_factory=dict, repr=False)
    bind: str = _setting("127.0.0.1:8888", "Address and port to listen on.")
    path_prefix: str = _setting("", "Prefix of all paths, such as `/graphite`.")
    workers: int = _setting(2, "Worker processes.")
    threads: int = _setting(4, "Maximum concurrent requests, and maximum database connections, of each process.")
    request_connections: int = _setting(
        2, "Maximum database connections of one request; it uses more than one only while others are idle."
    )
    client_requests: int = _setting(3, "Maximum concurrent requests of a client in each process; further ones wait.")
    client_rate: int = _setting(1_000, "Maximum requests of a client in a second, in each process; above it 429.")
    connections: int = _setting(
        800, "Maximum connections of each process; above it the one that has waited longest is closed."
    )
    address_connections: int = _setting(
        200,
        "Maximum connections of an address in each process, likewise; `RONDO_API_TRUSTED_PROXIES` have no maximum.",
    )
    max_waiting: int = _setting(100, "Maximum requests that wait in each process; further ones get 503.")
    worker_memory_bytes: int = _setting(
        2_147_483_648, "Maximum memory of each process, bytes, on Linux; a process that keeps most of it is replaced."
    )
    statement_timeout_ms: int = _setting(10_000, "Time limit of one SQL statement, milliseconds.")
    request_timeout_ms: int = _setting(30_000, "Time limit of one request, milliseconds; above it the response is 504.")
    connect_timeout_ms: int = _setting(2_000, "Maximum wait for a database connection, milliseconds.")
    find_max_nodes: int = _setting(100_000, "Maximum nodes of the tree that one pattern may inspect.")
    time_zone: str = _setting("UTC", "IANA time zone of requests that name none.")
    max_targets: int = _setting(1_000, "Maximum targets of a request, or queries of `/metrics/expand`.")
    max_target_length: int = _setting(65_536, "Maximum length of a target, characters.")
    max_range_days: int = _setting(36_525, "Maximum time from `from` to `until`, days.")
    max_series: int = _setting(50_000, "Maximum series that a request reads, over all its targets.")
    max_points: int = _setting(10_000_000, "Maximum points that a request reads or computes.")
    max_rows: int = _setting(
        1_000_000, "Maximum nodes, series, tags and values that a request reads from the tables of names."
    )
    max_derived_bytes: int = _setting(
        134_217_728, "Maximum bytes of the names of series that functions of a request derive, and 500 for each."
    )
    max_response_bytes: int = _setting(
        268_435_456, "Maximum size of a response before compression, bytes; of `/render` it is estimated beforehand."
    )
    max_events: int = _setting(10_000, "Maximum events of a response.")
    max_event_bytes: int = _setting(16_777_216, "Maximum bytes of texts and tags of the events of a response.")
    event_rate: int = _setting(60, "Maximum events that a client stores in a minute, in each process.")
    event_retention_days: int = _setting(
        3_650, "Days after which events are deleted, by the process that stores others; 0 keeps them.", minimum=0
    )
    max_body_bytes: int = _setting(4_194_304, "Maximum size of a request body, bytes.")
    tokens: str = _secret(
        "Accepted bearer tokens, comma separated. Without tokens, scopes and users, access is open to everyone."
    )
    tokens_file: str = _setting("", "File with more tokens, one on each line.")
    write_tokens: str = _secret(
        "Accepted bearer tokens that may also delete series, store events and resend dead letters, comma separated."
        " Without any, nobody may delete or resend; without any token or user, everyone may store events."
    )
    write_tokens_file: str = _setting("", "File with more of these tokens, one on each line.")
    scopes_file: str = _setting(
        "", "TOML file with [scopes](../how-to/tenants.md#scopes): tokens that see a part of the series and events."
    )
    users: str = _secret("Users and passwords for basic authentication: `ann:secret,bob:other`.")
    users_file: str = _setting("", "File with more users, one `user:password` on each line.")
    user_header: str = _setting(
        "", "Header in which a trusted proxy passes the user's name, for the log: `X-Forwarded-User`."
    )
    trusted_proxies: str = _setting(
        "127.0.0.1,::1",
        "Addresses or networks of proxies, comma separated: their header is trusted, their connections have no limit.",
    )
    allowed_origins: str = _setting(
        "", "Origins whose pages may call the API from a browser (CORS), comma separated; `*` for all."
    )
    jsonp: int = _setting(
        0,
        "1 allows the parameter `jsonp`, by which a page of another origin reads responses; origins of other sites must"
        " also be in `RONDO_API_ALLOWED_ORIGINS`.",
        minimum=0,
        maximum=1,
    )
    allowed_hosts: str = _setting(
        "",
        "Host names of the API that requests may use where access is open to everyone, besides addresses, names without"
        " a dot, and those that end in `.localhost`, `.local`, `.internal` or `.svc`; comma separated, `*` for all.",
    )
    topology_urls: str = _setting(
        "",
        "URLs of the topology's instances for `/status`, `http://host:port`, comma separated; each address of a host is"
        " an instance.",
    )
    connect_urls: str = _setting("", "URLs of the REST interfaces of Connect workers for `/status`, likewise.")
    connect_metrics_urls: str = _setting("", "URLs of the metrics of Connect workers for `/status`, likewise.")
    docs_url: str = _setting(
        "", "Base URL of the links of `/status` to pages such as `docs/runbooks/RondoSinkRetries.md`, `https://…/`."
    )
    cache_seconds: int = _setting(
        10,
        "How long a response of `/render` is cached, seconds, if its range ended five minutes ago; others are cached"
        " for one second. 0 disables the cache.",
        minimum=0,
    )
    cache_bytes: int = _setting(33_554_432, "Size of this cache in each process, bytes.")
    log_level: str = _setting("info", f"Lowest level that is logged: {', '.join(LOG_LEVELS)}.")
    log_level_file: str = _setting(
        "", "File with another level, which applies [while the API runs](../how-to/logs.md); it may be absent."
    )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Read every ``RONDO_API_*`` variable, and the file that one of them names; variables override the file.

        Other variables that begin with ``RONDO_API_KAFKA_`` are settings of librdkafka. Raises
        :class:`SettingsError` for an unknown or invalid setting.
        """
        name = environment.get(FILE, "")
        of_file = read_properties(name, FILE) if name else {}
        given = {_variable(key): (text, f"{key} in {name}") for key, text in of_file.items()}
        given |= {
            variable: (text, variable)
            for variable, text in environment.items()
            if variable.startswith(PREFIX) and variable != FILE and not _is_of_service(variable, text)
        }
        known = {_variable(each.name): each for each in variables()}
        values: dict[str, Any] = {}
        kafka: dict[str, str] = {}
        for variable, (text, origin) in given.items():
            setting = known.get(variable)
            if setting is not None:
                values[setting.name] = _number(setting, text, origin) if setting.type is int else text
            elif variable.startswith(KAFKA_PREFIX):
                kafka[variable.removeprefix(KAFKA_PREFIX).lower().replace("_", ".")] = text
            else:
                nearest = difflib.get_close_matches(variable, known, n=1, cutoff=0)[0]
                named = nearest if origin == variable else key_of(known[nearest])
                raise SettingsError(f"{origin} is not a setting; the nearest one is {named}")
        return cls(**values, kafka=kafka)

    def __post_init__(self) -> None:
        """Check constraints that types cannot express."""
        host, _, port = self.bind.rpartition(":")
        if not host or not port.isdigit():
            raise SettingsError(f"RONDO_API_BIND is {self.bind!r}, not host:port")
        if self.log_level not in LOG_LEVELS:
            raise SettingsError(f"RONDO_API_LOG_LEVEL is {self.log_level!r}, not one of {', '.join(LOG_LEVELS)}")
        if self.path_prefix and not PATH_PREFIX.fullmatch(self.path_prefix):
            raise SettingsError(f"RONDO_API_PATH_PREFIX is {self.path_prefix!r}, not a path such as /graphite")
        for proxy in split_list(self.trusted_proxies):
            try:
                ip_network(proxy, strict=False)
            except ValueError as e:
                raise SettingsError(f"RONDO_API_TRUSTED_PROXIES has {proxy!r}, not an address or network") from e
        if self.docs_url and not DOCS_URL.fullmatch(self.docs_url):
            raise SettingsError(
                f"RONDO_API_DOCS_URL is {self.docs_url!r}, not a URL such as https://git.example/rondo/"
            )
        try:
            ZoneInfo(self.time_zone)
        except (ZoneInfoNotFoundError, ValueError) as e:
            raise SettingsError(f"RONDO_API_TIME_ZONE is {self.time_zone!r}, not an IANA time zone") from e


def variables() -> list[Field[Any]]:
    """List the fields that are variables."""
    return [each for each in fields(Settings) if "doc" in each.metadata]


def key_of(setting: Field[Any]) -> str:
    """Return the key of a setting in the file: ``database.url`` of ``database_url``."""
    return setting.name.replace("_", ".")


def read_properties(name: str, setting: str) -> dict[str, str]:
    """Read the lines ``key=value`` of the file that a setting names; raises :class:`SettingsError`."""
    given = {}
    try:
        lines = Path(name).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as e:
        raise SettingsError(f"{name} cannot be read: {e} ({setting})") from e
    for number, line in enumerate(lines, 1):
        key, equals, value = line.partition("=")
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not equals:
            raise SettingsError(f"line {number} of {name} is not KEY=VALUE ({setting})")
        given[key.strip()] = value.strip()
    return given


def _variable(key: str) -> str:
    return PREFIX + key.upper().replace(".", "_")


def _is_of_service(variable: str, text: str) -> bool:
    is_address = variable.endswith("_PORT") and SERVICE_ADDRESS.fullmatch(text)
    return bool(is_address or SERVICE_VARIABLE.fullmatch(variable))


def _number(setting: Field[Any], text: str, origin: str) -> int:
    minimum, maximum = setting.metadata["minimum"], setting.metadata["maximum"]
    if not (text.isascii() and text.isdigit()) or not minimum <= int(text) <= maximum:
        bounds = f"of at least {minimum}" if maximum == math.inf else f"from {minimum} to {maximum}"
        raise SettingsError(f"{origin} is {text!r}, not a whole number {bounds}")
    return int(text)


def split_list(text: str) -> list[str]:
    """Split a comma separated list."""
    return [each.strip() for each in text.split(",") if each.strip()]
