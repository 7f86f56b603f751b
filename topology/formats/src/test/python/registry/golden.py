"""Write records with the framing of Confluent's serializers for Python.

    python golden.py FOLDER

makes FOLDER/*.bin and, for those whose schema is named by a header, FOLDER/*.header, and protobuf-types.base64, the
schema as the serializer registers it. The schemas are those in FOLDER; the registry is the one in memory that the
library has for tests. It numbers schemas from 1. Needs confluent-kafka[avro,protobuf,json] and grpcio-tools.
"""

import datetime
import decimal
import importlib
import json
import sys
import tempfile
import uuid
from importlib.resources import files
from pathlib import Path

import google.type
from confluent_kafka.schema_registry import (
    Schema,
    SchemaReference,
    SchemaRegistryClient,
    confluent,
    header_schema_id_serializer,
)
from confluent_kafka.schema_registry.avro import AvroSerializer
from confluent_kafka.schema_registry.json_schema import JSONSerializer
from confluent_kafka.schema_registry.protobuf import ProtobufSerializer, decimal_to_protobuf
from confluent_kafka.serialization import MessageField, SerializationContext
from grpc_tools import protoc

RESOURCES = Path(__file__).parents[3] / "main" / "resources"
AT = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)


def write(folder, name, serializer, record):
    """Write the serialized bytes, and those of the header if there is one."""
    context = SerializationContext("metrics", MessageField.VALUE, [])
    (folder / f"{name}.bin").write_bytes(serializer(record, context))
    for _, value in context.headers or []:
        (folder / f"{name}.header").write_bytes(value)


def avro(folder, client):
    """Write a record with Avro's features: a reference, a union, logical types, an array, maps, an enum."""
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


def avro_types(folder, client):
    """Write a record with a union of records, fixed, the logical types, a list of lists and a map of records."""
    record = {
        "event": ("shop.Returned", {"reason": "torn", "price": 7}),
        "fixed_price": decimal.Decimal("-12.345"),
        "hash": b"abcd",
        "millis": AT,
        "micros": AT + datetime.timedelta(microseconds=1),
        "nanos": int(AT.timestamp()) * 10**9 + 1,
        "local": AT.replace(tzinfo=None),
        "day": AT.date(),
        "clock": AT.time(),
        "id": uuid.UUID(int=7),
        "matrix": [[1, 2], [3]],
        "disks": {"sda": {"free": 0.5, "state": "GOOD"}, "sdb": {"free": None, "state": "BAD"}},
    }
    serializer = AvroSerializer(client, Schema((folder / "types.avsc").read_text(), "AVRO"))
    write(folder, "avro-types", serializer, record)


def compiled(folder, *names):
    """Return the Python module of the last of some .proto files."""
    sys.modules["confluent"] = confluent  # for the modules of Confluent's own files
    with tempfile.TemporaryDirectory() as out:
        provided = [files("grpc_tools") / "_proto", Path(google.type.__path__[0]).parents[1], RESOURCES]
        includes = [f"-I{path}" for path in (folder, *provided)]
        protoc.main(["protoc", *includes, f"--python_out={out}", *(f"{name}.proto" for name in names)])
        sys.path.insert(0, out)
        return importlib.import_module(f"{names[-1]}_pb2")


def protobuf(folder, client):
    """Write the second message of its file, with messages, an enum, maps, a oneof and Google's types."""
    message = compiled(folder, "common", "reading").Batch
    batch = message(requests=4_000_000_000, big=2**63 + 2**40, errors=3, gauges={"load": 0.5})
    batch.place.host = "web01"
    batch.place.dc = "ams"
    batch.at.FromDatetime(AT)
    batch.load.value = 0.25
    batch.labels["rack"] = "r1"
    batch.readings.add(metric="m0", value=1.5, kind=message.CPU)
    batch.readings.add(metric="m1")
    write(folder, "protobuf", ProtobufSerializer(message, client), batch)
    in_header = {"schema.id.serializer": header_schema_id_serializer}
    write(folder, "protobuf-header", ProtobufSerializer(message, client, in_header), batch)


def protobuf_types(folder, client):
    """Write a nested message with types that registries provide, and its schema as registered."""
    message = compiled(folder, "types").Outer.Types
    record = message(counts=[1, 2**32 - 1], levels={"low": -3}, error="torn")
    record.price.CopyFrom(decimal_to_protobuf(decimal.Decimal("-12.345"), 3))
    record.day.year, record.day.month, record.day.day = AT.year, AT.month, AT.day
    record.took.FromTimedelta(datetime.timedelta(seconds=1.5))
    record.big.value = 2**63
    record.disks[2**64 - 1].free = 0.5
    record.more["load"] = 0.25
    write(folder, "protobuf-types", ProtobufSerializer(message, client), record)
    (folder / "protobuf-types.base64").write_text(client.get_schema(1).schema_str)


def plain_json(folder, client):
    """Write a point in Rondo's plain dialect."""
    schema = {"title": "Point", "type": "object"}
    record = {"name": "shop.orders", "tags": {"dc": "ams"}, "time": 1772366400, "value": 42}
    write(folder, "json", JSONSerializer(json.dumps(schema), client), record)


def main():
    """Write all."""
    folder = Path(sys.argv[1])
    for make in (avro, avro_types, protobuf, protobuf_types, plain_json):
        make(folder, SchemaRegistryClient.new_client({"url": f"mock://{make.__name__}"}))


main()
