"""Write records as Confluent's serializers for Python frame them.

    python golden.py FOLDER

makes FOLDER/{avro,avro-header,protobuf,protobuf-header,json}.bin and, for those whose schema is named by a header,
FOLDER/*.header. The schemas are those in FOLDER; the registry is the one in memory that the library has for tests. It
numbers schemas from 1. Needs confluent-kafka[avro,protobuf,json] and grpcio-tools.
"""

import datetime
import decimal
import json
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

from confluent_kafka.schema_registry import (
    Schema,
    SchemaReference,
    SchemaRegistryClient,
    header_schema_id_serializer,
)
from confluent_kafka.schema_registry.avro import AvroSerializer
from confluent_kafka.schema_registry.json_schema import JSONSerializer
from confluent_kafka.schema_registry.protobuf import ProtobufSerializer
from confluent_kafka.serialization import MessageField, SerializationContext
from grpc_tools import protoc

AT = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)


def write(folder, name, serializer, record):
    """Write the bytes that the serializer makes, and those of its header if it has one."""
    context = SerializationContext("metrics", MessageField.VALUE, [])
    (folder / f"{name}.bin").write_bytes(serializer(record, context))
    for _, value in context.headers or []:
        (folder / f"{name}.header").write_bytes(value)


def avro(folder, client):
    """Write a record with all that Avro has: a reference, a union, logical types, an array, maps, an enum."""
    client.register_schema("place", Schema((folder / "place.avsc").read_text(), "AVRO"))
    schema = Schema((folder / "reading.avsc").read_text(), "AVRO", [SchemaReference("shop.Place", "place", 1)])
    record = {
        "place": {"host": "web01", "dc": "ams"},
        "at": AT,
        "kind": "CPU",
        "readings": [{"metric": f"m{n}", "value": value} for n, value in enumerate([1.5, 7, True, "text", None])],
        "gauges": {"load": 0.5},
        "price": decimal.Decimal("12.34"),
        "labels": {"rack": "r1"},
        "requests": 42,
    }
    write(folder, "avro", AvroSerializer(client, schema), record)
    in_header = {"schema.id.serializer": header_schema_id_serializer}
    write(folder, "avro-header", AvroSerializer(client, schema, conf=in_header), record)


def protobuf(folder, client):
    """Write the second message of its file, with messages, an enum, maps, a oneof and Google's types."""
    with tempfile.TemporaryDirectory() as out:
        google = files("grpc_tools") / "_proto"
        options = [f"-I{folder}", f"-I{google}", f"--python_out={out}"]
        protoc.main(["protoc", *options, "common.proto", "reading.proto"])
        sys.path.insert(0, out)
        import reading_pb2  # noqa: PLC0415  made above

    batch = reading_pb2.Batch(requests=4_000_000_000, big=2**63 + 2**40, errors=3, gauges={"load": 0.5})
    batch.place.host = "web01"
    batch.place.dc = "ams"
    batch.at.FromDatetime(AT)
    batch.load.value = 0.25
    batch.labels["rack"] = "r1"
    batch.readings.add(metric="m0", value=1.5, kind=reading_pb2.Batch.CPU)
    batch.readings.add(metric="m1")
    write(folder, "protobuf", ProtobufSerializer(reading_pb2.Batch, client), batch)
    in_header = {"schema.id.serializer": header_schema_id_serializer}
    write(folder, "protobuf-header", ProtobufSerializer(reading_pb2.Batch, client, in_header), batch)


def plain_json(folder, client):
    """Write a point in Rondo's plain dialect."""
    schema = {"title": "Point", "type": "object"}
    record = {"name": "shop.orders", "tags": {"dc": "ams"}, "time": 1772366400, "value": 42}
    write(folder, "json", JSONSerializer(json.dumps(schema), client), record)


def main():
    """Write all."""
    folder = Path(sys.argv[1])
    for make in (avro, protobuf, plain_json):
        make(folder, SchemaRegistryClient.new_client({"url": f"mock://{make.__name__}"}))


main()
