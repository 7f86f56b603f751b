"""Encode metrics of every kind with OpenTelemetry's SDK, and print the points that Rondo should decode.

Without an argument: prints a JSON list of exports, each ``{"what", "protobuf", "json", "points"}``: the bytes as hex,
the text, and ``[ident, epoch ms, value]`` for each point.
With a folder: writes the second export of either temporality there, as ``WHAT.bin``, ``WHAT.json`` and ``WHAT.txt``.

The expected points come from the SDK's own objects, not from what it encodes.
"""

import json
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from opentelemetry.exporter.otlp.json.common.metrics_encoder import encode_metrics as encode_json
from opentelemetry.exporter.otlp.proto.common.metrics_encoder import encode_metrics as encode_protobuf
from opentelemetry.metrics import CallbackOptions, Observation
from opentelemetry.sdk.metrics import (
    AlwaysOnExemplarFilter,
    Counter,
    Histogram,
    MeterProvider,
    ObservableCounter,
    ObservableGauge,
    ObservableUpDownCounter,
    UpDownCounter,
)
from opentelemetry.sdk.metrics.export import (
    AggregationTemporality,
    ExponentialHistogramDataPoint,
    HistogramDataPoint,
    InMemoryMetricReader,
    MetricsData,
)
from opentelemetry.sdk.metrics.view import ExponentialBucketHistogramAggregation, View
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider

Point = tuple[str, int, float]

FINEST_SCALE = 1
EXTREMES = (".min", ".max")
TEMPORALITIES = {"cumulative": AggregationTemporality.CUMULATIVE, "delta": AggregationTemporality.DELTA}
BOUNDS = [0.005, 0.1, 1, 2.5e6]
RESOURCE = {
    "service.name": "shop",
    "service.instance.id": "shop-7f9c",
    "host.name": "web01",
    "process.pid": 4711,
    "canary": True,
    "weight": 0.25,
    "process.command_args": ["python", "-m", "shop"],
}


def main() -> None:
    """Print the result, or write it to the given folder."""
    if len(sys.argv) > 1:
        write(Path(sys.argv[1]))
    else:
        exported = [
            {
                "what": f"{what} {n}",
                "protobuf": protobuf(data).hex(),
                "json": as_json(data),
                "points": list(expected(data)),
            }
            for what, temporality in TEMPORALITIES.items()
            for n, data in enumerate(exports(temporality), start=1)
        ]
        json.dump(exported, sys.stdout)


def write(folder: Path) -> None:
    """Write files for tests without the SDK."""
    for what, temporality in TEMPORALITIES.items():
        *_, data = exports(temporality)
        (folder / f"{what}.bin").write_bytes(protobuf(data))
        (folder / f"{what}.json").write_text(as_json(data) + "\n")
        lines = [f"{ident} {value!r} {t_ms}\n" for ident, t_ms, value in expected(data)]
        (folder / f"{what}.txt").write_text("".join(lines))


def protobuf(data: MetricsData) -> bytes:
    """Encode like the gRPC exporter."""
    return encode_protobuf(data).SerializeToString()


def as_json(data: MetricsData) -> str:
    """Encode like the file exporter."""
    return json.dumps(encode_json(data).to_dict())


def exports(temporality: AggregationTemporality) -> Iterator[MetricsData]:
    """Record with every kind of instrument; values spread between exports, so that the exponential scale decreases."""
    kinds = (Counter, UpDownCounter, Histogram, ObservableCounter, ObservableUpDownCounter, ObservableGauge)
    reader = InMemoryMetricReader(preferred_temporality=dict.fromkeys(kinds, temporality))
    views = [
        View(instrument_name=name, aggregation=ExponentialBucketHistogramAggregation())
        for name in ("payload.size", "account.change")
    ]
    provider = MeterProvider([reader], Resource.create(RESOURCE), AlwaysOnExemplarFilter(), views=views)
    meter = provider.get_meter("shop.meter", "1.2.0")
    requests = meter.create_counter("http.requests", unit="1")
    bytes_sent = meter.create_counter("bytes.sent", unit="By")
    queue = meter.create_up_down_counter("queue.length")
    temperature = meter.create_gauge("cpu.temperature", unit="Cel")
    duration = meter.create_histogram(
        "http.duration", unit="s", explicit_bucket_boundaries_advisory=[0.005, 0.1, 1, 2.5e6]
    )
    payload = meter.create_histogram("payload.size", unit="By")
    change = meter.create_up_down_counter("account.change", unit="EUR")  # can be negative
    meter.create_observable_gauge("memory.used", [memory])
    meter.create_observable_counter("cpu.time", [cpu_time])
    tracer = TracerProvider().get_tracer("shop.tracer")
    for export in (1, 2):
        with tracer.start_as_current_span("sale"):  # exemplars hold its ids
            for status in (200, 200, 404):
                requests.add(export, {"http.method": "GET", "http.status_code": status, "host.name": "proxy"})
            bytes_sent.add(1500.5 * export)
            queue.add(3 - 4 * export, {"queue": "mail"})
            temperature.set(41.5 + export, {"sensor": "package 0"})
            for seconds in (0.004, 0.07, 0.07, 30):
                duration.record(seconds * export, {"http.route": "/cart/{id}"})
            for size in (0, 3, 3.1) if export == 1 else (1000, 70000, 0.3):
                payload.record(size)
            for euros in (-20, 0, 4, -5.5) if export == 1 else (-0.02, 900):
                change.add(euros)
        yield reader.get_metrics_data()
    provider.shutdown()


