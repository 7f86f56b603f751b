"""A part of Rondo as /status sees it: an HTTP server with given answers, which may be hostile."""

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

Answer = str | bytes | Callable[["Handler"], object]


class Handler(BaseHTTPRequestHandler):
    server: "Server"

    def do_GET(self) -> None:
        self.server.part.requested.append(self.path)
        answer = self.server.part.answers.get(self.path)
        if callable(answer):
            answer(self)
            return
        body = answer.encode() if isinstance(answer, str) else answer
        self.send_response(404 if body is None else 200)
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


class Server(ThreadingHTTPServer):
    daemon_threads = True
    part: "PartServer"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore a client that has disconnected.

        Before Python 3.11.8, two threads cannot parse code at the same time, which printing a traceback and making an
        app both do (https://github.com/python/cpython/issues/106905).
        """
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@dataclass
class PartServer:
    """``answers`` by path, and the paths that were requested."""

    url: str
    answers: dict[str, Answer]
    requested: list[str] = field(default_factory=list)


@contextmanager
def part_server(answers: Mapping[str, Answer]) -> Iterator[PartServer]:
    with Server(("127.0.0.1", 0), Handler) as server:
        server.part = PartServer(f"http://127.0.0.1:{server.server_port}", dict(answers))
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield server.part
        server.shutdown()


def redirect(to: str) -> Callable[[Handler], object]:
    def answer(handler: Handler) -> None:
        handler.send_response(302)
        handler.send_header("Location", to)
        handler.end_headers()

    return answer


def drip(handler: Handler) -> None:
    """An answer that never ends, a byte every now and then."""
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b"#")
        time.sleep(0.1)


def flood(handler: Handler) -> None:
    """An answer that never ends, as fast as it is read."""
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b"rondo_drops_points_total 1\n" * 10_000)


READY = json.dumps({"ok": True, "state": "RUNNING"})
TOPOLOGY_METRICS = """\
# HELP rondo_topology_info Always 1
# TYPE rondo_topology_info gauge
rondo_topology_info{instance_id="rondo-1",version="0.1.0"} 1
rondo_decode_points_total 1000.0
rondo_rows_sent_total 50.0
rondo_merge_buffered_points 3.0
rondo_consolidate_policy_version{task="0_0"} 2.0
rondo_consolidate_series{policy="default",task="0_0"} 30.0
rondo_consolidate_series{policy="default",task="0_1"} 12.0
rondo_consolidate_max_series{policy="default",task="0_0"} 100.0
rondo_consolidate_max_series{policy="default",task="0_1"} 100.0
rondo_consolidate_series_by_source{source="points"} 42.0
rondo_sources_unassigned_partitions 0.0
rondo_drops_points_total{reason="late"} 0.0
rondo_drops_points_total{reason="unreadable"} 0.0
kafka_consumer_fetch_manager_records_lag{topic="points",partition="0"} 4.0
kafka_consumer_fetch_manager_records_lag{topic="points",partition="1"} NaN
kafka_consumer_fetch_manager_records_consumed_rate{topic="points"} 12.5
jvm_memory_used_bytes 1.0
"""


def topology_answers(metrics: str = TOPOLOGY_METRICS, drops: object = None) -> dict[str, Answer]:
    return {"/health/ready": READY, "/metrics": metrics, "/drops": json.dumps(drops or {})}


SINK_METRICS = """\
rondo_sink_rows_total{connector="rondo-postgres-sink",task="0"} 100.0
rondo_sink_retries_total{connector="rondo-postgres-sink",task="0",sqlstate="08001"} 2.0
rondo_sink_rejected_records_total{connector="rondo-postgres-sink",task="0",reason="22000"} 0.0
rondo_sink_retrying_seconds{connector="rondo-postgres-sink",task="0"} 0.0
rondo_sink_lag_seconds{connector="rondo-postgres-sink",task="0"} 9.0
kafka_connect_task_status{connector="rondo-postgres-sink",task="0",status="running"} 1.0
kafka_connect_task_status{connector="rondo-postgres-sink",task="0",status="failed"} 0.0
kafka_connect_task_status{connector="other",task="0",status="failed"} 1.0
kafka_consumer_records_lag_max{connector="rondo-postgres-sink",task="0"} 7.0
"""


def connectors(state: str = "RUNNING", trace: str = "") -> dict[str, Any]:
    """The answer of /connectors?expand=status&expand=info, with the sink of one task and another connector."""
    task = {"id": 0, "state": state, "worker_id": "127.0.0.1:8083", "version": "0.1.0", "trace": trace}
    other = {"connector": {"state": "FAILED"}, "tasks": []}
    return {
        "rondo-postgres-sink": {
            "info": {"config": {"connector.class": "dev.rondo.connect.postgres.PostgresSinkConnector"}},
            "status": {"connector": {"state": "RUNNING"}, "tasks": [task]},
        },
        "other": {"info": {"config": {"connector.class": "FileStreamSource"}}, "status": other},
    }


def worker_answers(**of_task: str) -> dict[str, Answer]:
    return {"/": json.dumps({"version": "4.4.0"}), CONNECTORS: json.dumps(connectors(**of_task))}


CONNECTORS = "/connectors?expand=status&expand=info"
