"""Write the registry of prometheus_client as Prometheus remote write 1.0.

    python write_request.py FOLDER TIME_MS

makes FOLDER/write-request.{plain,snappy,zstd}, the same WriteRequest in the three forms that are found in topics,
and FOLDER/points.txt, the points that are in it: `name;label=value... value time_ms`, in their order. There are two
scrapes, 15 s apart, the first at TIME_MS.
"""

import sys
from pathlib import Path

import cramjam
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, Summary

SCRAPE_MS = 15_000
Field = descriptor_pb2.FieldDescriptorProto


def messages():
    """Return the needed messages of prometheus/prompb/{remote,types}.proto, by name."""
    file = descriptor_pb2.FileDescriptorProto(name="remote.proto", package="prometheus", syntax="proto3")
    message(file, "Label", ("name", 1, Field.TYPE_STRING, False), ("value", 2, Field.TYPE_STRING, False))
    message(file, "Sample", ("value", 1, Field.TYPE_DOUBLE, False), ("timestamp", 2, Field.TYPE_INT64, False))
    message(file, "TimeSeries", ("labels", 1, "Label", True), ("samples", 2, "Sample", True))
    message(
        file,
        "MetricMetadata",
        ("type", 1, Field.TYPE_INT32, False),
        ("metric_family_name", 2, Field.TYPE_STRING, False),
        ("help", 4, Field.TYPE_STRING, False),
    )
    message(file, "WriteRequest", ("timeseries", 1, "TimeSeries", True), ("metadata", 3, "MetricMetadata", True))
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClassesForFiles(["remote.proto"], pool)


def message(file, name, *fields):
    """Add a message to file; a field is (name, number, type or name of a message, whether repeated)."""
    added = file.message_type.add(name=name)
    for field, number, kind, repeated in fields:
        label = Field.LABEL_REPEATED if repeated else Field.LABEL_OPTIONAL
        if isinstance(kind, str):
            added.field.add(
                name=field, number=number, label=label, type=Field.TYPE_MESSAGE, type_name=f".prometheus.{kind}"
            )
        else:
            added.field.add(name=field, number=number, label=label, type=kind)


class Shop:
    """A process with metrics of every type."""

    def __init__(self):
        self.registry = CollectorRegistry()
        self.orders = Counter("orders", "Orders taken", ["shop", "city"], registry=self.registry)
        self.stock = Gauge("stock_items", "Items in stock", ["shop"], registry=self.registry)
        self.latency = Histogram("latency_seconds", "Of a page", ["page"], buckets=(0.1, 1), registry=self.registry)
        self.size = Summary("page_bytes", "Of a page", registry=self.registry)
        Info("build", "What runs", registry=self.registry).info({"version": "1.2.3"})

    def sell(self, scrape):
        """Update the metrics before scrape number n, from 1."""
        self.orders.labels(shop="a", city="köln").inc(3 * scrape)
        self.orders.labels(shop="b", city="").inc(0.5)
        self.stock.labels(shop="a").set(100 - 98.09 * scrape)
        self.stock.labels(shop="b").set(float("nan"))
        self.latency.labels(page="/").observe(0.25 * scrape)
        self.size.observe(1e9)


def main(folder, time_ms):
    """Scrape twice and write the files."""
    kinds = messages()
    shop = Shop()
    request = kinds["prometheus.WriteRequest"]()
    by_labels = {}
    for scrape in (1, 2):
        shop.sell(scrape)
        for family in shop.registry.collect():
            if scrape == 1:
                request.metadata.add(type=1, metric_family_name=family.name, help=family.documentation)
            for sample in family.samples:
                if sample.name.endswith("_created"):
                    continue  # not part of the text format, so Prometheus does not scrape it
                labels = {"__name__": sample.name, **sample.labels}
                key = tuple(sorted(labels.items()))
                samples = by_labels.setdefault(key, [])
                samples.append((sample.value, time_ms + (scrape - 1) * SCRAPE_MS))
    lines = []
    for labels, samples in by_labels.items():
        series = request.timeseries.add()
        for name, value in labels:
            series.labels.add(name=name, value=value)
        for value, sample_ms in samples:
            series.samples.add(value=value, timestamp=sample_ms)
            lines.append(f"{ident(labels)} {value!r} {sample_ms}\n")
    plain = request.SerializeToString()
    (folder / "write-request.plain").write_bytes(plain)
    (folder / "write-request.snappy").write_bytes(bytes(cramjam.snappy.compress_raw(plain)))
    (folder / "write-request.zstd").write_bytes(bytes(cramjam.zstd.compress(plain)))
    (folder / "points.txt").write_text("".join(lines), encoding="utf-8")


def ident(labels):
    """Format a series like tagged Graphite."""
    tags = [f"{name}={value}" for name, value in labels if name != "__name__" and value]
    return ";".join([dict(labels)["__name__"], *tags])


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