def memory(_: CallbackOptions) -> Iterator[Observation]:
    """Observe two series of one gauge."""
    yield Observation(123456789, {"state": "heap", "ratio": 0.5})
    yield Observation(1e9, {"state": "stack", "tags": ("a", "b")})


def cpu_time(_: CallbackOptions) -> Iterator[Observation]:
    """Observe an external cumulative count."""
    yield Observation(12.75, {"cpu": 0})


def expected(data: MetricsData) -> Iterator[Point]:
    """Yield the points that Rondo should decode, in order."""
    for resource in data.resource_metrics:
        for scope in resource.scope_metrics:
            for metric in scope.metrics:
                temporality = getattr(metric.data, "aggregation_temporality", None)
                is_delta = temporality == AggregationTemporality.DELTA
                for point in metric.data.data_points:
                    t_ms = point.time_unix_nano // 1_000_000
                    own = {"otel.scope.name": scope.scope.name, **(point.attributes or {})}
                    labels = {**resource.resource.attributes, **own}
                    for field, label, value in values(point):
                        of_delta = {"temporality": "interval" if field in EXTREMES else "delta"} if is_delta else {}
                        yield ident(metric.name + field, {**labels, **of_delta, **label}), t_ms, value


def values(point: Any) -> Iterator[tuple[str, dict[str, str], float]]:
    """Yield field, additional label and value."""
    if not isinstance(point, HistogramDataPoint | ExponentialHistogramDataPoint):
        yield "", {}, float(point.value)
        return
    yield ".count", {}, float(point.count)
    yield ".sum", {}, float(point.sum)
    yield ".min", {}, float(point.min)
    yield ".max", {}, float(point.max)
    if isinstance(point, HistogramDataPoint):
        bounds = [text(float(bound)) for bound in point.explicit_bounds]
        for n, le in enumerate([*bounds, "+Inf"], start=1):
            yield ".bucket", {"le": le}, float(sum(point.bucket_counts[:n]))
    else:
        yield from exponential(point)


def exponential(point: ExponentialHistogramDataPoint) -> Iterator[tuple[str, dict[str, str], float]]:
    """Count values up to each power of 2^(1/2), or of the sender's base if that is greater."""
    scale = min(point.scale, FINEST_SCALE)
    finer = 2 ** (point.scale - scale)  # sender's buckets per merged bucket

    def counted(buckets: Any) -> list[tuple[int, int]]:  # merged bucket index, count
        return [((buckets.offset + n) // finer, count) for n, count in enumerate(buckets.bucket_counts) if count]

    negative, positive = counted(point.negative), counted(point.positive)
    below_zero = sum(count for _, count in negative)
    for index in reversed(every_index(negative)):
        up_to_here = sum(count for i, count in negative if i >= index)
        yield ".bucket", {"le": text(-(2 ** (index / 2**scale)))}, float(up_to_here)
    yield ".bucket", {"le": "0"}, float(below_zero + point.zero_count)
    for index in every_index(positive):
        up_to_here = sum(count for i, count in positive if i <= index)
        le = text(2 ** ((index + 1) / 2**scale))
        yield ".bucket", {"le": le}, float(below_zero + point.zero_count + up_to_here)
    yield ".bucket", {"le": "+Inf"}, float(point.count)


def every_index(buckets: list[tuple[int, int]]) -> list[int]:
    """Return every index from the first bucket to the last."""
    indexes = [index for index, _ in buckets]
    return list(range(min(indexes), max(indexes) + 1)) if indexes else []


def ident(name: str, labels: dict[str, Any]) -> str:
    """Return the canonical text."""
    return ";".join([name, *(f"{key}={text(value)}" for key, value in sorted(labels.items()) if text(value))])


def text(value: Any) -> str:
    """Format a number as a label."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else format(Decimal(f"{value:.6g}"), "f")
    if isinstance(value, tuple | list):
        return json.dumps(value, separators=(",", ":"))
    return str(value)


if __name__ == "__main__":
    main()
